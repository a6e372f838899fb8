import { parseRoutePath } from '../route-path.js'
import { encodeSource, isEncodable } from './source-encoding.js'
import { createSourceMatcher, type Sources } from './sources.js'

/** First part of the path that the proxy answers, and the loader makes. */
export const defaultPrefix = '_image'

export interface ImageLoaderOptions {
  /** First part of the path that the proxy answers, the same as the proxy's. Default `'_image'`. */
  prefix?: string | undefined
  /** Prefixes that may be resized, the same list as the proxy's. */
  sources: Sources
}

/** Gives the URL of a picture at a width in pixels: the shape that `next/image` expects of a loader. */
export type ImageLoader = (image: { src: string; width: number }) => string

/**
 * Creates the function that makes the image proxy's URLs. It knows no key, so it may run in the browser. A source
 * under none of the prefixes, or too long, comes back as it is: the proxy would refuse it.
 *
 * @throws TypeError for a prefix that could match nothing.
 * @example
 * const loader = createImageLoader({ sources: ['/media/'] })
 * loader({ src: '/media/cat.jpg', width: 640 }) // '/_image/L21lZGlhL2NhdC5qcGc?width=640'
 */
export function createImageLoader({ prefix = defaultPrefix, sources }: ImageLoaderOptions): ImageLoader {
  const base = `${parseRoutePath('prefix', prefix)}/`
  const isAllowed = createSourceMatcher(sources)
  // A srcset asks for one source at many widths in a row: it is matched and encoded once.
  let last = { src: '', path: '' }

  return ({ src, width }) => {
    if (src !== last.src) last = { src, path: isEncodable(src) && isAllowed(src) ? base + encodeSource(src) : '' }
    return last.path ? `${last.path}?width=${width}` : src
  }
}
