import { renderToReadableStream } from 'react-dom/server'
import { StyleguidePage, type StyleguideTree } from 'sitewright/react/styleguide'
import type { StyleguideView } from 'sitewright/styleguide'
import { assets } from '../vite-assets.ts'
import { framedHtmlHeaders, viteClient, xRay } from './pages.tsx'

const { stylesheets, script, fonts } = assets.styleguide

/** Renders a page of the site's styleguide. */
export async function renderStyleguide(
  tree: StyleguideTree,
  { slug, prefix, match, query, error }: StyleguideView,
): Promise<Response> {
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${match?.page.title ?? 'Page not found'} – Silver & Salt`}</title>
        <link rel="icon" href={assets.icon} type="image/svg+xml" />
        {fonts.map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        {[assets.stylesheet, ...stylesheets].map((stylesheet) => (
          <link key={stylesheet} rel="stylesheet" href={stylesheet} />
        ))}
        {/* Not deferred, so that the color scheme is applied before the first paint. */}
        <script src={script} />
        {viteClient}
      </head>
      <body>
        <StyleguidePage tree={tree} slug={slug} prefix={prefix} query={query} error={error} xRay={xRay} />
      </body>
    </html>
  )
  return new Response(await renderToReadableStream(page), {
    headers: { ...framedHtmlHeaders, 'Cache-Control': 'no-store' },
  })
}
