import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { afterAll, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/index.js'

const folder = mkdtempSync(join(tmpdir(), 'sitewright-static-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('serveStatic in a wrapped app of Hono is stored once, and told of', async () => {
  writeFileSync(join(folder, 'site.css'), 'body {}')
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const site = new Hono().use(serveStatic({ root: relative(process.cwd(), folder) }))
  const store = memoryStore({ maxBytes: 1_000_000 })
  const set = vi.spyOn(store, 'set')
  const handler = createResponseCache({ store }).wrap(site.fetch)
  for (let request = 0; request < 10; request++) {
    const response = await handler(new Request('http://site.test/site.css'))
    expect([response.status, await response.text()]).toEqual([200, 'body {}'])
  }
  expect(set).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining('http://site.test/site.css is never stored. Cache-Control: expected a lifetime')],
  ])
})
