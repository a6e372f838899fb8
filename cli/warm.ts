import { readFileSync } from 'node:fs'
import { type Command, limitOf, siteOf, usageError } from './arguments.js'
import { crawl } from './crawl.js'
import { readLinks, readTags, type Tag, toPath, toUrl } from './html.js'
import { count, print } from './print.js'

/**
 * Requests the pages of a sitemap and their pictures, so that they are stored before visitors come. Prints a line for
 * each.
 */
export async function warmSite(command: Command): Promise<number> {
  const { origin, pathname } = siteOf(command)
  const { changed } = command.values
  const pages = changed === undefined ? undefined : readChanged(changed)
  const sitemap = await fetch(`${origin}/sitemap.xml`, { method: 'HEAD' }).catch(() => undefined)
  const followsLinks = pages === undefined && sitemap?.status !== 200
  const startPaths = pages ?? [followsLinks ? [] : '/sitemap.xml', pathname].flat()
  const limit = limitOf(command, '100000')
  const options = { limit, redirect: 'manual', types: /^text|xml/, isDrained: true } as const
  let hits = 0
  const { results, faults } = await crawl(origin, startPaths, options, (body, { headers, url }, path, seconds) => {
    const status = headers.get('cache-status') ?? ''
    if (status.includes('; hit')) hits++
    print([`200 ${seconds.toFixed(2).padStart(6)} s`, status, path].filter(Boolean).join('  '))
    const tags = readTags(body.toString())
    const { links, listed } = readLinks(tags, url)
    const listedPaths = pages ? [] : pathsOnDomain(listed, url)
    return { next: () => [...listedPaths, ...(followsLinks ? links : []), ...picturesOf(tags, url)] }
  })
  const findings = [...faults].map(([path, fault]) => `${path} ${fault}`)
  print(findings, `${results.size} requests, ${count(hits, 'hit')}: ${count(faults.size, 'fault')}`)
  return faults.size === 0 ? 0 : 1
}

/**
 * Returns the paths of a sitemap's URLs. It may name the public domain, also before the site is published there. URLs on
 * further domains are left out.
 */
function pathsOnDomain(urls: readonly string[], sitemap: string): string[] {
  const originOf = (url: string | undefined) => toUrl(url ?? '', sitemap)?.origin
  return urls.filter((url) => originOf(url) === originOf(urls[0])).map((url) => toPath(url, sitemap))
}

/** Returns the paths of the pages that a dry run of a purge has listed. */
function readChanged(file: string): string[] {
  try {
    const { pages } = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
    return (pages as string[]).map((page) => toPath(page, 'http://localhost'))
  } catch (error) {
    const example = "such as that of curl -X POST -H 'Authorization: Bearer …' 'https://…/api/revalidate?dry-run'"
    throw usageError(`changed: expected the JSON of a dry run with pages, ${example}, got ${(error as Error).message}`)
  }
}

/** Returns the pictures of a page that are on the site itself: each width of each `srcset`. */
function picturesOf(tags: readonly Tag[], page: string): string[] {
  const { origin } = new URL(page)
  return tags.flatMap(({ name, attributes: { src, srcset = '', imagesrcset = '' } }) => {
    const urls = [srcset, imagesrcset].flatMap((set) => set.split(/,\s+/).map((width) => width.trim().split(/\s/)[0]))
    if (name === 'img') urls.push(src)
    return urls.flatMap((href) => {
      const url = href ? toUrl(href, page) : undefined
      return url?.origin === origin ? url.pathname + url.search : []
    })
  })
}
