import { type OutputFormat, outputFormats } from './formats.js'
import { decodePercent, decodeSource, isEncodable, maxSourceBytes } from './url.js'

/**
 * Thrown for a path that is not an imgproxy path, or that asks for an unsupported option. The message names the
 * mistake.
 */
export class InvalidPathError extends Error {
  override name = 'InvalidPathError'
}

/** The requested image. Width and height are in pixels; 0 means that the value follows from the other dimension. */
export interface ProcessingOptions {
  /**
   * `fit` keeps the whole image inside the box, `fill` covers the box and crops the rest. `fill-down` also keeps the ratio of the box
   * when the image is smaller.
   */
  resize: 'fit' | 'fill' | 'fill-down'
  width: number
  height: number
  /** The part of the original that a crop keeps: `attention` picks the most interesting part, a point is kept in the middle. */
  gravity: 'attention' | Point
  /** From 1 to 100; 0 means the format's default. */
  quality: number
  /** `undefined` means that the client's `Accept` decides, `json` that the image is described. */
  format: OutputFormat | 'json' | undefined
}

/** Fractions of width and height, from the top left corner. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Maximum width and height in pixels: the limits of WebP (https://developers.google.com/speed/webp/faq). */
export const maxSide = 16_383

/**
 * Splits `/{signature}/{path}`. The path keeps its leading slash, which is part of the signed text. Returns `undefined`
 * if the signature or the path is missing.
 */
export function splitSignature(pathname: string): { signature: string; path: string } | undefined {
  const [, signature, path] = /^\/([^/]+)(\/.+)$/s.exec(pathname) ?? []
  return signature && path ? { signature, path } : undefined
}

/**
 * Parses the signed part of an imgproxy URL (https://docs.imgproxy.net/usage/processing): processing options, then the
 * source. The source is either unpadded URL-safe base64, which may contain slashes and end in `.{format}`, or `plain/`
 * and percent-encoded text, which may end in `@{format}`.
 *
 * @throws InvalidPathError
 * @example parseImgproxyPath('/rs:fill:640/g:sm/L21lZGlhL2NhdC5qcGc') // { source: '/media/cat.jpg', options: … }
 */
export function parseImgproxyPath(path: string): { options: ProcessingOptions; source: string } {
  const segments = path.slice(1).split('/')
  const sourceIndex = segments.findIndex((segment) => !segment.includes(':'))
  if (sourceIndex === -1) throw new InvalidPathError('no source')
  const { source, format } =
    segments[sourceIndex] === 'plain'
      ? parsePlainSource(segments.slice(sourceIndex + 1).join('/'))
      : parseEncodedSource(segments.slice(sourceIndex).join(''))
  const options = segments.slice(0, sourceIndex)
  if (format) options.push(`ext:${format}`)
  return { source, options: parseProcessingOptions(options) }
}

function parseEncodedSource(encoded: string) {
  const [base64 = '', format, ...more] = encoded.split('.')
  const source = decodeSource(base64.replace(/={1,2}$/, ''))
  if (!source || more.length > 0) throw new InvalidPathError('the source is not URL-safe base64 of a path or URL')
  return { source, format }
}

function parsePlainSource(escaped: string) {
  const [escapedSource = '', format, ...more] = escaped.split('@')
  const source = decodePercent(escapedSource)
  if (!source || more.length > 0) throw new InvalidPathError("the source after 'plain/' is not percent-encoded")
  if (!isEncodable(source)) {
    throw new InvalidPathError(`the source has control characters or more than ${maxSourceBytes} bytes`)
  }
  return { source, format }
}

const center: Point = { x: 0.5, y: 0.5 }
const defaults: ProcessingOptions = {
  resize: 'fit',
  width: 0,
  height: 0,
  gravity: center,
  quality: 0,
  format: undefined,
}

