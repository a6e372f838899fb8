import { createSite, type Folders } from '@sitewright/example-site/server'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createResponseCache } from 'sitewright/cache'
import { purgeEverywhere, tagResponse } from 'sitewright/cdn'
import { honoMiddleware } from 'sitewright/hono'
import { createImages } from 'sitewright/image'
import { negotiateMarkdown } from 'sitewright/localized-pages'
import { nodeListener, packageFiles } from 'sitewright/node'
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

  const app = new Hono()
    .use(honoMiddleware(images.handler), honoMiddleware(revalidate))
    .use(compress())
    .use(honoMiddleware(packageFiles()), honoMiddleware(styleguide), honoMiddleware(site.files), honoMiddleware(pages))
    .onError(site.fail)

  return { listener: nodeListener(app.fetch), notes: site.notes, close: site.close }
}
