import { LRUCache } from 'lru-cache'
import { createVerifier } from '../../../core/image/index.js'
import {
  InvalidPathError,
  type ProcessingOptions,
  parseImgproxyPath,
  splitSignature,
} from '../../../core/image/internal.js'
import { ImageFailure, unknownSource } from '../failure.js'
import type { ResolvedOptions } from '../options.js'
import type { OriginalSource } from '../sources/original-source.js'
import { createSourceRouter } from '../sources/router.js'

/** What a URL asks for. */
export interface ImageRequest {
  options: ProcessingOptions
  /** Path or URL of the original, as the site wrote it. */
  source: string
  original: OriginalSource
}

const maxParsed = 1_000

/**
 * Creates a function that parses the path of a URL. The signature is checked first, so that nobody can probe what this
 * service knows. The function throws an {@link ImageFailure}: 403 for an invalid signature, 404 for an invalid path or
 * an unknown source. It remembers 1,000 paths that were valid: who sends one of them has its signature.
 *
 * @throws TypeError for malformed keys or sources.
 */
export function createRequestParser(settings: ResolvedOptions): (pathname: string) => ImageRequest {
  const verify = createVerifier(settings.keys)
  const findOriginal = createSourceRouter({
    sources: settings.sources,
    allowNetworks: settings.allowNetworks,
    maxBytes: settings.maxSourceBytes,
    timeout: settings.sourceTimeout,
    digestTtl: settings.remoteMaxAge * 1000,
    lookup: settings.lookup,
  })
  const parse = (pathname: string): ImageRequest => {
    const signed = splitSignature(pathname)
    if (!signed) throw invalidUrl('expected /{signature}/{options}/{source}')
    if (!verify(signed.signature, signed.path)) throw new ImageFailure(403, 'Invalid signature')
    const { source, options } = parsePath(signed.path)
    const original = findOriginal(source)
    if (!original) throw unknownSource()
    return { source, options, original }
  }
  const parsed = new LRUCache<string, ImageRequest>({ max: maxParsed, memoMethod: parse })
  return (pathname) => parsed.memo(pathname)
}

function parsePath(path: string) {
  try {
    return parseImgproxyPath(path)
  } catch (error) {
    throw error instanceof InvalidPathError ? invalidUrl(error.message) : error
  }
}

function invalidUrl(reason: string): ImageFailure {
  return new ImageFailure(404, `Invalid URL: ${reason}`)
}
