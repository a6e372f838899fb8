import { CliError } from './arguments.js'
import { decodeReferences, type PageLinks, readLinks, readTags, type Tag, toLinkTags, toPath } from './html.js'
import { printProgress } from './print.js'

const timeout = 60_000
const concurrency = 4
// As browsers send it, so that pictures have the format that most visitors get.
const headers = { Accept: 'text/html,image/avif,image/webp,*/*;q=0.8' }

/**
 * Visits addresses, and the addresses that they lead to, each once. Shows the progress.
 *
 * @param limit Maximum number of visits. If there are more addresses, a warning is printed.
 * @param visit Visits an address, and returns the addresses that it leads to.
 */
export async function crawl(
  first: readonly string[],
  limit: number,
  visit: (address: string) => Promise<readonly string[]>,
): Promise<void> {
  const addresses = new Set(first)
  let count = 0
  while (count < Math.min(addresses.size, limit)) {
    const batch = [...addresses].slice(count, Math.min(count + concurrency, limit))
    const found = await Promise.all(batch.map(visit))
    for (const address of found.flat()) addresses.add(address)
    count += batch.length
    printProgress(`${count} of ${addresses.size}`)
  }
  printProgress('')
  if (addresses.size > count) console.error(`There are more pages than the limit of ${limit}: see --limit.`)
}

/** A page of the site. */
export interface CrawledPage extends PageLinks {
  path: string
  tags: readonly Tag[]
  /** Why it is not a page, such as `answers 404`. */
  fault?: string | undefined
}

/**
 * Crawls a site from one page, its sitemap and other paths. Alternates and the sitemap may name URLs of another origin.
 * These are requested from the site itself, so that a site can be checked before it is published.
 *
 * @param limit Maximum number of pages.
 * @returns The pages by their paths, and the paths of the sitemap.
 * @throws CliError when the site does not answer.
 */
export async function crawlSite(
  { origin, pathname }: URL,
  others: readonly string[],
  limit: number,
): Promise<{ pages: ReadonlyMap<string, CrawledPage>; listed: readonly string[] }> {
  const pages = new Map<string, CrawledPage>()
  const listed = await readSitemap(origin)
  await crawl([pathname, ...others, ...listed], limit, async (path) => {
    const page = await readPage(origin, path).catch((error) => {
      return { ...readLinks([], origin), path, tags: [], fault: `cannot be read: ${describe(error)}` }
    })
    pages.set(path, page)
    const named = [page.canonical ?? path, ...page.alternates.map(([, each]) => each), ...page.links]
    return named.filter((each) => each.startsWith('/'))
  })
  return { pages, listed }
}

async function readPage(origin: string, path: string): Promise<CrawledPage> {
  const url = origin + path
  const response = await get(url)
  const target = response.headers.get('location')
  const isHtml = /\bhtml\b/.test(response.headers.get('content-type') ?? '')
  if (!isHtml) await response.body?.cancel()
  const tags = isHtml ? readTags(toLinkTags(response.headers.get('link') ?? '') + (await response.text())) : []
  const page = readLinks(tags, url)
  const fault = response.status === 200 ? undefined : `answers ${response.status}${target ? `, to ${target}` : ''}`
  return { ...page, path, tags, fault, links: [...page.links, toPath(target ?? path, url)] }
}

/** Returns the paths in the sitemap. If it is an index, returns the paths in the sitemaps that it lists. */
async function readSitemap(origin: string): Promise<string[]> {
  const listed: string[] = []
  await crawl(['/sitemap.xml'], Number.POSITIVE_INFINITY, async (path) => {
    const url = origin + path
    const response = await get(url).catch((error) => {
      throw new CliError(`${url} does not answer: ${describe(error)}`)
    })
    const text = response.ok ? await response.text() : ''
    if (!response.ok) await response.body?.cancel()
    const entries = Array.from(text.matchAll(/<loc>([^<]*)<\/loc>/g), ([, loc = '']) =>
      toPath(decodeReferences(loc.trim()), url),
    )
    if (text.includes('<sitemapindex')) return entries
    listed.push(...entries)
    return []
  })
  return listed
}

/** Requests a URL like a visitor without a preferred language. */
export function get(url: string, redirect: 'manual' | 'follow' = 'manual'): Promise<Response> {
  return fetch(url, { headers, redirect, signal: AbortSignal.timeout(timeout) })
}

export function describe(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string; code?: string } }
  return cause?.message || cause?.code || message
}
