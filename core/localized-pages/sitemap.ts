import { expectRequest, type RouteHandler } from '../handler.js'
import { streamFrom } from '../http/body.js'
import { optionError } from '../option-error.js'
import { checkFunction, checkKnownOptions, checkString, type OptionCheck, required, withMethod } from '../options.js'
import { createResponse } from '../response-factory.js'
import { escapeXml, linkToXml } from './links.js'
import type { Routes, Slugs } from './types.js'

/** A page for the sitemap, which lists it in each of its languages. */
export interface SitemapPage<Language extends string = string, Path extends string = string> {
  /** Path in the table, with the slug that the page has in `language`: `'/articles/house-cat'`. */
  path: Path
  /** Default: the default language of the routes. */
  language?: Language | undefined
  /** Slugs in all languages, instead of a lookup for each page. */
  slugs?: Slugs<Language> | undefined
  /** In the form of W3C: `'2026-11-26'` or `'2026-11-26T16:00:00Z'`. */
  lastModified?: string | undefined
}

export interface SitemapOptions<Language extends string = string, Path extends string = string> {
  routes: Pick<Routes<Language>, 'languages' | 'default' | 'findBySlug' | 'links'>
  /** Origin of the site: `'https://www.example.com'`. */
  origin: string
  /** Returns all pages, in the same order each time. It is called for each request, so put the handler behind a cache. */
  pages: () => Iterable<SitemapPage<Language, Path>> | AsyncIterable<SitemapPage<Language, Path>>
  /** Path of the sitemap. Default `'/sitemap.xml'`. */
  path?: string | undefined
}

const checkOrigin: OptionCheck<string> = (option, value) => {
  if (typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value) return value
  throw optionError(option, "an origin such as 'https://www.example.com', without a slash at its end", value)
}

const checks = {
  routes: required(withMethod('findBySlug', 'the result of createRoutes')),
  origin: required(checkOrigin),
  pages: required(checkFunction),
  path: checkString,
}

// https://www.sitemaps.org/protocol.html: 50,000 URLs, and 50 MB, which are some 250,000 lines.
const maxUrls = 50_000
const maxLines = 250_000
const namespaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
const headers = {
  'Content-Type': 'application/xml; charset=utf-8',
  'Cache-Control': 'public, max-age=0, s-maxage=3600',
}

/**
 * Creates the route of a sitemap that lists each page in each language with its alternates. It is streamed. Beyond 50,000 URLs, it
 * is an index of sitemaps at `/sitemap.xml?part=1` and so on. Returns `undefined` for other paths.
 *
 * @throws TypeError that names the malformed option.
 * @example app.use(honoMiddleware(createSitemap({ routes, origin, pages: () => cms.pages() })))
 */
export function createSitemap<Language extends string, Path extends string>(
  options: SitemapOptions<Language, Path>,
): RouteHandler {
  checkKnownOptions(options, checks, 'createSitemap({ routes, origin, pages })')
  const { routes, origin, pages, path = '/sitemap.xml' } = options as unknown as SitemapOptions
  const count = routes.languages.length
  const perPart = Math.floor(Math.min(maxUrls / count, maxLines / (count * (count + 3))))

  /** Writes a page in each language. */
  const writePage = async ({ path, language = routes.default, slugs, lastModified }: SitemapPage) => {
    const page = await routes.findBySlug(language, path.split('/'), slugs)
    const [, ...alternates] = routes.links(page, origin)
    const links = alternates.map((link) => `<xhtml:link ${linkToXml(link)}/>\n`).join('')
    const rest = lastModified ? `<lastmod>${escapeXml(lastModified)}</lastmod>\n${links}` : links
    const urls = Object.values(page.translations).map((each = '') => escapeXml(origin + each))
    return urls.map((url) => `<url>\n<loc>${url}</loc>\n${rest}</url>\n`).join('')
  }
  const writePart = (part: number) => `<sitemap><loc>${escapeXml(origin + path)}?part=${part}</loc></sitemap>\n`

  return expectRequest(async ({ url, method }) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname !== path || (method !== 'GET' && method !== 'HEAD')) return undefined
    const part = Number(searchParams.get('part') ?? 1)
    const listed: SitemapPage[] = []
    let total = 0
    for await (const page of pages()) {
      if (Math.floor(total++ / perPart) === part - 1) listed.push(page)
    }
    if (listed.length === 0 && total > 0) return createResponse('Not found', { status: 404 })
    const isIndex = total > perPart && !searchParams.has('part')
    const parts = Array.from({ length: Math.ceil(total / perPart) }, (_, index) => () => writePart(index + 1))
    const urls = listed.map((page) => () => writePage(page))
    const body = isIndex ? streamXml('sitemapindex', parts) : streamXml('urlset', urls)
    return createResponse(method === 'HEAD' ? null : body, { headers })
  })
}

/** Streams an element. Each entry is written when it is read. */
function streamXml(name: string, entries: readonly (() => string | Promise<string>)[]) {
  const start = `<?xml version="1.0" encoding="UTF-8"?>\n<${name} ${namespaces}>\n`
  const pieces = [() => start, ...entries, () => `</${name}>\n`].values()
  const encoder = new TextEncoder()
  const read = async (): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> => {
    const { value: write } = pieces.next()
    return write ? { done: false, value: encoder.encode(await write()) } : { done: true, value: undefined }
  }
  return streamFrom(read, () => {})
}
