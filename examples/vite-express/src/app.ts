import { createSite, type Folders } from '@sitewright/example-site/server'
import express, { type NextFunction, type Request, type Response } from 'express'
import { createResponseCache } from 'sitewright/cache'
import { purgeEverywhere, tagResponse } from 'sitewright/cdn'
import { expressMiddleware } from 'sitewright/express'
import { createImages } from 'sitewright/image'
import { negotiateMarkdown } from 'sitewright/localized-pages'
import { packageFiles } from 'sitewright/node'
import { createRevalidateEndpoint } from 'sitewright/revalidate'
import { createStyleguideRoute } from 'sitewright/styleguide'

const { REVALIDATE_SECRET, STYLEGUIDE_ENABLED } = process.env

/** Creates the server: each feature is one paragraph. */
export async function createApp(folders: Folders, origin: string) {
  const site = await createSite(folders, origin)
  const { content, routes, cdns } = site

  const images = createImages(site.imageOptions)

  const cache = createResponseCache({
    ...site.stores, // in memory, or in Redis
    content, // each page has the files that it shows as tags
    fields: routes.cacheFields, // one redirect from / for each language
  })

  const revalidate = createRevalidateEndpoint({
    secret: REVALIDATE_SECRET,
    content,
    images,
    pathsOf: routes.pathsOf, // one path purges the page in every language
    invalidate: purgeEverywhere({
      invalidate: async (tags, options) => {
        await site.checkContent() // content with errors must not remove the pages
        await cache.invalidate([...tags, site.contentTag], options)
      },
      cdns,
    }),
  })

  const styleguide = createStyleguideRoute({
    ...(await site.readStyleguide(images)),
    enabled: STYLEGUIDE_ENABLED === 'true',
  })

  // Agents that prefer Markdown get it: the entry of `/articles/house-cat.md`.
  const pages = negotiateMarkdown(tagResponse(cache.wrap(site.createPages(images)), ...cdns))

  const app = express()
    .disable('x-powered-by')
    .use(expressMiddleware(images.handler), expressMiddleware(revalidate))
    .use(
      expressMiddleware(packageFiles()),
      expressMiddleware(styleguide),
      expressMiddleware(site.files),
      expressMiddleware(pages),
    )
    // Express recognizes an error handler by its four parameters.
    .use((error: unknown, req: Request, res: Response, next: NextFunction) => {
      if (res.headersSent) next(error)
      else expressMiddleware(() => site.fail(error))(req, res, next)
    })

  return { listener: app, notes: site.notes, close: site.close }
}
