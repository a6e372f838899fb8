import { CliError, usageError } from './arguments.js'
import { decodeReferences, type PageLinks, readLinks } from './html.js'

/** A page of the site. Its URLs are paths with queries, or as they were written if they are no URLs. */
interface CheckedPage extends PageLinks {
  /** Why it is no page, such as `answers 404`. */
  fault?: string | undefined
}

export interface CheckResult {
  pages: number
  alternates: number
  /** Whether there are more pages than the limit. */
  isCut: boolean
  /** A sentence for each fault. */
  findings: string[]
}

const timeout = 30_000
const concurrency = 4

/**
 * Crawls a site from its home page and its sitemap, and checks that each alternate answers 200, links back, and has the `lang` that it
 * says. URLs of any origin that alternates and the sitemap name are requested from the site itself, so that a site can be checked before
 * it is published.
 *
 * @param limit Maximum number of pages.
 * @param onPage Receives the number of pages so far.
 * @throws CliError when the site does not answer.
 */
export async function checkSite(site: string, limit: number, onPage: (count: number) => void): Promise<CheckResult> {
  const { origin, pathname } = readSite(site)
  const pages = new Map<string, CheckedPage>()
  const listed = await readSitemap(`${origin}/sitemap.xml`)
  const queue = new Set([pathname, ...listed])

  const visit = async (path: string) => {
    const page = await readPage(origin, path)
    pages.set(path, page)
    onPage(pages.size)
    const named = [page.canonical ?? path, ...page.alternates.map(([, each]) => each), ...page.links]
    for (const next of named) if (next.startsWith('/') && !pages.has(next)) queue.add(next)
  }
  while (queue.size > 0 && pages.size < limit) {
    const batch = [...queue].slice(0, Math.min(concurrency, limit - pages.size))
    for (const path of batch) queue.delete(path)
    await Promise.all(batch.map(visit))
  }

  const findings = listed.flatMap((path) =>
    pages.get(path)?.fault ? `sitemap: ${path} ${pages.get(path)?.fault}` : [],
  )
  const read = [...pages].filter(([, { fault }]) => fault === undefined)
  const checked = read.filter(([path, { canonical = path }]) => canonical === path)
  for (const [path, page] of checked) findings.push(...checkPage(path, page, pages))
  const alternates = checked.reduce((sum, [, page]) => sum + page.alternates.length, 0)
  if (alternates === 0) findings.push('no page has alternates')
  return { pages: read.length, alternates, isCut: queue.size > 0, findings }
}

/** Checks the alternates of a page. Those that were not read, because of the limit, are not checked. */
function checkPage(path: string, { alternates }: CheckedPage, pages: ReadonlyMap<string, CheckedPage>): string[] {
  const findings = alternates.flatMap(([hrefLang, target]) => {
    const other = pages.get(target)
    const name = `${path}: ${hrefLang} ${target}`
    if (!other) return target.startsWith('/') ? [] : [`${name} is no URL`]
    if (other.fault) return [`${name} ${other.fault}`]
    const isLang = hrefLang === 'x-default' || other.language === hrefLang
    const linksBack = other.alternates.some(([, each]) => each === path)
    return [
      ...(isLang ? [] : [`${name} has ${other.language ? `lang="${other.language}"` : 'no lang'}`]),
      ...(linksBack ? [] : [`${name} does not link back`]),
    ]
  })
  const isListed = alternates.some(([hrefLang, target]) => target === path && hrefLang !== 'x-default')
  return isListed || alternates.length === 0 ? findings : [...findings, `${path}: is not among its own alternates`]
}

async function readPage(origin: string, path: string): Promise<CheckedPage> {
  const nothing = { language: undefined, canonical: undefined, alternates: [], links: [] }
  const url = origin + path
  try {
    const response = await get(url)
    const { status, headers } = response
    const target = headers.get('location')
    const fault = status === 200 ? undefined : `answers ${status}${target ? `, to ${target}` : ''}`
    const isHtml = /\bhtml\b/.test(headers.get('content-type') ?? '')
    if (!isHtml) await response.body?.cancel()
    const read = isHtml ? readLinks(await response.text(), headers.get('link')) : nothing
    const own = read.links.filter((href) => toUrl(href, url)?.origin === origin)
    return {
      ...read,
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
function get(url: string): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeout) })
}

function readSite(site: string): URL {
  const url = toUrl(site, 'http://localhost')
  if (url && /^https?:/.test(site)) return url
  throw usageError(`check: expected a URL such as http://localhost:3000, got '${site}'`)
}

/** Returns a URL as seen from a page, or `undefined` if it is none. */
export function toUrl(href: string, base: string): URL | undefined {
  return URL.canParse(href, base) ? new URL(href, base) : undefined
}

/** Returns path and query of a URL of HTTP, and others as they are. */
function toPath(href: string, base: string): string {
  const url = toUrl(href, base)
  return url?.protocol.startsWith('http') ? url.pathname + url.search : href
}

/** Returns the reason for which a request failed. */
export function describe(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string; code?: string } }
  return cause?.message || cause?.code || message
}
