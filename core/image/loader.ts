import { warnInDevelopment } from '../development.js'
import { parseRoutePath } from '../route-path.js'
import { encodeSource, isEncodable } from './source-encoding.js'
import { createSourceNames } from './source-names.js'
import type { Sources } from './sources.js'

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
 * Creates a function that returns the image proxy's URLs. It needs no key, so it may run in the browser. However a page
 * spells a source, its URL has the one name that the proxy accepts: `/media//%31.jpg` becomes `/media/1.jpg`. A source that
 * the proxy would reject, since it is under none of the prefixes, too long, or has a query under a prefix without `?` at
 * its end, is returned unchanged; the query is warned of in development, once.
 *
 * @throws TypeError for a prefix that could match nothing.
 * @example
 * const loader = createImageLoader({ sources: ['/media/'] })
 * loader({ src: '/media/cat.jpg', width: 640 }) // '/_image/L21lZGlhL2NhdC5qcGc?width=640'
 */
export function createImageLoader({ prefix = defaultPrefix, sources }: ImageLoaderOptions): ImageLoader {
  const base = `${parseRoutePath('prefix', prefix)}/`
  const nameOf = createSourceNames(sources)
  let hasWarned = false
  const pathOf = (src: string) => {
    const { name, problem } = isEncodable(src) ? nameOf(src) : {}
    if (problem === 'query' && !hasWarned) {
      hasWarned = true
      warnInDevelopment(`Images under a prefix without '?' at its end have no query, so this is the original: ${src}`)
    }
    return name !== undefined && isEncodable(name) ? base + encodeSource(name) : ''
  }
  // A srcset asks for one source at many widths in a row: it is matched and encoded once.
  let last = { src: '', path: '' }

  return ({ src, width }) => {
    if (src !== last.src) last = { src, path: pathOf(src) }
    return last.path ? `${last.path}?width=${width}` : src
  }
}
