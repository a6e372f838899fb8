import { optionError } from '../option-error.js'
import {
  atLeast,
  checkFunction,
  checkKnownOptions,
  checkOptions,
  checkString,
  type OptionChecks,
  oneOf,
  required,
  unchecked,
} from '../options.js'
import { checkSource, type ImageLoader, type LoaderImage } from './loader.js'
import { createShapeChecks, imageOf } from './parameters.js'
import { checkWidths, defaultWidths } from './url.js'

// Declared here because core does not depend on Node's types.
declare const process: { env: Readonly<Partial<Record<string, string>>> } | undefined

/**
 * How wide an image is displayed:
 * - `constrained`: as wide as its container, up to `width`;
 * - `fixed`: always `width`;
 * - `full-width`: as wide as the viewport.
 */
export type ImageLayout = 'constrained' | 'fixed' | 'full-width'

export interface ImageSrcSetOptions extends LoaderImage {
  /** Returns the URLs: the result of {@link createImageLoader}, or any function with the same signature. */
  loader: ImageLoader
  /** Maximum display width, in CSS pixels. Ignored by the layout `full-width`. */
  width: number
  /** Default `'constrained'`. */
  layout?: ImageLayout | undefined
  /** The `sizes` attribute, if the layout's default is not exact enough. */
  sizes?: string | undefined
  /**
   * Width of the original in pixels. Larger widths are not listed, since images are never enlarged. Default: unknown, so
   * all widths are listed.
   */
  originalWidth?: number | undefined
  /**
   * Allowed widths in pixels, for a loader that does not list them, such as a loader of another library. Default: the loader's widths,
   * or else {@link defaultWidths}.
   */
  widths?: readonly number[] | undefined
}

/** Attributes of an `<img>`; only `src` if the loader leaves the source unchanged. */
export interface ImageSrcSet {
  src: string
  srcset?: string
  sizes?: string
}

// In CSS pixels; narrower viewports get the image for this width.
const minViewportWidth = 320
// In device pixels per CSS pixel; above this, no difference is visible.
const maxDensity = 2

type Shared = Omit<ImageSrcSetOptions, 'loader' | 'widths'>

/**
 * Creates the checks of the options that an image shares with the sources of a picture. It is a function, so that
 * client bundles leave the checks out.
 */
export const createSourceChecks = (): OptionChecks<Shared> => ({
  src: checkSource,
  ...createShapeChecks(),
  layout: oneOf('constrained', 'fixed', 'full-width'),
  sizes: checkString,
  originalWidth: atLeast(0),
})

/**
 * Returns `src`, `srcset` and `sizes` of an image. The srcset lists allowed widths, from the smallest that the layout
 * can use to the smallest that suffices for twice the pixel density. A width that is not allowed is replaced by the
 * next larger allowed one, or by the largest: with the default widths, `width: 641` gives a `src` of 750 pixels. The
 * browser therefore never enlarges an image if a larger one is allowed, and the proxy renders only a few sizes, however
 * many widths the pages use.
 *
 * @throws TypeError if `src` or the `width` that the layout needs is missing, and if `widths` is empty or has a width
 *   that is not a whole number >= 1. In development, also if `widths` has a width that the loader does not allow.
 * @example
 * imageSrcSet({ loader, src: '/media/cat.jpg', width: 320 })
 * // { src: '/_image/…?width=384', srcset: '/_image/…?width=384 384w, /_image/…?width=640 640w',
 * //   sizes: '(min-width: 320px) 320px, 100vw' }
 */
export function imageSrcSet(options: ImageSrcSetOptions): ImageSrcSet {
  checkOptions(options, 'imageSrcSet', `write ${call}`)
  const { loader, src, originalWidth = Number.POSITIVE_INFINITY } = options
  checkFunction('loader', loader, 'the loader of createImages, or createImageLoader(…)')
  checkImage(options)
  const allowed = chooseWidths(loader.widths, options.widths)
  const [min, maxDisplay, usual, sizes] = displayOf(options)
  const max = Math.min(maxDisplay * maxDensity, originalWidth)
  const widths = allowed.slice(indexOfAtLeast(allowed, Math.min(min, max)), indexOfAtLeast(allowed, max) + 1)
  const urls = widths.map((width) => loader(imageOf(options, width)))
  if (urls[0] === src) return { src }
  return {
    src: urls[indexOfAtLeast(widths, usual)] as string,
    srcset: urls.map((url, index) => `${url} ${widths[index]}w`).join(', '),
    sizes: options.sizes ?? sizes,
  }
}

