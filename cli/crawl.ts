import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from './arguments.js'
import { readLinks, readTags, toLinkTags, toPath, toUrl } from './html.js'
import { printError, printProgress } from './print.js'

const concurrency = 4
/** Longer pages are read up to this length. */
const maxPageBytes = 2 * 1024 ** 2
const maxBodyBytes = 64 * 1024 ** 2
/** Maximum length of all bodies together. */
const maxTotalBytes = 1024 ** 3
// Accepts the formats of browsers, so that pictures arrive in the format that most visitors get.
const headers = { Accept: 'text/html,image/avif,image/webp,*/*;q=0.8' }

/**
 * Requests paths of a site, and then the paths that they lead to, each path once. Shows the progress.
 *
 * @param startPaths The paths to request first.
 * @param limit Maximum number of paths. If there are more, a warning is printed. Default: 100,000.
 * @param redirect With `manual`, a redirect counts as a fault, and its target is requested, too. Default: `follow`.
 * @param read Reads a response with status 200, and its body unless that is longer than 64 MiB. `next` returns the paths
 *   that the response leads to.
 * @param types The media types of bodies to read. A body of another type is empty.
 * @param isDrained Whether bodies of other types are received to their end, too, so that the site can store them.
 * @returns Two maps by path: the results of `read`, and the faults, such as `answers 404`.
 * @throws CliError if all bodies together are longer than 1 GiB.
 */
export async function crawl<Page extends { next: () => string[] }>(
  origin: string,
  startPaths: readonly string[],
  options: { limit?: number; redirect?: RequestRedirect; types?: RegExp; isDrained?: boolean },
  read: (body: Buffer, response: Response, path: string, seconds: number) => Page,
) {
  const { limit = 100_000, redirect, types = /(?:)/, isDrained } = options
  const results = new Map<string, Omit<Page, 'next'>>()
  const faults = new Map<string, string>()
  const paths = new Set(startPaths)
  let count = 0
  let totalBytes = 0
  while (count < Math.min(paths.size, limit) && totalBytes < maxTotalBytes) {
    const batch = [...paths].slice(count, Math.min(count + concurrency, limit))
    const next = await Promise.all(batch.map((path) => visit(path).catch((error) => fail(path, error))))
    for (const path of next.flat()) if (paths.size <= limit && path.startsWith('/')) paths.add(path)
    count += batch.length
    printProgress(`${count} of ${paths.size}`)
  }
  printProgress('')
  if (totalBytes >= maxTotalBytes) throw new CliError(`${origin} has more than 1 GB`)
  if (paths.size > count) printError(`There are more pages than the limit of ${limit}: see --limit.`)
  return { results, faults }

  async function visit(path: string): Promise<readonly string[]> {
    const began = performance.now()
    const response = await request(origin + path, redirect)
    if (response.status === 200) {
      const body = await readBody(response)
      const { next, ...page } = read(body, response, path, (performance.now() - began) / 1000)
      results.set(path, page)
      return paths.size <= limit ? next() : []
    }
    await response.body?.cancel()
    const target = response.headers.get('location')
    faults.set(path, `answers ${response.status}${target ? `, to ${target}` : ''}`)
    return target ? [toPath(target, origin + path)] : []
  }

  async function readBody({ headers, body }: Response): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of body ?? []) {
      const isRead = types.test(headers.get('content-type') ?? '')
      if (!isRead && isDrained) continue
      if (!isRead) break
      chunks.push(chunk)
      // Each chunk takes memory of its own, and a site may send single bytes.
      bytes += chunk.length + 100
      totalBytes += chunk.length + 100
      if (bytes > maxBodyBytes) throw new Error('more than 64 MB')
    }
    return Buffer.concat(chunks)
  }

  function fail(path: string, error: Error): string[] {
    const { message: causeMessage, code } = (error.cause ?? {}) as NodeJS.ErrnoException
    faults.set(path, `cannot be read: ${causeMessage || code || error.message}`)
    return []
  }
}

/**
 * Requests a URL as a visitor without a preferred language does. Retries after a 503 or a 504, because a picture that
 * was not ready in time may be ready a moment later.
 */
async function request(url: string, redirect: RequestRedirect = 'follow', attempt = 1): Promise<Response> {
  const response = await fetch(url, { headers, redirect, signal: AbortSignal.timeout(60_000) })
  if (attempt === 5 || ![503, 504].includes(response.status)) return response
  await response.body?.cancel()
  await sleep(attempt * 500)
  return request(url, redirect, attempt + 1)
}

/** The pages of a site, and the faults of other paths, by path. */
export type CrawledSite = Awaited<ReturnType<typeof crawlSite>>

/** A page of the site, or its sitemap. */
export type CrawledPage = NonNullable<ReturnType<CrawledSite['pages']['get']>>

/**
 * Crawls a site, starting from a page, the sitemap and further paths. An alternate or a sitemap entry may have another
 * origin, such as the public one. Its path is requested from the site itself, so a site can be checked before it is
 * published.
 *
 * @param limit Maximum number of pages.
 * @param hasHtml Whether each page has its HTML. By default, it is not kept.
 * @throws CliError when no page can be read.
 */
export async function crawlSite({ origin, pathname }: URL, paths: readonly string[], limit: number, hasHtml = false) {
  // A sitemap is read after a page, which says at which origins the site is published.
  const origins = new Set([origin])
  const startPaths = [pathname, ...paths]
  const options = { limit, redirect: 'manual', types: /^text|xml/ } as const
  const { results, faults } = await crawl(origin, startPaths, options, (body, { headers, url }, path) => {
    const html = toLinkTags(headers.get('link') ?? '') + body.toString('utf8', 0, maxPageBytes)
    const page = readLinks(readTags(html), url)
    for (const own of page.origins) origins.add(own)
    const isOwn = (href: string) => origins.size === 1 || origins.has(toUrl(href, url)?.origin ?? origin)
    const listed = page.listed.map((href) => (isOwn(href) ? toPath(href, url) : href))
    const { canonical, alternates, markdown } = page
    const own = [canonical ?? path, markdown ?? path]
    const isMarkdown = headers.get('content-type')?.startsWith('text/markdown') ?? false
    const language = isMarkdown ? headers.get('content-language')?.toLowerCase() : page.language
    const titles = isMarkdown ? [/^# (.*)/m.exec(body.toString())?.[1] ?? ''] : page.titles
    return {
      path,
      html: hasHtml && headers.get('content-type')?.includes('html') ? html : '',
      // Copies the texts, because a part of a text keeps all of it in memory.
      ...structuredClone({ language, canonical, alternates, listed, markdown, titles, isMarkdown }),
      next: () => [...own, ...alternates.map(([, href]) => href), ...page.links, ...listed, '/sitemap.xml'],
    }
  })
  if (results.size === 0) throw new CliError(`${origin}${pathname} ${faults.get(pathname)}`)
  return { pages: new Map([...results].sort(([a], [b]) => (a < b ? -1 : 1))), faults }
}
