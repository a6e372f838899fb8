import { renderToReadableStream } from 'react-dom/server'
import type { Handler } from 'sitewright/image'
import { overlayPage } from '../../serve/overlay.js'
import type { Sites } from '../content/site.ts'
import { Document } from '../document.tsx'
import { FailurePage } from '../pages/failure.tsx'
import { findPage, notFoundPage, type Page } from '../routes.ts'
import { assets } from '../vite-assets.ts'
import { loadImage } from './images.ts'
import { Picture } from './picture.tsx'

/** The headers of a page; `ancestors`: who may show it in a frame. */
function headersOfHtml(ancestors: "'none'" | "'self'") {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    // Vite's own client, in development, brings inline styles and a socket.
    ...(import.meta.env.PROD && {
      'Content-Security-Policy': `default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors ${ancestors}; object-src 'none'`,
    }),
  }
}

export const htmlHeaders = headersOfHtml("'none'")
/** For pages that the site shows in frames of its own: the components of its styleguide. */
export const framedHtmlHeaders = headersOfHtml("'self'")
const noStore = { 'Cache-Control': 'no-store' }
// Browsers ask each time; the cache of this server, and a CDN, keep a page until its tag is purged, or for a day.
const untilPublished = { 'Cache-Control': 'public, max-age=0, s-maxage=86400, stale-if-error=604800' }
export const viteClient = import.meta.env.DEV && <script type="module" src="/@vite/client" />

/**
 * Answers every path with a page, be it that there is none.
 *
 * @param readSites Gives the content as it was published last.
 * @param origin Where the site is, for links that must be absolute.
 */
export function createPages(readSites: () => Promise<Sites>, origin: string): Handler {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response('Method not allowed', { status: 405, headers: { Allow: 'GET, HEAD' } })
    }
    const { pathname, search } = new URL(request.url)
    const plainPath = `/${pathname.replace(/^\/+|\/+$/g, '')}`
    if (plainPath !== pathname) return new Response(null, { status: 308, headers: { Location: plainPath + search } })

    const sites = await readSites()
    const slug = slugOf(pathname)
    const page = slug && findPage(sites, slug)
    const body = await renderPage(page ?? notFoundPage(sites, slug?.[0]), origin, request.signal)
    const headers = { ...htmlHeaders, ...(page && import.meta.env.PROD ? untilPublished : noStore) }
    return new Response(body, { status: page ? 200 : 404, headers })
  }
}

/** The answer to a page that failed before its first byte; in development it shows where. */
export async function createFailure(error: unknown): Promise<Response> {
  const body = import.meta.env.DEV ? overlayPage(error) : await renderToReadableStream(<FailurePage assets={assets} />)
  return new Response(body, { status: 500, headers: { ...htmlHeaders, ...noStore } })
}

/** `['de', 'about']` of `/de/about`, `['en', 'about']` of `/about`; none of a path that writes the default language. */
function slugOf(pathname: string): string[] | undefined {
  const segments = pathname.split('/').filter(Boolean)
  if (segments[0] === 'en') return undefined
  return segments[0] === 'de' ? segments : ['en', ...segments]
}

function renderPage(page: Page, origin: string, signal: AbortSignal): Promise<ReadableStream> {
  const share = page.kind === 'article' ? page.article.photograph : page.site.home.cover.photograph
  return renderToReadableStream(
    <Document
      page={page}
      Picture={Picture}
      assets={assets}
      origin={origin}
      shareImage={loadImage({ src: share.src, width: 1200 })}
    >
      {viteClient}
    </Document>,
    { signal },
  )
}
