import type { LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import {
  createVerifier,
  InvalidPathError,
  type ProcessingOptions,
  parseImgproxyPath,
  splitSignature,
} from '../../core/image/internal.js'
import { ImageFailure, unknownSource } from './failure.js'
import type { ResolvedOptions } from './options.js'
import type { OriginalSource } from './sources/original.js'
import { createSourceRouter } from './sources/router.js'

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
