import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { afterAll, expect, it } from 'vitest'
import { createResponseCache } from '../../core/cache/response-cache.js'
import { memoryStore } from '../../core/cache/store/memory-store.js'

const folder = mkdtempSync(join(tmpdir(), 'sitewright-static-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('serveStatic in a wrapped app of Hono is not stored without a lifetime, and Cache-Status says so', async () => {
  writeFileSync(join(folder, 'site.css'), 'body {}')
  const root = relative(process.cwd(), folder)
  const store = memoryStore({ maxBytes: 1_000_000 })
  const cache = createResponseCache({ store })
  const ask = async (site: Hono) => {
    const response = await cache.wrap(site.fetch)(new Request('http://site.test/site.css'))
    expect([response.status, await response.text()]).toEqual([200, 'body {}'])
    return response.headers.get('cache-status')
  }
  const site = new Hono().use(serveStatic({ root }))
  for (let request = 0; request < 3; request++) expect(await ask(site)).toMatch(/detail=no-lifetime$/)
  const lasting = new Hono()
  lasting.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 's-maxage=60')
  })
  lasting.use(serveStatic({ root }))
  await ask(lasting)
  expect(await ask(lasting)).toContain('hit')
})
