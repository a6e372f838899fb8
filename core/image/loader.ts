import { warnOnce } from '../development.js'
import { formatValue, optionError } from '../option-error.js'
import {
  checkBoolean,
  checkFunction,
  checkKnownOptions,
  checkOptions,
  type OptionCheck,
  type OptionChecks,
  required,
  unchecked,
} from '../options.js'
import { parseRoutePath } from '../routes.js'
import { type Focus, readFocus } from './focus.js'
import { checkRatios, defaultRatios } from './ratios.js'
import { createSourceNames } from './source-names.js'
import type { Sources } from './sources.js'
import { checkWidths, defaultPrefix, defaultWidths, encodeSource, formatImageQuery, isEncodable } from './url.js'
import { checkVersionPrefixes, findVersion, type SourceVersion } from './versions.js'

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
   * Whether a crop may keep a given point in view, the same for loader and proxy. There are 121 of them for each width and ratio. With
   * `false`, every crop keeps the most interesting part. Default `true`.
   */
  focus?: boolean | undefined
  /**
   * Returns the current version of an original, for use on the server. URLs then end in `&v={version}`, and browsers keep the image for
   * a year. The same for loader and proxy: the proxy redirects a URL with another version. Default: none; `v` is then an unknown
   * parameter.
   */
  version?: SourceVersion | undefined
}

/** The options that the loader shares with the proxy. Other options, such as a key, must not reach browsers. */
export const loaderChecks: OptionChecks<ImageLoaderOptions> = {
  prefix: parseRoutePath,
  sources: required(unchecked),
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
 * Creates a function that returns the image proxy's URLs. It needs no key, so it may run in the browser. However a page spells a path of the
 * site, the URL contains the only spelling that the proxy accepts: `/media//%31.jpg` becomes `/media/1.jpg`. Web URLs stay as they are.
 *
 * A source that the proxy would reject is returned unchanged, with a warning in development, once for each top-level folder. The proxy
 * rejects a source that is not under any prefix, is too long, or has a query under a prefix without `?` at its end. An SVG is also
 * returned unchanged, but without a warning, because it has no size in pixels and image services refuse it.
 *
 * Code for the proxy and the loader may share `{ sources, prefix, widths, ratios, focus, version }`. The loader rejects the proxy's other options, such
 * as its key, because they would be sent to browsers.
 *
 * @throws TypeError that names the invalid option, such as a prefix that cannot match anything.
 * @example
 * const loader = createImageLoader({ sources: ['/media/'] })
 * loader({ src: '/media/cat.jpg', width: 640 }) // '/_image/L21lZGlhL2NhdC5qcGc?width=640'
 * loader({ src: '/media/cat.jpg', width: 640, ratio: '16:9', focus: 'top' })
 * // '/_image/L21lZGlhL2NhdC5qcGc?width=640&ratio=16:9&focus=5,0'
 */
export function createImageLoader(options: ImageLoaderOptions): ImageLoader {
  checkKnownOptions(
    options,
    loaderChecks,
    "createImageLoader({ sources: ['/media/'] })",
    'proxy and loader share sources, prefix, widths, ratios, focus and version only',
  )
  const base = `${parseRoutePath('prefix', options.prefix ?? defaultPrefix)}/`
  const widths = checkWidths('widths', options.widths ?? defaultWidths)
  const nameOf = createSourceNames(options.sources)
  const ratios = checkRatios('ratios', options.ratios ?? defaultRatios)
  const { version: versionOf, focus: hasFocus = true } = options
  checkVersionPrefixes(versionOf, options.sources)
  const warnOfSource = warnOnce()
  const warnOfValue = warnOnce()
  const warnOfFocus = warnOnce()

  const warnUnlessAllowed = <Value>(option: string, allowed: readonly Value[], value: Value) => {
    if (allowed.includes(value)) return
    warnOfValue(() => `Images: ${explainValue(option, allowed, value)}`, `${option} ${value}`)
  }

  const locate = (src: string): Located => {
    checkSource('src', src)
    if (/^[^?#]*\.svg(?:[?#]|$)/i.test(src) || src.startsWith('data:')) return { src }
    const { name, problem } = isEncodable(src) ? nameOf(src) : {}
    if (name !== undefined && isEncodable(name)) return { src, name, path: base + encodeSource(name) }
    warnOfSource(
      () => `Images: ${explain(problem, options.sources, src)}, so this is the original: ${src.slice(0, 200)}`,
      `${problem} ${prefixOf(src)}`,
    )
    return { src }
  }
  // A srcset asks for one source at many widths in a row, so the last source is kept: it is matched and encoded only once.
  let last: Located = { src: '' }

  const findFocus = (src: string, focus: Focus | null | undefined): string | undefined => {
    if (focus == null || !hasFocus) return undefined
    const { tenths, problem } = readFocus(focus, src)
    if (problem !== undefined) warnOfFocus(() => `Images: ${problem}, so it is not used: ${src.slice(0, 200)}`, src)
    return tenths
  }

  const load = (image: LoaderImage): string => {
    if (image?.src === undefined) checkOptions(image, 'loader', "write loader({ src: '/media/cat.jpg', width: 640 })")
    const { src, width, ratio, focus: given } = image
    if (src !== last.src) last = locate(src)
    const { name, path } = last
    if (path === undefined) return src
    warnUnlessAllowed('width', widths, width)
    if (ratio !== undefined) warnUnlessAllowed('ratio', ratios, ratio)
    const focus = ratio === undefined ? undefined : findFocus(src, given)
    return path + formatImageQuery({ width, ratio, focus, version: findVersion(versionOf, name) })
  }
  return Object.assign(load, { widths })
}

/** A source, with its canonical name and its path at the proxy if the proxy accepts it. */
type Located = { src: string; name?: never; path?: never } | { src: string; name: string; path: string }

/** A source. */
export const checkSource: OptionCheck<string> = (option, value) => {
  if (typeof value === 'string') return value
  throw optionError(option, "a path or URL such as '/media/cat.jpg'", value)
}

function explainValue(option: string, allowed: readonly unknown[], value: unknown): string {
  if (typeof value === typeof allowed[0]) {
    return `${option}: expected one of ${allowed.join(', ')}, got ${value}; the proxy answers 400`
  }
  const expected = typeof allowed[0] === 'number' ? 'a number such as 640' : "a string such as '16:9'"
  const got = typeof value === 'string' ? `the string ${formatValue(value)}` : formatValue(value)
  const isAnswered = typeof value === 'string' && allowed.map(String).includes(value)
  return `${option}: expected ${expected}, got ${got}${isAnswered ? '' : '; the proxy answers 400'}`
}

/** The beginning of a source, up to its first folder: `/media` of `/media/cat.jpg`. */
function prefixOf(src: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?\/?[^/?#]*/i.exec(src)?.[0].slice(0, 100) ?? ''
}

function explain(problem: string | undefined, sources: Sources, src: string): string {
  if (problem === 'query') return "sources: expected a prefix with '?' at its end for a source with a query, got none"
  if (problem === 'prefix') {
    const hint = /^\/[^?]*%(?:25)*(?:2f|5c)/i.test(src) ? ' and no %2F' : ''
    return `sources: expected a prefix of the source${hint}, got ${[...sources].join(', ')}`
  }
  return 'src: expected a path or URL of at most 4,096 bytes'
}
