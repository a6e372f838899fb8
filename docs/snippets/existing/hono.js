import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { honoMiddleware } from 'sitewright/hono'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

// Your app, as before. Only the header is new: it says for how long the page may be stored.
const app = new Hono().get('/', (c) => {
  c.header('Cache-Control', 'public, max-age=0, s-maxage=86400')
  return c.html(`<h1>Rendered at ${new Date().toISOString()}</h1>`)
})

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })
const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  invalidate: cache.invalidate,
})

// In front of it: compression, the endpoint, then the cache.
const server = new Hono()
server.use(
  compress(),
  honoMiddleware(revalidate),
  honoMiddleware(cache.inFrontOf(app.fetch)),
)
serve({ fetch: server.fetch, port: Number(process.env.PORT ?? 3000) })
