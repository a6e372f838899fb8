import { createServer } from 'node:http'
import { Hono } from 'hono'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { honoMiddleware } from 'sitewright/hono'
import { nodeListener } from 'sitewright/node'

const titles = new Map([['first-light', 'First light']]) // in place of your CMS

// The route moves from `app` to an app of its own, with its whole path, and stays as it is.
const articles = new Hono().get('/articles/:slug', (c) => {
  const title = titles.get(c.req.param('slug'))
  if (title === undefined) return c.notFound()
  c.header('Cache-Control', 'public, max-age=0, s-maxage=86400')
  return c.html(`<h1>${title}</h1>`)
})

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })
const app = new Hono()
  .get('/articles/:slug', honoMiddleware(cache.wrap(articles.fetch)))
  .get('/', (c) => c.html(`<h1>Not stored, ${new Date().toISOString()}</h1>`))
createServer(nodeListener(app.fetch)).listen(process.env.PORT ?? 3000)
