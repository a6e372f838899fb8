import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { CliError } from './arguments.js'
import { crawl } from './crawl.js'
import { toUrl } from './html.js'
import { rewriteCss, rewriteHtml, rewriteIndex } from './rewrite.js'

/** The file with the data of the styleguide, for programs. */
export const indexName = 'index.json'

/** A page, or a file that a page needs. */
type SiteFile = ReturnType<typeof toFile>

/** Files by the path and query of their URLs. */
export type SiteFiles = ReadonlyMap<string, SiteFile>

/**
 * Reads the linked pages at and below a URL, and the files of the same origin that these pages need.
 *
 * @param unlinked Paths of pages that no page links to.
 * @returns The files, and a sentence for each file that could not be read.
 * @throws CliError if the first page cannot be read.
 */
export async function readSiteFiles(start: URL, unlinked: readonly string[] = []) {
  const { origin } = start
  const first = addressOf(start)
  const root = first.replace(/\/$/, '')
  // Not every server has it: on Next.js it is a route of its own.
  const index = `${root}/${indexName}`
  const { results, faults } = await crawl(origin, [first, ...unlinked, index], {}, (body, response, address) => {
    const file = toFile(body, response, address === first ? start : new URL(response.url), root)
    return { ...file, next: () => addressesIn(file, origin, root) }
  })
  faults.delete(index)
  const sentences = Array.from(faults, ([address, fault]) => `${origin}${address} ${fault}`)
  if (results.has(first)) return { files: results, faults: sentences }
  throw new CliError(`${sentences[0]}\nIs the server running, and the styleguide on?`)
}

/** Returns the addresses in a file: linked pages at and below the root, and files that the file needs. */
function addressesIn({ base, body, rewrite }: SiteFile, origin: string, root: string): string[] {
  const addresses: string[] = []
  rewrite?.(body.toString(), (href, isLink) => {
    const url = toUrl(href, base)
    if (url?.origin === origin && (!isLink || isBelow(url, root))) addresses.push(addressOf(url))
  })
  return addresses
}

/** Returns the content of a file, with relative URLs to the exported files. Other URLs stay unchanged. */
export function relink({ path, base, body, rewrite }: SiteFile, files: SiteFiles): string | Buffer {
  if (!rewrite) return body
  const { origin } = new URL(base)
  return rewrite(body.toString(), (href) => {
    const url = href.startsWith('#') ? undefined : toUrl(href, base)
    const target = url?.origin === origin && files.get(addressOf(url))
    return target ? encodeURI(posix.relative(posix.dirname(path), target.path)) + url.hash : undefined
  })
}

/**
 * Returns a response as a file.
 *
 * @param url The URL for the path of the file: the target of a redirect, but for the first page the requested URL.
 */
function toFile(body: Buffer, response: Response, url: URL, root: string) {
  const type = response.headers.get('content-type') ?? ''
  const isPage = /\bhtml\b/.test(type)
  const isIndex = /\bjson\b/.test(type) && url.pathname === `${root}/${indexName}`
  const robots = response.headers.get('x-robots-tag')
  return {
    /** The path to write the file to, with forward slashes. */
    path: isIndex
      ? indexName
      : (isPage && isBelow(url, root) && !url.search && pagePath(url, root)) || filePath(url, type),
    /** The base of the relative URLs in the file. */
    base: response.url,
    body: isPage && robots ? Buffer.from(addRobots(body.toString(), robots)) : body,
    /** Replaces the URLs in the text of the file; `undefined` for a file without URLs. */
    rewrite: isIndex ? rewriteIndex : isPage ? rewriteHtml : /\bcss\b/.test(type) ? rewriteCss : undefined,
  }
}

/** Adds `X-Robots-Tag` to the page, because a static server does not send it. */
function addRobots(html: string, robots: string): string {
  return html.replace(/<head(?=[\s>])[^<>]*>/i, `$&<meta name="robots" content="${robots}"/>`)
}

// Matches names without a dot at either end, except devices of Windows.
const plainName = /^(?!\.|(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[\p{L}\p{M}\p{Nd}\p{Nl}_.-]+(?<!\.)$/u

/** Whether every file system keeps a relative path as it is: it is short, in lower case, and stays in its folder. */
export function isPlainPath(path: string): boolean {
  const isPlain = path === path.normalize().toLowerCase() && path.split('/').every((name) => plainName.test(name))
  return isPlain && Buffer.byteLength(path) < 256
}

/**
 * Returns `colors/index.html` for `/styleguide/colors`, a path that every static server finds, and a browser without a
 * server, too. Returns `undefined` if the path of another file or page could be the same.
 */
function pagePath({ pathname }: URL, root: string): string | undefined {
  const names = decodeURI(pathname.slice(root.length)).split('/').filter(Boolean)
  const path = [...names, 'index.html'].join('/')
  return isPlainPath(path) && !names.includes('index.html') ? path : undefined
}

/**
 * Returns a path with a digest of the URL. Files may have the same name, and the widths of a picture differ only in the
 * query.
 */
function filePath({ href, pathname }: URL, type: string): string {
  const known = /\bhtml\b/.test(type) ? '.html' : /\.\w{1,12}$/.exec(pathname)?.[0]
  const extension = known ?? `.${/\/(\w{1,12})/.exec(type)?.[1] ?? 'bin'}`
  const name = posix.basename(pathname, extension).replace(/[^\w-]/g, '')
  const digest = createHash('sha256').update(href).digest('hex').slice(0, 8)
  return `files/${name.slice(0, 32)}-${digest}${extension}`.toLowerCase()
}

function isBelow({ pathname }: URL, root: string): boolean {
  return `${pathname}/`.startsWith(`${root}/`)
}

function addressOf({ pathname, search }: URL): string {
  return pathname + search
}
