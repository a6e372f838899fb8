import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { createContentTags } from '../../core/content/index.js'
import { createRandom } from '../../core/content/testing/graph.js'
import { startNginx } from './nginx.js'

const pageCount = 100
const datesOfPage = 10
const duration = 12_000 // milliseconds
const { below, pick } = createRandom(1)

const start = Date.now() + 1000
const dates = Array.from({ length: pageCount }, () =>
  Array.from({ length: datesOfPage }, () => start + below(duration)).sort((a, b) => a - b),
)
const textAt = (page: number, time: number) => (dates[page] ?? []).filter((date) => date <= time).length

const content = createContentTags({ sources: [] })
const cache = createResponseCache({ store: memoryStore({ maxBytes: 10_000_000 }), content })
const handler = cache.wrap(async ({ url }) => {
  const page = Number(new URL(url).pathname.slice(1))
  const text = textAt(page, Date.now())
  for (const date of dates[page] ?? []) content.until(date)
  await new Promise((resolve) => setTimeout(resolve, below(30)))
  const windows = pick(['', ', stale-while-revalidate=3600', ', stale-if-error=3600'])
  return new Response(String(text), { headers: { 'Cache-Control': `s-maxage=${pick([2, 3600])}${windows}` } })
})

const site = createServer(nodeListener(handler))
let nginx: Awaited<ReturnType<typeof startNginx>>
beforeAll(async () => {
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  nginx = await startNginx(`http://127.0.0.1:${(site.address() as AddressInfo).port}`)
  await vi.waitFor(() => fetch(`${nginx.url}/0`), 20_000)
})
afterAll(async () => {
  await nginx.stop()
  site.closeAllConnections()
  site.close()
})

it('behind the cache of nginx, no answer after a date shows the text of before', async () => {
  const statuses = new Map<string, number>()
  const visit = async () => {
    const page = below(pageCount)
    const asked = Date.now()
    const response = await fetch(`${nginx.url}/${page}`)
    const status = response.headers.get('x-nginx') ?? 'none'
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    expect(Number(await response.text()), `${status} ${response.headers.get('cache-control')}`).toBeGreaterThanOrEqual(
      textAt(page, asked),
    )
  }
  const visitor = async () => {
    while (Date.now() < start + duration) await visit()
  }
  await Promise.all(Array.from({ length: 8 }, visitor))
  expect(statuses.get('HIT')).toBeGreaterThan(pageCount)
})
