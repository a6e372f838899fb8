import { createServer } from 'node:http'
import { Hono } from 'hono'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { honoMiddleware } from 'sitewright/hono'
import { nodeListener, packageFiles } from 'sitewright/node'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { createStyleguideRoute } from 'sitewright/styleguide'
import { images, renderPage, renderStyleguide, routes, tree } from './site.js'

const { PORT = 3000, REVALIDATE_SECRET, STYLEGUIDE_ENABLED } = process.env

const cache = createResponseCache({
  store: memoryStore({ maxBytes: 64 * 1024 ** 2 }),
  fields: routes.cacheFields, // one redirect from / for each language
})

const revalidate = createRevalidateEndpoint({
  secret: REVALIDATE_SECRET,
  images,
  pathsOf: routes.pathsOf, // one path purges the page in every language
  invalidate: cache.invalidate,
})

const styleguide = createStyleguideRoute({
  tree,
  enabled: STYLEGUIDE_ENABLED === 'true',
  render: renderStyleguide,
})

const app = new Hono()
  .use(honoMiddleware(images.handler))
  .use(honoMiddleware(revalidate))
  .use(honoMiddleware(packageFiles()))
  .use(honoMiddleware(styleguide))
  .use(honoMiddleware(cache.wrap(routes.handler(renderPage))))

export const server = createServer(nodeListener(app.fetch)).listen(PORT)
