import { createSiteHandlers, type Folders } from '@sitewright/example-site/handlers'
import express, { type NextFunction, type Request, type Response } from 'express'
import { expressMiddleware } from 'sitewright/express'

/** Creates the server: each feature is mounted in one line. */
export async function createApp(folders: Folders, origin: string) {
  const site = await createSiteHandlers(folders, origin)
  const app = express()
    .disable('x-powered-by')
    .use(expressMiddleware(site.images), expressMiddleware(site.revalidate))
    .use(expressMiddleware(site.styleguide), expressMiddleware(site.files), expressMiddleware(site.pages))
    // Express recognizes an error handler by its four parameters.
    .use((error: unknown, req: Request, res: Response, next: NextFunction) => {
      if (res.headersSent) next(error)
      else expressMiddleware(() => site.fail(error))(req, res, next)
    })
  return { listener: app, notes: site.notes, close: site.close }
}
