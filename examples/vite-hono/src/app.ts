import { createSiteHandlers, type Folders } from '@sitewright/example-site/handlers'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { honoMiddleware } from 'sitewright/hono'
import { nodeListener } from 'sitewright/node'

/** Creates the server: each feature is mounted in one line. */
export async function createApp(folders: Folders, origin: string) {
  const site = await createSiteHandlers(folders, origin)
  const app = new Hono()
    .use(honoMiddleware(site.images), honoMiddleware(site.revalidate))
    .use(compress())
    .use(honoMiddleware(site.styleguide), honoMiddleware(site.files), honoMiddleware(site.pages))
    .onError(site.fail)
  return { listener: nodeListener(app.fetch), notes: site.notes, close: site.close }
}
