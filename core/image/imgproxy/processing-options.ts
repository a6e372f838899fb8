import { ImageFailure } from '../../../adapters/sharp/failure.js'
import type { Format } from '../../../adapters/sharp/transforms/formats.js'

/** What a crop keeps: `attention` looks for it, the others are places. */
export type Gravity = (typeof gravities)[keyof typeof gravities]

/** How a picture is to be made. Widths and heights in pixels; 0 means "as the other one wants it". */
export interface ImageOptions {
  /** `fit` keeps all of the picture within the box, `fill` covers the box and crops the rest. */
  resize: 'fit' | 'fill'
  width: number
  height: number
  gravity: Gravity
  /** 1 to 100; 0 means "the default of the format". */
  quality: number
  /** The format that the URL names; `undefined`: the visitor's `Accept` decides. */
  format: Format | undefined
}

/** The longest side of a picture in pixels: what WebP allows (https://developers.google.com/speed/webp/faq). */
export const longestSide = 16_383

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

const unset: ImageOptions = { resize: 'fit', width: 0, height: 0, gravity: 'centre', quality: 0, format: undefined }

type Reader = (given: string[], option: string) => Partial<ImageOptions>

const readResize: Reader = ([type = '', width = '', height = '', enlarge = '', ...more], option) => {
  if (type && type !== 'fit' && type !== 'fill') throw unreadable(option, "offers the types 'fit' and 'fill'")
  // imgproxy's own clients write out the default: 0.
  if (!/^[0f]?$/.test(enlarge) || more.some(Boolean)) throw unreadable(option, 'never enlarges and never extends')
  return {
    ...(type && { resize: type as ImageOptions['resize'] }),
    ...(width && { width: readNumber(width, longestSide, option) }),
    ...(height && { height: readNumber(height, longestSide, option) }),
  }
}
const readWidth: Reader = ([width = ''], option) => ({ width: readNumber(width, longestSide, option) })
const readHeight: Reader = ([height = ''], option) => ({ height: readNumber(height, longestSide, option) })
const readQuality: Reader = ([quality = ''], option) => ({ quality: readNumber(quality, 100, option) })
const readGravity: Reader = ([name = '', ...offsets], option) => {
  if (!Object.hasOwn(gravities, name) || offsets.some((offset) => Number(offset) !== 0)) {
    throw unreadable(option, `offers ${Object.keys(gravities).join(', ')}, without offsets`)
  }
  return { gravity: gravities[name as keyof typeof gravities] }
}
const readFormat: Reader = ([name = ''], option) => {
  if (!Object.hasOwn(formats, name)) throw unreadable(option, `offers ${Object.keys(formats).join(', ')}`)
  return { format: formats[name as keyof typeof formats] }
}

const readers = new Map<string, Reader>([
  ...['resize', 'rs'].map((name) => [name, readResize] as const),
  ...['width', 'w'].map((name) => [name, readWidth] as const),
  ...['height', 'h'].map((name) => [name, readHeight] as const),
  ...['gravity', 'g'].map((name) => [name, readGravity] as const),
  ...['quality', 'q'].map((name) => [name, readQuality] as const),
  ...['format', 'f', 'ext'].map((name) => [name, readFormat] as const),
])

/**
 * Reads options as imgproxy writes them, `name:argument:argument`; later ones win. What can make no difference is left
 * out of the result, so that equal pictures have equal options.
 *
 * @throws ImageFailure 404, as imgproxy answers, for an option that is unknown or says something that is not offered.
 * @example parseOptions(['rs:fill:640', 'g:sm']) // { resize: 'fit', width: 640, height: 0, gravity: 'centre', … }
 */
export function parseOptions(options: readonly string[]): ImageOptions {
  return normalise(Object.assign({}, unset, ...options.map(readOption)))
}

function readOption(option: string): Partial<ImageOptions> {
  const [name = '', ...given] = option.split(':')
  const read = readers.get(name)
  if (!read) throw unreadable(option, 'is unknown')
  return read(given, option)
}

function normalise(options: ImageOptions): ImageOptions {
  const crops = options.resize === 'fill' && options.width > 0 && options.height > 0
  return crops ? options : { ...options, resize: unset.resize, gravity: unset.gravity }
}

function readNumber(digits: string, most: number, option: string): number {
  if (!/^\d{1,5}$/.test(digits) || Number(digits) > most) throw unreadable(option, `takes a number from 0 to ${most}`)
  return Number(digits)
}

function unreadable(option: string, why: string): ImageFailure {
  return new ImageFailure(404, `Unreadable URL: the option '${option}' ${why}`)
}