export type BackgroundImageOptions = Omit<ImageSrcSetOptions, 'layout' | 'sizes'>

/**
 * Returns a value of `background-image` for a stylesheet, with an image for a normal screen and one for a dense screen.
 * Set `background-size`, for example to `cover`, since the images are never enlarged.
 *
 * @throws TypeError as {@link imageSrcSet} does.
 * @example
 * `.hero { background: center / cover ${backgroundImageSet({ loader, src: '/media/cat.jpg', width: 640 })} }`
 * // image-set(url("/_image/…?width=640") 1x, url("/_image/…?width=1920") 2x)
 */
export function backgroundImageSet(options: BackgroundImageOptions): string {
  const { src, srcset } = imageSrcSet({ ...options, layout: 'fixed' })
  const urls = srcset?.split(', ').map((candidate) => candidate.replace(/ \d+w$/, '')) ?? [src]
  const ends = [...new Set([urls[0] as string, urls.at(-1) as string])]
  return `image-set(${ends.map((url, index) => `url("${escapeCss(url)}") ${index + 1}x`).join(', ')})`
}

/** Escapes the characters that would end a CSS string, or the `<style>` element around it. */
function escapeCss(text: string): string {
  return text.replace(/["\\<\n\r\f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)
}

const call = "imageSrcSet({ loader, src: '/media/cat.jpg', width: 640 })"

/**
 * Checks `src`, `width` and `layout`. It runs for each image, so it must be cheap: all options are checked only if one
 * of these is wrong.
 */
function checkImage(options: ImageSrcSetOptions): void {
  const { src, width, layout, sizes } = options
  const isLayout = layout === undefined || layout === 'constrained' || layout === 'fixed' || layout === 'full-width'
  const areTexts = typeof src === 'string' && (!sizes || typeof sizes === 'string')
  if (areTexts && isLayout && (width > 0 || layout === 'full-width')) return
  if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production') {
    // `loader`, `width` and `widths` are checked in production, too.
    const checks = { loader: unchecked, ...createSourceChecks(), src: required(checkSource), width: unchecked }
    checkKnownOptions(options, { ...checks, widths: unchecked }, call)
  }
  checkSource('src', src)
  const expected = 'the maximum display width in CSS pixels, a number > 0'
  throw optionError('width', expected, width, `src is ${src.slice(0, 200)}`)
}

function chooseWidths(allowed: readonly number[] | undefined, given: readonly number[] | undefined) {
  if (!given || given === allowed) return allowed ?? defaultWidths
  const widths = checkWidths('widths', given)
  if (typeof process !== 'undefined' && process.env.NODE_ENV !== 'production') {
    const refused = widths.find((width) => allowed?.includes(width) === false)
    const expected = `those of the loader (${allowed?.join(', ')})`
    if (refused !== undefined) throw optionError('widths', expected, refused, 'the proxy answers others with 400')
  }
  return widths
}

/** Returns the minimum and maximum width in CSS pixels, the width for a browser without support for srcset, and the default of `sizes`. */
function displayOf({
  layout,
  width,
  sizes,
}: ImageSrcSetOptions): [min: number, max: number, usual: number, sizes: string] {
  if (layout === 'fixed') return [width, width, width, `${width}px`]
  const min = sizes ? minWidthOf(sizes) : minViewportWidth
  if (layout === 'full-width') return [min, Number.POSITIVE_INFINITY, 1080, '100vw']
  return [Math.min(min, width), width, width, `(min-width: ${width}px) ${width}px, 100vw`]
}

/** Returns the minimum width in CSS pixels that `sizes` can result in; 0 if a length is computed or in a unit other than px and vw. */
function minWidthOf(sizes: string): number {
  const lengths = sizes.split(',').map((entry) => /(?:^|\s)([\d.]+)(px|vw)\s*$/.exec(entry))
  return Math.min(
    ...lengths.map((length) => (length ? Number(length[1]) * (length[2] === 'vw' ? minViewportWidth / 100 : 1) : 0)),
  )
}

/** Returns the index of the first width that is at least `min`, or of the last width when all are smaller. */
function indexOfAtLeast(widths: readonly number[], min: number): number {
  const index = widths.findIndex((width) => width >= min)
  return index === -1 ? widths.length - 1 : index
}