/**
 * Parses imgproxy's processing options, `name:argument:argument`. Later options override earlier ones. Options without effect are set to
 * their defaults, so that equal images have equal options.
 *
 * @throws InvalidPathError for an option that is unknown, malformed or not supported.
 * @example parseProcessingOptions(['rs:fill:640', 'g:sm'])
 * // { resize: 'fit', width: 640, height: 0, gravity: { x: 0.5, y: 0.5 }, quality: 0, format: undefined }
 */
export function parseProcessingOptions(options: readonly string[]): ProcessingOptions {
  const parsed: ProcessingOptions = Object.assign({}, defaults, ...options.map(parseOption))
  const crops = parsed.resize !== 'fit' && parsed.width > 0 && parsed.height > 0
  return crops ? parsed : { ...parsed, resize: defaults.resize, gravity: defaults.gravity }
}

function parseOption(option: string): Partial<ProcessingOptions> {
  const [name = '', ...args] = option.split(':')
  const parser = parsers.find(({ names }) => names.includes(name))
  if (!parser) throw new InvalidPathError(`unknown option '${option}'`)
  const parsed = parser.parse(...args)
  if (typeof parsed !== 'string') return parsed
  throw new InvalidPathError(`option '${option}': ${parsed}`)
}

/** Parses the arguments of an option. Returns the reason if they are malformed. */
type Parse = (...args: readonly string[]) => Partial<ProcessingOptions> | string

const numberAs =
  (name: 'width' | 'height' | 'quality', max: number): Parse =>
  (digits = '') =>
    /^\d{1,5}$/.test(digits) && Number(digits) <= max
      ? { [name]: Number(digits) }
      : `expected a number from 0 to ${max}`
const parseWidth = numberAs('width', maxSide)
const parseHeight = numberAs('height', maxSide)

const parseResize: Parse = (type = '', width, height, enlarge = '', ...more) => {
  if (!/^(?:fit|fill|fill-down)?$/.test(type)) return "expected the type 'fit', 'fill' or 'fill-down'"
  // imgproxy's own clients write the default, 0.
  if (!/^[0f]?$/.test(enlarge) || more.some(Boolean)) return 'enlarging and extending are not supported'
  const parsed = [type ? { resize: type } : {}, width ? parseWidth(width) : {}, height ? parseHeight(height) : {}]
  return parsed.find((each) => typeof each === 'string') ?? Object.assign({}, ...parsed)
}

// https://docs.imgproxy.net/usage/processing#gravity
const sides: Readonly<Record<string, number>> = { no: 0, we: 0, so: 1, ea: 1 }
const parseGravity: Parse = (name = '', ...numbers) => {
  const [x = '', y = ''] = numbers
  const areFractions = numbers.every((fraction) => /^\d(?:\.\d{1,16})?$/.test(fraction) && +fraction <= 1)
  if (name === 'fp' && numbers.length === 2 && areFractions) return { gravity: { x: Number(x), y: Number(y) } }
  const hasOffset = numbers.some((offset) => Number(offset) !== 0)
  if (name === 'sm' && !hasOffset) return { gravity: 'attention' }
  const [isName, vertical = '', horizontal = ''] = /^(?:ce|(no|so)?(ea|we)?)$/.exec(name) ?? []
  if (isName && !hasOffset) return { gravity: { x: sides[horizontal] ?? 0.5, y: sides[vertical] ?? 0.5 } }
  const names = 'sm, ce, no, so, ea, we, noea, nowe, soea, sowe'
  return `expected one of ${names}, without offsets, or a point such as fp:0.3:0.7`
}

const parseFormat: Parse = (name = '') =>
  Object.hasOwn(outputFormats, name)
    ? { format: outputFormats[name] }
    : `expected one of ${Object.keys(outputFormats).join(', ')}`

const parsers: readonly { names: readonly string[]; parse: Parse }[] = [
  { names: ['rs', 'resize'], parse: parseResize },
  { names: ['w', 'width'], parse: parseWidth },
  { names: ['h', 'height'], parse: parseHeight },
  { names: ['q', 'quality'], parse: numberAs('quality', 100) },
  { names: ['g', 'gravity'], parse: parseGravity },
  { names: ['f', 'format', 'ext'], parse: parseFormat },
]
