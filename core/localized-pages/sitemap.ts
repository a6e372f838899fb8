import { expectRequest, type RouteHandler } from '../handler.js'
import { streamFrom } from '../http/body.js'
import { checkFunction, checkKnownOptions, checkOrigin, required, withMethod } from '../options.js'
import { createResponse } from '../response-factory.js'
import { escapeXml } from '../xml.js'
import { linkAttributes } from './links.js'
import type { Routes } from './routes.js'

/** A page for the sitemap, which lists it in each of its languages. */
export interface SitemapPage {
  /** Path in the table, with the slug that the page has in `language`: `'/articles/house-cat'`. */
  path: string
  /** Default: the default language of the routes. */
  language?: string | undefined
  /** Date in the W3C format: `'2026-11-26'` or `'2026-11-26T16:00:00Z'`. */
  lastModified?: string | undefined
  /** For `llms.txt`. */
  title?: string | undefined
  /** For `llms.txt`: one paragraph, as text without markup. */
  summary?: string | undefined
}

export interface SitemapOptions {
  /** The result of `createRoutes`. */
  routes: Pick<Routes, 'languages' | 'findBySlug' | 'links'>
  /** Origin of the site: `'https://www.example.com'`. */
  origin: string
  /**
   * Returns all pages, in the same order each time. It is called for each request, so put the handler behind a cache.
   */
  pages: () => Iterable<SitemapPage> | AsyncIterable<SitemapPage>
}

/** The checks of {@link SitemapOptions}. */
export const sitemapChecks = {
  routes: required(withMethod('findBySlug', 'the result of createRoutes')),
  origin: required(checkOrigin),
  pages: required(checkFunction),
}

// https://www.sitemaps.org/protocol.html: 50,000 URLs, and 50 MB, which are some 250,000 lines.
const maxUrls = 50_000
const maxLines = 250_000
const namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
/** The lifetime of a list of pages. */
export const listCacheControl = 'public, max-age=0, s-maxage=3600'
const headers = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': listCacheControl }

/**
 * Creates the route of a sitemap that lists each page in each language with its alternates. The sitemap is streamed.
 * Beyond 50,000 URLs, it is an index of sitemaps at `/sitemap.xml?part=1` and so on. Returns `undefined` for other
 * paths.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * const pages = async function* () {
 *   yield* await cms.pages() // [{ path: '/about' }]
 * }
 * app.use(honoMiddleware(createSitemap({ routes, origin, pages })))
 */
export function createSitemap(options: SitemapOptions): RouteHandler {
  const { routes, origin, pages } = checkKnownOptions(
    options,
    sitemapChecks,
    'createSitemap({ routes, origin, pages })',
  )
  const count = routes.languages.length
  const perPart = Math.floor(Math.min(maxUrls, maxLines / (count + 3)) / count)

  /** Writes pages in each language. A page is looked up when it is read. */
  async function* writeUrls(listedPages: readonly SitemapPage[]) {
    for (const { path, language, lastModified } of listedPages) {
      const page = await routes.findBySlug(language, path.split('/'))
      const [, ...alternates] = routes.links(page, origin)
      const links = alternates.map((link) => `<xhtml:link ${linkAttributes(link).join(' ')}/>\n`).join('')
      const rest = lastModified ? `<lastmod>${escapeXml(lastModified)}</lastmod>\n${links}` : links
      const urls = Object.values(page.translations).map((pagePath = '') => escapeXml(origin + pagePath))
      yield urls.map((url) => `<url>\n<loc>${url}</loc>\n${rest}</url>\n`).join('')
    }
  }

  return expectRequest(async ({ url, method }) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname !== '/sitemap.xml' || (method !== 'GET' && method !== 'HEAD')) return undefined
    const part = Number(searchParams.get('part') ?? 1)
    const listedPages: SitemapPage[] = []
    let total = 0
    for await (const page of pages()) {
      if (Math.floor(total++ / perPart) === part - 1) listedPages.push(page)
    }
    if (listedPages.length === 0 && total > 0) return createResponse('Not found', { status: 404 })
    const isIndex = total > perPart && !searchParams.has('part')
    const writePart = (_: unknown, index: number) =>
      `<sitemap><loc>${origin}/sitemap.xml?part=${index + 1}</loc></sitemap>\n`
    const parts = Array.from({ length: Math.ceil(total / perPart) }, writePart)
    const xml = isIndex ? writeXml('sitemapindex', parts) : writeXml('urlset', writeUrls(listedPages))
    const read = () => xml.next() as Promise<ReadableStreamReadResult<string>>
    const body = streamFrom(read, () => {}).pipeThrough(new TextEncoderStream())
    return createResponse(method === 'HEAD' ? null : body, { headers })
  })
}

/** Writes an XML document with one root element. */
async function* writeXml(name: string, entries: Iterable<string> | AsyncIterable<string>) {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<${name} ${namespaces}>\n`
  yield* entries
  yield `</${name}>\n`
}
