import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { createContentTags } from '../../core/content/index.js'

// The responses of Node's adapter cannot be read after another one was made of them.
test("a page that ends at a date is stored, also by Node's adapter", async () => {
  const content = createContentTags({ sources: [] })
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), content })
  const render = cache.wrap(() => {
    content.until(Date.now() + 600_500)
    return new Response('events', { headers: { 'Cache-Control': 's-maxage=3600' } })
  })
  const server = createServer(nodeListener(render))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const first = await fetch(url)
  expect([await first.text(), first.headers.get('cache-control')]).toEqual(['events', 's-maxage=599'])
  expect(first.headers.get('cache-status')).toContain('stored')
  await expect.poll(async () => (await fetch(url)).headers.get('cache-status')).toContain('; hit')
})
