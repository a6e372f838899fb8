import { CliError, usageError } from './arguments.js'
import { decodeReferences, type PageLinks, readLinks } from './html.js'

/** A page of the site. Its URLs are paths with queries, or as they were written if they are no URLs. */
export interface CrawledPage extends PageLinks {
  /** Why it is no page, such as `answers 404`. */
  fault?: string | undefined
}

/** Receives each page: its number, path and HTML. */
export type OnPage = (count: number, path: string, html: string) => void

const timeout = 30_000
const concurrency = 4

/**
 * Crawls a site from one page, its sitemap and other paths. URLs of any origin that alternates and the sitemap name are requested
 * from the site itself, so that a site can be checked before it is published.
 *
 * @param limit Maximum number of pages.
 * @returns The pages, the paths of the sitemap, and whether there are more pages than the limit.
 * @throws CliError when the site does not answer.
 */
export async function crawlSite(
  { origin, pathname }: URL,
  others: readonly string[],
  limit: number,
  onPage: OnPage,
): Promise<{ pages: ReadonlyMap<string, CrawledPage>; listed: readonly string[]; isCut: boolean }> {
  const pages = new Map<string, CrawledPage>()
  const listed = await readSitemap(`${origin}/sitemap.xml`)
  const queue = new Set([pathname, ...others, ...listed])
  const seen = new Set(queue)

  const visit = async (path: string) => {
    const { html, ...page } = await readPage(origin, path)
    pages.set(path, page)
    onPage(pages.size, path, page.fault === undefined ? html : '')
    const named = [page.canonical ?? path, ...page.alternates.map(([, each]) => each), ...page.links]
    for (const next of named) if (next.startsWith('/') && seen.size < seen.add(next).size) queue.add(next)
  }
  while (queue.size > 0 && pages.size < limit) {
    const batch = [...queue].slice(0, Math.min(concurrency, limit - pages.size))
    for (const path of batch) queue.delete(path)
    await Promise.all(batch.map(visit))
  }
  return { pages, listed, isCut: queue.size > 0 }
}

async function readPage(origin: string, path: string): Promise<CrawledPage & { html: string }> {
  const nothing = { language: undefined, canonical: undefined, alternates: [], links: [], html: '' }
  const url = origin + path
  try {
    const response = await get(url)
    const { status, headers } = response
    const target = headers.get('location')
    const fault = status === 200 ? undefined : `answers ${status}${target ? `, to ${target}` : ''}`
    const isHtml = /\bhtml\b/.test(headers.get('content-type') ?? '')
    if (!isHtml) await response.body?.cancel()
    const html = isHtml ? await response.text() : ''
    const read = readLinks(html, isHtml ? headers.get('link') : null)
    const own = read.links.filter((href) => toUrl(href, url)?.origin === origin)
    return {
      ...read,
      html,
      fault,
      canonical: read.canonical && toPath(read.canonical, url),
      alternates: read.alternates.map(([hrefLang, href]) => [hrefLang, toPath(href, url)]),
      links: [...own, target ?? url].map((href) => toPath(href, url)),
    }
  } catch (error) {
    return { ...nothing, fault: `cannot be read: ${describe(error)}` }
  }
}

/** Returns the paths of a sitemap, and of those that an index lists. */
async function readSitemap(url: string): Promise<string[]> {
  const response = await get(url).catch((error) => {
    throw new CliError(`${url} does not answer: ${describe(error)}`)
  })
  const text = response.ok ? await response.text() : ''
  if (!response.ok) await response.body?.cancel()
  const entries = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) =>
    toPath(decodeReferences(loc.trim()), url),
  )
  if (!text.includes('<sitemapindex')) return entries
  const parts: string[] = []
  for (const part of entries) parts.push(...(await readSitemap(new URL(part, url).href)))
  return parts
}

/** Requests a URL as a visitor without preferences does, and follows no redirect. */
export function get(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeout) })
}

/**
 * Reads the URL of a site.
 *
 * @param command The command, for the error.
 */
export function readSite(command: string, site: string): URL {
  const url = toUrl(site, 'http://localhost')
  if (url && /^https?:/.test(site)) return url
  throw usageError(`${command}: expected a URL such as http://localhost:3000, got '${site}'`)
}

export function toUrl(href: string, base: string): URL | undefined {
  return URL.canParse(href, base) ? new URL(href, base) : undefined
}

/** Returns path and query of a URL of HTTP, and others as they are. */
function toPath(href: string, base: string): string {
  const url = toUrl(href, base)
  return url?.protocol.startsWith('http') ? url.pathname + url.search : href
}

export function describe(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string; code?: string } }
  return cause?.message || cause?.code || message
}
