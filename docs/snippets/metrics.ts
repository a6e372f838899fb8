import { createServer } from 'node:http'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { createMetrics } from 'sitewright/metrics'
import { nodeListener } from 'sitewright/node'

const store = memoryStore({ maxBytes: 64 * 1024 ** 2 })
const metrics = createMetrics({
  secret: process.env.METRICS_SECRET,
  stores: { pages: store },
})

const pages = createResponseCache({ store }).wrap(async () => {
  return new Response('A page', { headers: { 'Cache-Control': 's-maxage=3600' } })
})

// The metrics stand outside of the cache.
export const server = createServer(
  nodeListener(async (request) => (await metrics(request)) ?? pages(request)),
).listen(process.env.PORT ?? 3000)
