import { parseRoutePath } from '../route-path.js'
import { encodeSource, isEncodable } from './source-encoding.js'
import { createSourceMatcher, type Sources } from './sources.js'

/** Default of the option `prefix` of loader and proxy. */
export const defaultPrefix = '_image'

export interface ImageLoaderOptions {
  /** First path segment of image URLs, the same as the proxy's. Default `'_image'`. */
  prefix?: string | undefined
  /** Prefixes of the sources that may be resized, the same list as the proxy's; or `'any'`. */
  sources: Sources
}

/** Returns the URL of an image at a width in pixels: the shape that `next/image` expects of a loader. */
export type ImageLoader = (image: { src: string; width: number }) => string

/**
 * Creates a function that returns the image proxy's URLs. It needs no key, so it may run in the browser. A source that
 * the proxy would reject, since it is under none of the prefixes or too long, is returned unchanged.
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
