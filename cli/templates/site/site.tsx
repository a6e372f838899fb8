import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import type { ReactNode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { memoryTagIndex } from 'sitewright/cache'
import { createImages } from 'sitewright/image'
import { createImageComponent } from 'sitewright/react/image'
import { ColorPage, StyleguidePage, TypographyPage } from 'sitewright/react/styleguide'
import { sharpService } from 'sitewright/sharp'
import { createStyleguideRoute, fromCssVariables } from 'sitewright/styleguide'

/** Records purges. Pages and pictures share it. */
export const tagIndex = memoryTagIndex()

/** The pictures of `media/`, at `/_image/…`: AVIF, WebP or JPEG in the width that a screen needs. */
export const images = createImages({ sources: { '/media/': './media' }, service: sharpService(), tagIndex })
const Image = createImageComponent(images.loader)

const css = readFileSync(new URL('site.css', import.meta.url), 'utf8')

/** The routes of the site. Add yours here. */
export const site = new Hono()
  .get('/', () => html(<Home />, 'public, max-age=0, s-maxage=86400'))
  .get('/site.css', () => {
    const headers = { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'public, max-age=60' }
    return new Response(css, { headers })
  })
  .notFound(() => html(<NotFound />, 'no-store', 404))

function Home() {
  return (
    <Page title="Black Cañon">
      <header>
        <h1>Black Cañon</h1>
        <p>Colorado River, from camp 8, looking above. Timothy H. O’Sullivan, 1871.</p>
      </header>
      <Image
        src="/media/black-canyon.jpg"
        alt="A boat with a man on the shore of a calm river, between dark cliffs"
        width={1024}
        height={750}
        originalWidth={1024}
        sizes="(min-width: 64rem) 60rem, 100vw"
        priority
      />
      <h2>How this page is served</h2>
      <ul>
        <li>The photograph comes in the format and width that your screen needs.</li>
        <li>
          This page was rendered at <time>{new Date().toUTCString()}</time>, and is stored until it is purged.
        </li>
        <li>
          Its colors and type are in the <a href="/styleguide">styleguide</a>, read from <code>site.css</code>.
        </li>
      </ul>
    </Page>
  )
}

function NotFound() {
  return (
    <Page title="Page not found">
      <h1>Page not found</h1>
      <p>
        <a href="/">Back to the first page</a>
      </p>
    </Page>
  )
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Document title={title} head={<link rel="stylesheet" href="/site.css" />}>
      <main>{children}</main>
    </Document>
  )
}

function Document({ title, head, children }: { title: string; head: ReactNode; children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {head}
      </head>
      <body>{children}</body>
    </html>
  )
}

/** Allows scripts and styles from this site only, and no inline ones. */
const policy = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

async function html(page: ReactNode, cacheControl: string, status = 200): Promise<Response> {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': cacheControl,
  }
  return new Response(await renderToReadableStream(page), { status, headers })
}

const styleguideHead = (
  <>
    <link rel="stylesheet" href="/site.css" />
    <link rel="stylesheet" href="/sitewright/styleguide.css" />
    {/* Not deferred, so that the color scheme is applied before the first paint. */}
    <script src="/sitewright/styleguide.js" />
  </>
)

/** Creates the route of the styleguide, `/styleguide`. Unless it is enabled, the route answers 404. */
export function createStyleguide(enabled: boolean) {
  const { colors, typography } = fromCssVariables(css)
  const tree = {
    title: 'Black Cañon',
    content: <p>How this site looks: its colors and type, read from site.css.</p>,
    pages: [
      { title: 'Colors', content: <ColorPage colors={colors} /> },
      { title: 'Typography', content: <TypographyPage typography={typography} /> },
    ],
  }
  return createStyleguideRoute({
    tree,
    enabled,
    notFound: () => html(<NotFound />, 'no-store', 404),
    render: ({ match, slug, prefix, query, error }) => {
      const page = (
        <Document title={match?.page.title ?? 'Page not found'} head={styleguideHead}>
          <StyleguidePage tree={tree} slug={slug} prefix={prefix} query={query} error={error} />
        </Document>
      )
      return html(page, 'no-store')
    },
  })
}
