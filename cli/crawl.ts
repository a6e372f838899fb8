import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from './arguments.js'
import { readLinks, readTags, toLinkTags, toPath } from './html.js'
import { printProgress } from './print.js'

const timeout = 60_000
const concurrency = 4
const maxAttempts = 5
// Accepts what browsers accept, so that pictures arrive in the format that most visitors get.
const headers = { Accept: 'text/html,image/avif,image/webp,*/*;q=0.8' }

/**
 * Requests paths of a site, and then the paths that they lead to, each path once. Shows the progress.
 *
 * @param startPaths The paths to request first.
 * @param limit Maximum number of paths. If there are more, a warning is printed.
 * @param redirect With `manual`, a redirect counts as a fault, and its target is requested, too.
 * @param read Reads a response with status 200. `next` lists the paths that the response leads to.
 * @returns Two maps by path: the results of `read`, and the faults, such as `answers 404`.
 */
export async function crawl<Page extends { next: readonly string[] }>(
  origin: string,
  startPaths: readonly string[],
  limit: number,
  redirect: RequestRedirect,
  read: (response: Response, path: string) => Promise<Page>,
) {
  const results = new Map<string, Page>()
  const faults = new Map<string, string>()
  const paths = new Set(startPaths)
  let count = 0
  while (count < Math.min(paths.size, limit)) {
    const batch = [...paths].slice(count, Math.min(count + concurrency, limit))
    const next = await Promise.all(batch.map((path) => visit(path).catch((error) => fail(path, error))))
    for (const path of next.flat()) paths.add(path)
    count += batch.length
    printProgress(`${count} of ${paths.size}`)
  }
  printProgress('')
  if (paths.size > count) console.error(`There are more pages than the limit of ${limit}: see --limit.`)
  return { results, faults }

  async function visit(path: string): Promise<readonly string[]> {
    const response = await request(origin + path, redirect)
    if (response.status === 200) {
      const page = await read(response, path)
      results.set(path, page)
      return page.next
    }
    await response.body?.cancel()
    const target = response.headers.get('location')
    faults.set(path, `answers ${response.status}${target ? `, to ${target}` : ''}`)
    return target ? [toPath(target, origin + path)] : []
  }

  function fail(path: string, { message, cause }: Error): string[] {
    const { message: causeMessage, code } = (cause ?? {}) as NodeJS.ErrnoException
    faults.set(path, `cannot be read: ${causeMessage || code || message}`)
    return []
  }
}

/**
 * Requests a URL as a visitor without a preferred language does. Retries after a 503 or a 504, because a picture that
 * was not ready in time may be ready a moment later.
 */
async function request(url: string, redirect: RequestRedirect, attempt = 1): Promise<Response> {
  const response = await fetch(url, { headers, redirect, signal: AbortSignal.timeout(timeout) })
  if (attempt === maxAttempts || ![503, 504].includes(response.status)) return response
  await response.body?.cancel()
  await sleep(attempt * 500)
  return request(url, redirect, attempt + 1)
}

/** A page of the site, or its sitemap. */
export type CrawledPage = Awaited<ReturnType<typeof readPage>>

/** The pages of a site, and the faults of other paths, by path. */
export type CrawledSite = Awaited<ReturnType<typeof crawlSite>>

/**
 * Crawls a site, starting from a page, the sitemap and further paths. An alternate or a sitemap entry may have another
 * origin, such as the public one. Its path is requested from the site itself, so a site can be checked before it is
 * published.
 *
 * @param limit Maximum number of pages.
 * @throws CliError when no page can be read.
 */
export async function crawlSite({ origin, pathname }: URL, paths: readonly string[], limit: number) {
  const { results, faults } = await crawl(origin, [pathname, ...paths, '/sitemap.xml'], limit, 'manual', readPage)
  if (results.size === 0) throw new CliError(`${origin}${pathname} ${faults.get(pathname)}`)
  return { pages: new Map([...results].sort(([a], [b]) => (a < b ? -1 : 1))), faults }
}

async function readPage(response: Response, path: string) {
  const type = response.headers.get('content-type') ?? ''
  const isText = /^text|xml/.test(type)
  const text = isText ? await response.text() : ''
  if (!isText) await response.body?.cancel()
  const tags = readTags(toLinkTags(response.headers.get('link') ?? '') + text)
  const page = readLinks(tags, response.url)
  const { canonical = path, alternates, links, listed } = page
  const next = [canonical, ...alternates.map(([, href]) => href), ...links, ...listed].filter((href) =>
    href.startsWith('/'),
  )
  return { ...page, path, tags: type.includes('html') ? tags : [], next }
}
