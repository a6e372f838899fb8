import { renderToReadableStream } from 'react-dom/server'
import type { Handler, Images } from 'sitewright/image'
import { createLlmsTxt, createMarkdown, createSitemap, markdownLink } from 'sitewright/localized-pages'
import { overlayPage } from '../../serve/overlay.js'
import type { createSiteRoutes } from '../content/languages.ts'
import type { Sites } from '../content/site.ts'
import { Document } from '../document.tsx'
import { pageMarkdown } from '../page-markdown.ts'
import { FailurePage } from '../pages/failure.tsx'
import { findPage, notFoundPage, type Page, sitePages, siteSummary } from '../routes.ts'
import { assets } from '../vite-assets.ts'
import { createCard } from './card.ts'
import { Picture } from './picture.tsx'

/**
 * Returns the headers of a page.
 *
 * @param ancestors Origins that may show the page in a frame.
 */
function createHtmlHeaders(ancestors: "'none'" | "'self'") {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    // Not in development, where Vite's client needs inline styles and a socket.
    ...(import.meta.env.PROD && {
      'Content-Security-Policy': `default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors ${ancestors}; object-src 'none'`,
    }),
  }
}

/** Whether the styleguide measures the site's pages, in frames: in development, and in a preview. */
export const xRay = import.meta.env.DEV || process.env.STYLEGUIDE_XRAY === 'true'
export const htmlHeaders = createHtmlHeaders(xRay ? "'self'" : "'none'")
/** For pages that the site shows in its own frames: the components in its styleguide. */
export const framedHtmlHeaders = createHtmlHeaders("'self'")
const noStore = { 'Cache-Control': 'no-store' }
// Browsers always revalidate; this server's cache and a CDN store a page for a day, or until its tag is purged.
const untilPublished = { 'Cache-Control': 'public, max-age=0, s-maxage=86400, stale-if-error=604800' }
export const viteClient = import.meta.env.DEV && <script type="module" src="/@vite/client" />

/**
 * Creates a handler for the sitemap and the pages. Unknown paths get a not-found page.
 *
 * @param readSites Returns the latest published content.
 * @param origin Origin of the site, for absolute links.
 * @param images Draw the social cards.
 */
export function createPages(
  readSites: () => Promise<Sites>,
  routes: ReturnType<typeof createSiteRoutes>,
  origin: string,
  images: Images,
): Handler {
  const pages = async function* () {
    yield* sitePages(await readSites())
  }
  const sitemap = createSitemap({ routes, origin, pages })
  const llmsTxt = createLlmsTxt({ routes, origin, pages, ...siteSummary })
  const lifetime = import.meta.env.PROD ? untilPublished : noStore
  const markdown = createMarkdown(routes, async (localized) => {
    const page = findPage(await readSites(), localized)
    return page && new Response(pageMarkdown(page), { headers: { ...lifetime, 'X-Content-Type-Options': 'nosniff' } })
  })
  const handlePage = routes.handler(async (localized, request) => {
    const sites = await readSites()
    const page = findPage(sites, localized)
    const body = await renderPage(page ?? notFoundPage(sites, localized), origin, images, request.signal)
    const headers = { ...htmlHeaders, ...(page ? { ...lifetime, Link: markdownLink(localized.path) } : noStore) }
    return new Response(body, { status: page ? 200 : 404, headers })
  })
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response('Method not allowed', { status: 405, headers: { Allow: 'GET, HEAD' } })
    }
    return (await sitemap(request)) ?? (await llmsTxt(request)) ?? (await markdown(request)) ?? handlePage(request)
  }
}

/** Creates the response for a page that failed before its first byte. In development it shows the stack. */
export async function createFailure(error: unknown): Promise<Response> {
  const body = import.meta.env.DEV ? overlayPage(error) : await renderToReadableStream(<FailurePage assets={assets} />)
  return new Response(body, { status: 500, headers: { ...htmlHeaders, ...noStore } })
}

function renderPage(page: Page, origin: string, images: Images, signal: AbortSignal): Promise<ReadableStream> {
  return renderToReadableStream(
    <Document page={page} Picture={Picture} assets={assets} origin={origin} card={createCard(page, images, origin)}>
      {viteClient}
    </Document>,
    { signal },
  )
}
