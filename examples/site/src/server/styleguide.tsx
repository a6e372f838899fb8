import { renderToReadableStream } from 'react-dom/server'
import type { RouteHandler } from 'sitewright/image'
import { StyleguidePage } from 'sitewright/react/styleguide'
import { createStyleguideRoute } from 'sitewright/styleguide'
import type { Site } from '../content/site.ts'
import { createStyleguideTree } from '../styleguide.tsx'
import { assets } from '../vite-assets.ts'
import { htmlHeaders, viteClient } from './pages.tsx'
import { Picture } from './picture.tsx'

/** Creates the site's styleguide at `/styleguide`. */
export async function createSiteStyleguide(styles: string, site: Site, enabled: boolean): Promise<RouteHandler> {
  const tree = await createStyleguideTree(styles, site, Picture)
  return createStyleguideRoute({
    tree,
    enabled,
    render: async ({ slug, prefix, match, error }) => {
      const page = (
        <html lang="en">
          <head>
            <meta charSet="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>{`${match?.page.title ?? 'Nothing here'} – Silver & Salt`}</title>
            <link rel="icon" href={assets.icon} type="image/svg+xml" />
            <link rel="stylesheet" href={assets.stylesheet} />
            <link rel="stylesheet" href={assets.styleguide} />
            {/* Not deferred: the color scheme is to be known before the first paint. */}
            <script src={assets.styleguideScript} />
            {viteClient}
          </head>
          <body>
            <StyleguidePage tree={tree} slug={slug} prefix={prefix} error={error} />
          </body>
        </html>
      )
      return new Response(await renderToReadableStream(page), {
        headers: { ...htmlHeaders, 'Cache-Control': 'no-store' },
      })
    },
  })
}
