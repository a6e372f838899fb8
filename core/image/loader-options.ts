import { warnOnce } from '../development.js'
import { formatValue } from '../option-error.js'
import {
  checkBoolean,
  checkFunction,
  checkKnownOptions,
  checkOptions,
  type OptionChecks,
  required,
  unchecked,
} from '../options.js'
import { parseRoutePath } from '../routes.js'
import type { Focus } from './focus.js'
import { checkRatios, defaultRatios } from './ratios.js'
import type { SourceName } from './source-names.js'
import type { Sources } from './sources.js'
import { checkWidths, defaultWidths } from './url.js'
import { checkVersionPrefixes, type SourceVersion } from './versions.js'

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

/** The options that the loader shares with the proxy. Other options, such as a key, must not reach browsers. */
export const loaderChecks: OptionChecks<ImageLoaderOptions> = {
  prefix: parseRoutePath,
  sources: required(unchecked),
  widths: checkWidths,
  ratios: checkRatios,
  focus: checkBoolean,
  version: checkFunction,
}

/**
 * Checks the options of a loader, and creates the functions that warn once of images that the proxy would reject. The loader imports
 * this for development only, so that a client bundle has none of its texts.
 *
 * @throws TypeError that names the invalid option.
 */
export function createLoaderWarnings(options: ImageLoaderOptions) {
  const call = "createImageLoader({ sources: ['/media/'] })"
  const hint = 'proxy and loader share sources, prefix, widths, ratios, focus and version only'
  checkKnownOptions(options, loaderChecks, call, hint)
  const { sources, widths = defaultWidths, ratios = defaultRatios, version } = options
  checkVersionPrefixes(version, sources)
  const warn = warnOnce()
  const warnUnlessAllowed = (option: string, allowed: readonly unknown[], value: unknown) => {
    if (allowed.includes(value)) return
    warn(() => `Images: ${explainValue(option, allowed, value)}`, `${option} ${value}`)
  }
  return {
    /** @throws TypeError for an argument that is no object. */
    shape(image: LoaderImage): void {
      checkOptions(image, 'loader', "write loader({ src: '/media/cat.jpg', width: 640 })")
    },
    /** Warns of a source that stays the original, once for each top-level folder. */
    source(src: string, problem: SourceName['problem']): void {
      // Up to its first folder: `/media` of `/media/cat.jpg`.
      const [folder = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?\/?[^/?#]*/i.exec(src) ?? []
      const text = () => `Images: ${explainSource()}, so this is the original: ${src.slice(0, 200)}`
      const explainSource = () => {
        if (problem === 'query')
          return "sources: expected a prefix with '?' at its end for a source with a query, got none"
        if (problem !== 'prefix') return 'src: expected a path or URL of at most 4,096 bytes'
        const hint = /^\/[^?]*%(?:25)*(?:2f|5c)/i.test(src) ? ' and no %2F' : ''
        return `sources: expected a prefix of the source${hint}, got ${[...sources].join(', ')}`
      }
      warn(text, `${problem} ${folder.slice(0, 100)}`)
    },
    /** Warns of a width and a ratio that are not in the lists. */
    values({ width, ratio }: LoaderImage): void {
      warnUnlessAllowed('width', widths, width)
      if (ratio !== undefined) warnUnlessAllowed('ratio', ratios, ratio)
    },
    focus(src: string, problem: string): void {
      warn(() => `Images: ${problem}, so it is not used: ${src.slice(0, 200)}`, src)
    },
  }
}

function explainValue(option: string, allowed: readonly unknown[], value: unknown): string {
  const isType = typeof value === typeof allowed[0]
  const example = typeof allowed[0] === 'number' ? 'a number such as 640' : "a string such as '16:9'"
  const expected = isType ? `one of ${allowed.join(', ')}` : example
  const got = isType ? value : `${typeof value === 'string' ? 'the string ' : ''}${formatValue(value)}`
  const isAnswered = typeof value === 'string' && allowed.map(String).includes(value)
  return `${option}: expected ${expected}, got ${got}${isAnswered ? '' : '; the proxy answers 400'}`
}
