import { InvalidPathError } from './invalid-path-error.js'

/** Which part of the original a crop keeps: `attention` picks the most interesting part. */
export type Gravity = (typeof gravities)[keyof typeof gravities]

/** A format that images are encoded in. */
export type OutputFormat = (typeof formats)[keyof typeof formats]

/** What to make of an original. Width and height in pixels; 0: follows from the other one. */
export interface ProcessingOptions {
  /** `fit` keeps the whole image inside the box, `fill` covers the box and crops the rest. */
  resize: 'fit' | 'fill'
  width: number
  height: number
  gravity: Gravity
  /** From 1 to 100; 0: the default of the format. */
  quality: number
  /** `undefined`: chosen by the client's `Accept`. */
  format: OutputFormat | undefined
}

/** Maximum width and height in pixels: what WebP allows (https://developers.google.com/speed/webp/faq). */
const maxSide = 16_383

// https://docs.imgproxy.net/usage/processing#gravity
const gravities = {
  sm: 'attention',
  ce: 'centre',
  no: 'top',
  so: 'bottom',
  ea: 'right',
  we: 'left',
  noea: 'right top',
  nowe: 'left top',
  soea: 'right bottom',
  sowe: 'left bottom',
} as const

const formats = { avif: 'avif', webp: 'webp', jpg: 'jpeg', jpeg: 'jpeg', png: 'png', gif: 'gif' } as const

const defaults: ProcessingOptions = {
  resize: 'fit',
  width: 0,
  height: 0,
  gravity: 'centre',
  quality: 0,
  format: undefined,
}

/** Parses the arguments of one option. `option` is the whole text, for the error. */
type OptionParser = (args: string[], option: string) => Partial<ProcessingOptions>

const parseResize: OptionParser = ([type = '', width = '', height = '', enlarge = '', ...more], option) => {
  if (type && type !== 'fit' && type !== 'fill') throw invalidOption(option, "expected the type 'fit' or 'fill'")
  // imgproxy's own clients write the default, 0.
  if (!/^[0f]?$/.test(enlarge) || more.some(Boolean)) {
    throw invalidOption(option, 'enlarging and extending are not supported')
  }
  return {
    ...(type && { resize: type as ProcessingOptions['resize'] }),
    ...(width && { width: parseNumber(width, maxSide, option) }),
    ...(height && { height: parseNumber(height, maxSide, option) }),
  }
}
const parseWidth: OptionParser = ([width = ''], option) => ({ width: parseNumber(width, maxSide, option) })
const parseHeight: OptionParser = ([height = ''], option) => ({ height: parseNumber(height, maxSide, option) })
const parseQuality: OptionParser = ([quality = ''], option) => ({ quality: parseNumber(quality, 100, option) })
const parseGravity: OptionParser = ([name = '', ...offsets], option) => {
  if (!Object.hasOwn(gravities, name) || offsets.some((offset) => Number(offset) !== 0)) {
    throw invalidOption(option, `expected one of ${Object.keys(gravities).join(', ')}, without offsets`)
  }
  return { gravity: gravities[name as keyof typeof gravities] }
}
const parseFormat: OptionParser = ([name = ''], option) => {
  if (!Object.hasOwn(formats, name)) throw invalidOption(option, `expected one of ${Object.keys(formats).join(', ')}`)
  return { format: formats[name as keyof typeof formats] }
}

const parsers = new Map<string, OptionParser>([
  ...['resize', 'rs'].map((name) => [name, parseResize] as const),
  ...['width', 'w'].map((name) => [name, parseWidth] as const),
  ...['height', 'h'].map((name) => [name, parseHeight] as const),
  ...['gravity', 'g'].map((name) => [name, parseGravity] as const),
  ...['quality', 'q'].map((name) => [name, parseQuality] as const),
  ...['format', 'f', 'ext'].map((name) => [name, parseFormat] as const),
])

/**
 * Parses imgproxy's processing options, `name:argument:argument`. Later ones win. Options without effect are set to
 * their defaults, so that equal images have equal options.
 *
 * @throws InvalidPathError for an option that is unknown or malformed, or asks for something that is not supported.
 * @example parseProcessingOptions(['rs:fill:640', 'g:sm'])
 * // { resize: 'fit', width: 640, height: 0, gravity: 'centre', quality: 0, format: undefined }
 */
export function parseProcessingOptions(options: readonly string[]): ProcessingOptions {
  return normalize(Object.assign({}, defaults, ...options.map(parseOption)))
}

function parseOption(option: string): Partial<ProcessingOptions> {
  const [name = '', ...args] = option.split(':')
  const parse = parsers.get(name)
  if (!parse) throw new InvalidPathError(`unknown option '${option}'`)
  return parse(args, option)
}

function normalize(options: ProcessingOptions): ProcessingOptions {
  const crops = options.resize === 'fill' && options.width > 0 && options.height > 0
  return crops ? options : { ...options, resize: defaults.resize, gravity: defaults.gravity }
}

function parseNumber(digits: string, max: number, option: string): number {
  if (!/^\d{1,5}$/.test(digits) || Number(digits) > max) {
    throw invalidOption(option, `expected a number from 0 to ${max}`)
  }
  return Number(digits)
}

function invalidOption(option: string, reason: string): InvalidPathError {
  return new InvalidPathError(`option '${option}': ${reason}`)
}
