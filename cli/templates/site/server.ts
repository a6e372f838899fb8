import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { Hono } from 'hono'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { honoMiddleware } from 'sitewright/hono'
import { nodeListener, packageFiles } from 'sitewright/node'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { createStyleguide, images, site, tagIndex } from './site.tsx'

if (existsSync('.env')) process.loadEnvFile()
const { PORT = '3000', REVALIDATE_SECRET, STYLEGUIDE_ENABLED } = process.env

/** Stores pages for as long as their `Cache-Control` says, or until they are purged. */
const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }), tagIndex })

/** `POST /api/revalidate` purges the pages; with `?path=/media/black-canyon.jpg`, that picture. */
const revalidate = createRevalidateEndpoint({ secret: REVALIDATE_SECRET, invalidate: cache.invalidate, images })

// Each handler leaves other requests to the next handler. The site comes last, because it answers every request.
const handlers = [
  images.handler,
  revalidate,
  packageFiles(),
  createStyleguide(STYLEGUIDE_ENABLED === 'true'),
  cache.wrap(site.fetch),
]
const app = new Hono()
for (const handler of handlers) app.use(honoMiddleware(handler))

createServer(nodeListener(app.fetch)).listen(Number(PORT), () => {
  const origin = `http://localhost:${PORT}`
  console.log(`Open ${origin} and ${origin}/styleguide; then change site.tsx or site.css.`)
})
