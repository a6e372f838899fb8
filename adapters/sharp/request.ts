import { statSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import {
  createSourceMatcher,
  createVerifier,
  InvalidPathError,
  type ProcessingOptions,
  parseImgproxyPath,
  splitSignature,
} from '../../core/image/internal.js'
import { optionError } from '../../core/option-error.js'
import { ImageFailure, unknownSource } from './failure.js'
import type { ResolvedOptions } from './options.js'
import { createFileSource } from './sources/file.js'
import type { OriginalSource } from './sources/original.js'
import { createRemoteSource } from './sources/remote.js'

/** The image that a URL asks for. */
export interface ImageRequest {
  options: ProcessingOptions
  /** Path or URL of the original, as the site wrote it. */
  source: string
  original: OriginalSource
}

// As in imgproxy Pro: https://docs.imgproxy.net/usage/getting_info. It cannot be a signature, because signatures have
// 43 characters.
const infoPrefix = '/info/'

/**
 * Creates a function that parses the path of a URL. The signature is checked first, so strangers cannot probe which
 * sources this service knows. The function throws an {@link ImageFailure}: 403 for an invalid signature, 404 for an
 * invalid path or an unknown source. It remembers up to 1,000 valid paths, each of which contains its signature.
 *
 * @throws TypeError for malformed keys or sources.
 */
export function createRequestParser(
  settings: ResolvedOptions,
  lookup?: LookupFunction,
): (pathname: string) => ImageRequest {
  const verify = createVerifier(settings.keys)
  const findOriginal = createSourceRouter(settings, lookup)
  const parse = (pathname: string): ImageRequest => {
    const isInfo = pathname.startsWith(infoPrefix)
    const signed = splitSignature(isInfo ? pathname.slice(infoPrefix.length - 1) : pathname)
    // The signature of an image is not valid for a description.
    if (isInfo && signed?.path.includes(':')) throw invalidUrl('expected /info/{signature}/{source}')
    if (!signed) throw invalidUrl('expected /{signature}/{options}/{source}')
    if (!verify(signed.signature, signed.path)) throw new ImageFailure(403, 'Invalid signature')
    try {
      const { source, options } = parseImgproxyPath(signed.path)
      const original = findOriginal(source)
      if (original) return { source, options: isInfo ? { ...options, format: 'json' } : options, original }
    } catch (error) {
      throw error instanceof InvalidPathError ? invalidUrl(error.message) : error
    }
    throw unknownSource()
  }
  const parsed = new LRUCache<string, ImageRequest>({ max: 1_000, memoMethod: parse })
  return (pathname) => parsed.memo(pathname)
}

function invalidUrl(reason: string): ImageFailure {
  return new ImageFailure(404, `Invalid URL: ${reason}`)
}

const siteOrigin = 'http://site.invalid'

/**
 * Creates a function that finds the original of a source; it returns `undefined` for a source outside of the prefixes.
 * Where prefixes overlap, the longest one wins. Paths are percent-encoded as in URLs, but literal after `local://`, as
 * in imgproxy, up to the first `?`. Queries are ignored.
 *
 * @throws TypeError for a prefix that matches nothing, a folder that does not exist, a path without a folder, or a
 *   URL with a folder.
 * @param lookup Resolves the host names of remote sources. Default: `dns.lookup`.
 * @example createSourceRouter({ ...options, sources: { '/media/': './public/media' } })('local:///media/cat.jpg')
 */
function createSourceRouter(
  options: ResolvedOptions,
  lookup?: LookupFunction,
): (source: string) => OriginalSource | undefined {
  const { sources } = options
  const isAllowed = createSourceMatcher(Object.keys(sources))
  const folders = Object.entries(sources)
    .filter(([prefix, target]) => checkSource(prefix, target) === 'folder')
    .map(([prefix, folder]) => createFolderRoute(prefix, folder as string, options))
    .sort((a, b) => b.base.length - a.base.length)
  const locateRemote = createRemoteSource(options, isAllowed, lookup)

  return (given) => {
    const literal = /^local:\/\/(\/[^?]*)/i.exec(given)?.[1]
    const source = literal === undefined ? given : literal.split('/').map(encodeURIComponent).join('/')
    if (!isAllowed(source)) return undefined
    if (!source.startsWith('/')) return locateRemote(new URL(source).href)
    return folders.find(({ isUnder }) => isUnder(source))?.locate(source)
  }
}

function createFolderRoute(prefix: string, folder: string, { maxSourceBytes }: ResolvedOptions) {
  const base = `${new URL(siteOrigin + prefix).pathname.replace(/\/$/, '')}/`
  const depth = base.split('/').length - 1
  const locateFile = createFileSource(resolve(folder), maxSourceBytes)
  return {
    base,
    isUnder: createSourceMatcher([prefix]),
    // Decoded only once; the matcher has checked that each segment decodes to a plain file name. The prefix is cut off
    // by its number of segments, because the source may escape them differently.
    locate: (source: string) =>
      locateFile(decodeURIComponent(new URL(siteOrigin + source).pathname.split('/').slice(depth).join('/'))),
  }
}

function checkSource(prefix: string, target: string | true): 'folder' | 'remote' {
  const option = `sources['${prefix}']`
  const isPath = prefix.startsWith('/')
  if (!isPath && !/^https?:\/\//i.test(prefix)) {
    throw optionError('sources', "a path such as '/media/' or an http(s) URL", prefix)
  }
  if (isPath && (typeof target !== 'string' || target === '')) {
    throw optionError(option, "a folder such as './public/media', since this is a path", target)
  }
  if (!isPath && target !== true) {
    throw optionError(option, 'true, since this is a URL', target, "a folder belongs to a path such as '/media/'")
  }
  if (isPath && !statSync(target as string, { throwIfNoEntry: false })?.isDirectory()) {
    throw optionError(option, 'a folder', target, `looked for ${resolve(target as string)}`)
  }
  return isPath ? 'folder' : 'remote'
}
