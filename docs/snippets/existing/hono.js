import { createServer } from 'node:http'
import { Hono } from 'hono'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { honoMiddleware } from 'sitewright/hono'
import { nodeListener } from 'sitewright/node'
import { createRevalidateEndpoint } from 'sitewright/revalidate'

// Your app, as before. Only the header is new: it says for how long the page may be stored.
const site = new Hono().get('/', (c) => {
  c.header('Cache-Control', 'public, max-age=0, s-maxage=86400')
  return c.html(`<h1>Rendered at ${new Date().toISOString()}</h1>`)
})

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })
const pages = cache.wrap(site.fetch)
const revalidate = createRevalidateEndpoint({
  secret: process.env.REVALIDATE_SECRET,
  invalidate: cache.invalidate,
})

const app = new Hono().use(honoMiddleware(revalidate), honoMiddleware(pages))
createServer(nodeListener(app.fetch)).listen(process.env.PORT ?? 3000)
