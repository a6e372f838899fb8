import { optionError } from '../option-error.js'
import { checkKnownOptions, type OptionCheck, type OptionChecks, required, unchecked } from '../options.js'
import { parseRoutePath } from '../routes.js'
import {
  formatImageQuery,
  type ImageShape,
  type ParameterOptions,
  parameterChecks,
  parametersOf,
} from './parameters.js'
import { createSourceNames } from './source-names.js'
import type { Sources } from './sources.js'
import { checkWidths, defaultPrefix, defaultWidths, encodeSource, isEncodable } from './url.js'
import { checkVersionPrefixes } from './versions.js'
import { createLoaderWarnings } from './warnings.js'

// Declared here because core does not depend on Node's types.
declare const process: { env: Readonly<Partial<Record<string, string>>> } | undefined

export interface ImageLoaderOptions extends ParameterOptions {
  /** First path segment of image URLs, the same for loader and proxy. Default `'_image'`. */
  prefix?: string | undefined
  /** Prefixes of the sources that may be resized, or `'any'`. The same for loader and proxy. */
  sources: Sources
}

/** The options that the loader shares with the proxy. Other options, such as a key, must not reach browsers. */
export const loaderChecks: OptionChecks<ImageLoaderOptions> = /* @__PURE__ */ Object.assign(
  { prefix: parseRoutePath, sources: /* @__PURE__ */ required(unchecked) },
  parameterChecks,
)

/** An image in one size. */
export interface LoaderImage extends ImageShape {
  /** Path or URL of the original. */
  src: string
}

/** Returns the URL of an image at a width in pixels. Has the signature that `next/image` expects of a loader. */
export interface ImageLoader {
  (image: LoaderImage): string
  /** The widths that the proxy allows, in pixels and in ascending order. `imageSrcSet` and `<Image>` list only these. */
  readonly widths?: readonly number[]
}

/**
 * Creates a function that returns the image proxy's URLs. It needs no key, so it may run in the browser. However a page
 * spells a path of the site, the URL contains the one spelling that the proxy accepts: `/media//%31.jpg` becomes
 * `/media/1.jpg`. Web URLs stay as they are.
 *
 * A source that the proxy would reject is returned unchanged, with a warning in development, once for each top-level
 * folder. The proxy rejects a source that is not under any prefix, is too long, or has a query under a prefix without
 * `?` at its end. An SVG is also returned unchanged, but without a warning, because it has no size in pixels and image
 * services refuse it.
 *
 * Code for the proxy and the loader may share `{ sources, prefix, widths, ratios, focus, version }`. In development,
 * the loader rejects the proxy's other options, such as its key, because they would be sent to browsers. With
 * `NODE_ENV=production` it checks only sources, prefix and widths, so that client bundles stay small.
 *
 * @throws TypeError that names the invalid option, such as a prefix that cannot match anything.
 * @example
 * const loader = createImageLoader({ sources: ['/media/'] })
 * loader({ src: '/media/cat.jpg', width: 640 }) // '/_image/L21lZGlhL2NhdC5qcGc?width=640'
 * loader({ src: '/media/cat.jpg', width: 640, ratio: '16:9', focus: 'top' })
 * // '/_image/L21lZGlhL2NhdC5qcGc?width=640&ratio=16:9&focus=5,0'
 */
export function createImageLoader(options: ImageLoaderOptions): ImageLoader {
  let warnOf: ReturnType<typeof createLoaderWarnings> | undefined
  // Not isDevelopment(), since bundlers drop the code only if the condition is written out.
  if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production') {
    const hint = 'the other options of the proxy are not for browsers'
    checkKnownOptions(options, loaderChecks, "createImageLoader({ sources: ['/media/'] })", hint)
    checkVersionPrefixes(options.version, options.sources)
    warnOf = createLoaderWarnings(options.sources, options)
  }
  const base = `${parseRoutePath('prefix', options.prefix ?? defaultPrefix)}/`
  const widths = checkWidths('widths', options.widths ?? defaultWidths)
  const nameOf = createSourceNames(options.sources)

  const locate = (src: string): Located => {
    checkSource('src', src)
    if (/^[^?#]*\.svg(?:[?#]|$)/i.test(src) || src.startsWith('data:')) return { src }
    const { name, problem } = isEncodable(src) ? nameOf(src) : {}
    if (name !== undefined && isEncodable(name)) return { src, name, path: base + encodeSource(name) }
    warnOf?.source(src, problem)
    return { src }
  }
  // A srcset asks for one source at many widths in a row, so the last source is kept: it is matched and encoded only once.
  let last: Located = { src: '' }

  const load = (image: LoaderImage): string => {
    warnOf?.shape(image)
    const { src } = image
    if (src !== last.src) last = locate(src)
    const { name, path } = last
    if (path === undefined) return src
    warnOf?.values(image)
    return path + formatImageQuery(parametersOf(image, options, name, warnOf))
  }
  return Object.assign(load, { widths })
}

/** A source, with its canonical name and its path at the proxy if the proxy accepts it. */
type Located = { src: string; name?: never; path?: never } | { src: string; name: string; path: string }

/** Checks that an option is the path or URL of an original. */
export const checkSource: OptionCheck<string> = (option, value) => {
  if (typeof value === 'string') return value
  throw optionError(option, "a path or URL such as '/media/cat.jpg'", value)
}
