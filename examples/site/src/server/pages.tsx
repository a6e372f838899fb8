import { createHash } from 'node:crypto'
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

/** The content as it was published last. */
export interface Edition {
  sites: Sites
  /** Changes with the content and with the code; `undefined` while both are being worked on. */
  version: string | undefined
}

const safetyHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  // Vite's own client, in development, brings inline styles and a socket.
  ...(import.meta.env.PROD && {
    'Content-Security-Policy':
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  }),
}
export const viteClient = import.meta.env.DEV && <script type="module" src="/@vite/client" />

/**
 * Answers every path with a page, be it that there is none.
 *
 * @param origin Where the site is, for links that must be absolute.
 */
export function createPages(currentEdition: () => Edition, origin: string): Handler {
  return async (request) => {
    const { sites, version } = currentEdition()
    const { method, headers } = request
    if (method !== 'GET' && method !== 'HEAD') {
      return new Response('Method not allowed', { status: 405, headers: { Allow: 'GET, HEAD' } })
    }
    const { pathname, search } = new URL(request.url)
    const plainPath = `/${pathname.replace(/^\/+|\/+$/g, '')}`
    if (plainPath !== pathname) return new Response(null, { status: 308, headers: { Location: plainPath + search } })

    const slug = slugOf(pathname)
    const page = slug && findPage(sites, slug)
    const etag =
      page &&
      version &&
      `W/"${createHash('sha256')
        .update(version + pathname)
        .digest('base64url')}"`
    const caching = etag ? { 'Cache-Control': 'public, max-age=0, must-revalidate', ETag: etag } : noStore
    if (etag && headers.get('If-None-Match')?.includes(etag)) {
      return new Response(null, { status: 304, headers: caching })
    }
    const body = await renderPage(page ?? notFoundPage(sites, slug?.[0]), origin, request.signal)
    return new Response(body, { status: page ? 200 : 404, headers: { ...htmlHeaders, ...caching } })
  }
}

/** The answer to a page that failed before its first byte; in development it shows where. */
export async function createFailure(error: unknown): Promise<Response> {
  const body = import.meta.env.DEV ? overlayPage(error) : await renderToReadableStream(<FailurePage assets={assets} />)
  return new Response(body, { status: 500, headers: { ...htmlHeaders, ...noStore } })
}

export const htmlHeaders = { 'Content-Type': 'text/html; charset=utf-8', ...safetyHeaders }
const noStore = { 'Cache-Control': 'no-store' }

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
