import { optionError } from '../option-error.js'
import {
  checkBoolean,
  checkFunction,
  checkKnownOptions,
  type OptionCheck,
  type OptionChecks,
  required,
  unchecked,
} from '../options.js'
import { parseRoutePath } from '../routes.js'
import { checkRatios, type Focus, readFocus } from './shape.js'
import { createSourceNames } from './source-names.js'
import { createSourceMatcher, type Sources } from './sources.js'
import { checkWidths, defaultPrefix, defaultWidths, encodeSource, formatImageQuery, isEncodable } from './url.js'
import { createLoaderWarnings } from './warnings.js'

// Declared here because core does not depend on Node's types.
declare const process: { env: Readonly<Partial<Record<string, string>>> } | undefined

/**
 * Returns the current version of an original, such as a digest of its content, for its canonical name; `undefined` if it has no version.
 * A version has at most 64 letters, digits, `-` and `_`. The function is called for each image, so it should answer from memory.
 *
 * @example (source) => digests.get(source)
 */
export interface SourceVersion {
  (source: string): string | undefined
  /**
   * Returns the version of a source for a request that names a version. May return `undefined` if finding out the version takes long;
   * the request is then redirected to the URL without a version. Default: the function itself.
   */
  readonly requested?: ((source: string) => string | undefined) | undefined
  /**
   * Returns the version that the original has at this moment; `undefined` if it has changed. Called when an image has arrived: if its
   * original is newer than the version in its URL, the image is not kept for a year. Default: the function itself is assumed to be up to
   * date.
   */
  readonly current?: ((source: string) => string | undefined) | undefined
  /** The prefixes of the sources that have versions. It is an error if no source is under any of them. */
  readonly prefixes?: readonly string[] | undefined
}

export interface ImageLoaderOptions {
  /** First path segment of image URLs, the same for loader and proxy. Default `'_image'`. */
  prefix?: string | undefined
  /** Prefixes of the sources that may be resized, or `'any'`. The same for loader and proxy. */
  sources: Sources
  /** Allowed widths in pixels, the same for loader and proxy. Default {@link defaultWidths}. */
  widths?: readonly number[] | undefined
  /** Allowed ratios of cropped images, the same for loader and proxy. Default `['1:1', '4:3', '3:4', '3:2', '16:9', '9:16']`. */
  ratios?: readonly string[] | undefined
  /**
   * Whether a crop may keep a given point in view, the same for loader and proxy. There are 121 such points for each
   * width and ratio. With `false`, every crop keeps the most interesting part. Default `true`.
   */
  focus?: boolean | undefined
  /**
   * Returns the current version of an original, for use on the server. URLs then end in `&v={version}`, and browsers keep the image for
   * a year. The same for loader and proxy: the proxy redirects a URL with another version. On Node:
   * `fileVersions({ '/media/': './media' })` of `sitewright/node`. Default: none; `v` is then an unknown parameter.
   */
  version?: SourceVersion | undefined
}

/** The options that the loader shares with the proxy. Other options, such as a key, must not reach browsers. */
export const loaderChecks: OptionChecks<ImageLoaderOptions> = {
  prefix: parseRoutePath,
  sources: /* @__PURE__ */ required(unchecked),
  widths: checkWidths,
  ratios: checkRatios,
  focus: checkBoolean,
  version: checkFunction,
}

/** An image in one size. */
export interface LoaderImage {
  /** Path or URL of the original. */
  src: string
  /** In pixels. */
  width: number
  /** One of the allowed ratios, such as `'16:9'`: the image is cropped to it. Default: the image keeps its own. */
  ratio?: string | undefined
  /** The part that a crop keeps in view. Ignored without `ratio`. Default: the service picks the most interesting part. */
  focus?: Focus | null | undefined
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
    const hint = 'proxy and loader share sources, prefix, widths, ratios, focus and version only'
    checkKnownOptions(options, loaderChecks, "createImageLoader({ sources: ['/media/'] })", hint)
    checkVersionPrefixes(options.version, options.sources)
    warnOf = createLoaderWarnings(options.sources, options.widths, options.ratios)
  }
  const { prefix = defaultPrefix, version: versionOf, focus: hasFocus = true } = options
  const base = `${parseRoutePath('prefix', prefix)}/`
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
    const { src, width, ratio, focus } = image
    if (src !== last.src) last = locate(src)
    const { name, path } = last
    if (path === undefined) return src
    warnOf?.values(width, ratio)
    const hasPoint = ratio !== undefined && focus != null && hasFocus
    const { tenths, problem } = hasPoint ? readFocus(focus, src) : {}
    if (problem !== undefined) warnOf?.focus(src, problem)
    return path + formatImageQuery({ width, ratio, focus: tenths, version: findVersion(versionOf, name) })
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

/** Returns the version of a source if it is valid in a URL. */
export function findVersion(versionOf: SourceVersion['requested'], source: string): string | undefined {
  const version = versionOf?.(source)
  return version !== undefined && isVersion(version) ? version : undefined
}

/** Whether a version is valid in a URL. */
export function isVersion(version: string): boolean {
  return /^[\w-]{1,64}$/.test(version)
}

/**
 * Checks the prefixes of a version function against the sources.
 *
 * @throws TypeError if they have no source in common, because no URL would ever have a version.
 */
export function checkVersionPrefixes(versionOf: SourceVersion | undefined, sources: Sources): void {
  const prefixes = versionOf?.prefixes
  if (!prefixes || sources === 'any') return
  const isSource = createSourceMatcher(sources)
  const hasVersions = createSourceMatcher(prefixes)
  if (prefixes.some(isSource) || sources.some((prefix) => hasVersions(prefix.replace(/\?$/, '')))) return
  throw optionError('version', `versions of sources under ${sources.join(', ')}`, prefixes.join(', '))
}
