import { CliError, usageError } from './arguments.js'
import { decodeReferences, type PageLinks, readLinks } from './html.js'

/** A page of the site, by its path and query. */
interface CheckedPage extends PageLinks {
  status: number
  /** Where a redirect leads. */
  target: string | undefined
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
    const named = [
      page.status === 0 ? undefined : page.target,
      page.canonical,
      ...page.alternates.map(([, href]) => href),
    ]
    const own = page.links.filter((href) => toUrl(href, origin + path)?.origin === origin)
    for (const href of [...named, ...own]) {
      const next = toPath(href, origin + path)
      if (next !== undefined && !pages.has(next)) queue.add(next)
    }
  }
  while (queue.size > 0 && pages.size < limit) {
    const batch = [...queue].slice(0, Math.min(concurrency, limit - pages.size))
    for (const path of batch) queue.delete(path)
    await Promise.all(batch.map(visit))
  }

  const faults = listed.filter((path) => pages.has(path) && pages.get(path)?.status !== 200)
  const findings = faults.map((path) => `sitemap: ${path} ${answerOf(pages.get(path))}`)
  const checked = [...pages].filter(([path, { status, canonical }]) => {
    return status === 200 && (canonical === undefined || toPath(canonical, origin + path) === path)
  })
  for (const [path, page] of checked) findings.push(...checkPage(origin + path, page, pages))
  const alternates = checked.reduce((sum, [, page]) => sum + page.alternates.length, 0)
  if (alternates === 0) findings.push('no page has alternates')
  const read = [...pages.values()].filter(({ status }) => status === 200)
  return { pages: read.length, alternates, isCut: queue.size > 0, findings }
}

/** Checks the alternates of a page. Those that were not read, because of the limit, are not checked. */
function checkPage(url: string, page: CheckedPage, pages: ReadonlyMap<string, CheckedPage>): string[] {
  const path = toPath(url, url) ?? ''
  const alternates = page.alternates.map(([hrefLang, href]) => ({ hrefLang, target: toPath(href, url) ?? href }))
  if (alternates.length === 0) return []
  const findings = alternates.flatMap(({ hrefLang, target }) => {
    const other = pages.get(target)
    const name = `${hrefLang} ${target}`
    if (!other) return URL.canParse(target, url) ? [] : [`${name} is no URL`]
    if (other.status !== 200) return [`${name} ${answerOf(other)}`]
    const isLang = hrefLang === 'x-default' || other.language === hrefLang
    const linksBack = other.alternates.some(([, href]) => toPath(href, url) === path)
    return [
      ...(isLang ? [] : [`${name} has ${other.language ? `lang="${other.language}"` : 'no lang'}`]),
      ...(linksBack ? [] : [`${name} does not link back`]),
    ]
  })
  const isListed = alternates.some(({ hrefLang, target }) => target === path && hrefLang !== 'x-default')
  if (!isListed) findings.push('is not among its own alternates')
  return findings.map((finding) => `${path}: ${finding}`)
}

function answerOf(page: CheckedPage | undefined): string {
  if (page?.status === 0) return `cannot be read: ${page.target}`
  return `answers ${page?.status}${page?.target ? `, to ${page.target}` : ''}`
}

async function readPage(origin: string, path: string): Promise<CheckedPage> {
  const nothing = { language: undefined, canonical: undefined, alternates: [], links: [] }
  try {
    const response = await get(origin + path)
    const { status, headers } = response
    const isHtml = /\bhtml\b/.test(headers.get('content-type') ?? '')
    if (!isHtml) await response.body?.cancel()
    const read = isHtml ? readLinks(await response.text(), headers.get('link')) : nothing
    return { ...read, status, target: headers.get('location') ?? undefined }
  } catch (error) {
    return { ...nothing, status: 0, target: describe(error) }
  }
}

/** Returns the paths of a sitemap, and of those that an index lists. */
async function readSitemap(url: string): Promise<string[]> {
  const response = await get(url).catch((error) => {
    throw new CliError(`${url} does not answer: ${describe(error)}`)
  })
  const text = response.ok ? await response.text() : ''
  if (!response.ok) await response.body?.cancel()
  const entries = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].flatMap(([, loc = '']) => {
    return toPath(decodeReferences(loc.trim()), url) ?? []
  })
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

function toUrl(href: string, base: string): URL | undefined {
  return URL.canParse(href, base) ? new URL(href, base) : undefined
}

/** Returns path and query of a URL; `undefined` if it is not of HTTP. */
function toPath(href: string | undefined, base: string): string | undefined {
  const url = href === undefined ? undefined : toUrl(href, base)
  return url?.protocol.startsWith('http') ? url.pathname + url.search : undefined
}

function describe(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string; code?: string } }
  return cause?.message || cause?.code || message
}
