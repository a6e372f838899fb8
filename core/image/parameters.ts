import { atLeast, checkBoolean, checkFunction, checkString, type OptionChecks, unchecked } from '../options.js'
import { errors } from './errors.js'
import { checkRatios, defaultRatios, type Focus, readFocus } from './shape.js'
import { checkWidths, defaultWidths } from './url.js'
import { findVersion, isVersion, type SourceVersion } from './versions.js'

/** The options that declare the values of the parameters. */
export interface ParameterOptions {
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

export const parameterChecks: OptionChecks<ParameterOptions> = {
  widths: checkWidths,
  ratios: checkRatios,
  focus: checkBoolean,
  version: checkFunction,
}

/** The properties of an image that its URL contains. */
export interface ImageShape {
  /** In pixels. */
  width: number
  /** One of the allowed ratios, such as `'16:9'`: the image is cropped to it. Default: the image keeps its own. */
  ratio?: string | undefined
  /** The part that a crop keeps in view. Ignored without `ratio`. Default: the service picks the most interesting part. */
  focus?: Focus | null | undefined
}

/** The checks of these properties. It is a function, so that client bundles leave the checks out. */
export const createShapeChecks = (): OptionChecks<ImageShape> => ({
  width: atLeast(1),
  ratio: checkString,
  focus: unchecked,
})

/** Returns the source and the parameters of an image that has other properties, too, at a width. */
export function imageOf({ src, ratio, focus }: Shape & Source, width: number): Complete<ImageShape> & Source {
  return { src, width, ratio, focus: ratio && focus }
}

/** Returns the props of a component without these parameters. */
export const withoutShape = <Props extends Shape>({ ratio, focus, ...rest }: Props): Omit<Props, keyof Shape> => rest

type Shape = Omit<ImageShape, 'width'>
type Source = { src: string }
type Complete<Type> = { [Name in keyof Required<Type>]: Type[Name] }

/** The parameters of an image URL, by their names in it. The focus is in tenths of width and height. */
export type ImageParameters = { width: number | string } & { [Name in 'ratio' | 'focus' | 'v']?: string | undefined }
type ParameterName = keyof ImageParameters

/**
 * Returns the parameters that the loader writes.
 *
 * @param name The source, as the URL contains it.
 * @param warnings Warn of a value that is not used.
 */
export function parametersOf(
  { src, width, ratio, focus }: ImageShape & Source,
  options: ParameterOptions,
  name: string,
  warnings: { unused(src: string, problem: string): void } | undefined,
): Complete<ImageParameters> {
  const { tenths, problem } =
    ratio !== undefined && focus != null && options.focus !== false ? readFocus(focus, src) : {}
  if (problem !== undefined) warnings?.unused(src, problem)
  return { width, ratio, focus: tenths, v: options.version && findVersion(options.version, name) }
}

/**
 * Formats the query of an image URL. The order of the parameters is fixed, because caches keep an entry for each URL.
 *
 * @example formatImageQuery({ width: 640, ratio: '16:9', focus: '3,7', v: 'a1' })
 * // '?width=640&ratio=16:9&focus=3,7&v=a1'
 */
export function formatImageQuery({ width, ratio, focus, v }: ImageParameters): string {
  return `?width=${width}${format('ratio', ratio)}${format('focus', focus)}${format('v', v)}`
}

const format = (name: ParameterName, value?: string) => (value === undefined ? '' : `&${name}=${value}`)

/** The values of a parameter that a site allows. The proxy answers other values with 400. */
interface ParameterRule {
  readonly error: string
  /** The values that an option lists; the option of `x` is `xs`. */
  readonly list?: (options: ParameterOptions) => readonly unknown[]
  /** Returns what was expected, if a value that no option lists is invalid. */
  readonly explain?: (value: string, all: ImageParameters, options: ParameterOptions) => string | undefined
}

/** The rules, in the order in which the proxy checks them. A version is compared with that of the original instead. */
export const parameterRules: Readonly<Record<Exclude<ParameterName, 'v'>, ParameterRule>> = {
  width: { error: 'Invalid width', list: ({ widths = defaultWidths }) => checkWidths('widths', widths) },
  ratio: { error: 'Invalid ratio', list: ({ ratios = defaultRatios }) => checkRatios('ratios', ratios) },
  focus: {
    error: 'Invalid focus',
    explain(focus, { ratio }, { focus: isAllowed = true }) {
      if (!isAllowed) return 'none, since the option focus is false'
      const isValid = ratio !== undefined && /^(?:\d|10),(?:\d|10)$/.test(focus)
      return isValid ? undefined : 'tenths such as 3,7 together with a ratio'
    },
  },
}

/**
 * Creates the function that reads the parameters of a query. It also returns the answer to an invalid query: to a value
 * that the site does not allow, to an unknown parameter, and to another order or spelling than that of
 * {@link formatImageQuery}. `URLSearchParams` may spell it, too, because Next.js passes queries to routes in that form.
 */
export function createQueryReader(options: ParameterOptions) {
  const rules = Object.entries(parameterRules).map(([name, { error, list, explain }]) => {
    // Compared as text: '640' is allowed, '0640', '640.0' and '6.4e2' are not.
    return { name: name as keyof typeof parameterRules, error, list: list?.(options).map(String), explain }
  })
  return (search: string, given: URLSearchParams) => {
    // A parameter that is given twice is read as `640&640`, which is never an allowed value.
    const read = (name: ParameterName) => (given.has(name) ? given.getAll(name).join('&') : undefined)
    const v = read('v')
    const parameters = { width: read('width') ?? '', ratio: read('ratio'), focus: read('focus'), v }
    for (const { name, error, list, explain } of rules) {
      const value = parameters[name]
      if (value === undefined || list?.includes(value)) continue
      const expected = list ? `one of ${list.join(', ')}` : explain?.(value, parameters, options)
      const reason = `${name}: expected ${expected}, got ${value}; ${list ? `add it to ${name}s` : urlAdvice}`
      if (expected !== undefined)
        return { parameters, invalid: { error: { status: 400, error }, reason, value: list && value } }
    }
    const query = formatImageQuery(parameters)
    const isSpelledSo = search === query || search === `?${new URLSearchParams(query)}`
    if (isSpelledSo && (v === undefined || (options.version && isVersion(v)))) return { parameters }
    const names = rules.map(({ name }) => name).join(', ') + (v === undefined ? '' : ', and v with the option version')
    const reason = `expected only the parameters ${names}, got ${[...given.keys()].join(', ')}; ${urlAdvice}`
    return { parameters, invalid: { error: errors.unknownParameters, reason } }
  }
}

export const urlAdvice = 'write the URL with images.srcSet, <Image> or the loader'
