import type { ImageLoader } from './loader.js'
import { defaultWidths, sortWidths } from './widths.js'

/**
 * How wide a picture is shown:
 * - `constrained`: as wide as its place, up to `width`;
 * - `fixed`: always `width`;
 * - `full-width`: as wide as the window.
 */
export type ImageLayout = 'constrained' | 'fixed' | 'full-width'

export interface ImageSrcSetOptions {
  /** Makes the URLs: {@link createImageLoader}'s, or any of its shape. */
  loader: ImageLoader
  /** Path or URL of the original. */
  src: string
  /** Greatest width at which it is shown, in CSS pixels. Ignored by the layout `full-width`. */
  width: number
  /** Default `'constrained'`. */
  layout?: ImageLayout | undefined
  /** The `sizes` of the place that it is shown in, when the layout's own is not exact enough. */
  sizes?: string | undefined
  /** Width of the original in pixels, when known. Nothing is listed above it, since pictures are never enlarged. */
  originalWidth?: number | undefined
  /** Allowed widths in pixels, the same as the proxy's. Default {@link defaultWidths}. */
  widths?: readonly number[] | undefined
}

/** The attributes of an `<img>`. Without `srcset` and `sizes` where the loader leaves the source as it is. */
export interface ImageSrcSet {
  src: string
  srcset?: string
  sizes?: string
}

// The narrowest window worth a picture of its own, and the greatest pixel density that the eye rewards.
const narrowestWindow = 320
const greatestDensity = 2

/**
 * Gives `src`, `srcset` and `sizes` of a picture out of the allowed widths: from the smallest that the layout can use
 * to the smallest that is enough for it at twice the density, each once.
 *
 * @example
 * imageSrcSet({ loader, src: '/media/cat.jpg', width: 320 })
 * // { src: '/_image/…?width=384', srcset: '/_image/…?width=384 384w, /_image/…?width=640 640w',
 * //   sizes: '(min-width: 320px) 320px, 100vw' }
 */
export function imageSrcSet(options: ImageSrcSetOptions): ImageSrcSet {
  const { loader, src, layout = 'constrained', originalWidth = Number.POSITIVE_INFINITY } = options
  const allowed = options.widths ? sortWidths(options.widths) : defaultWidths
  const slot = slotOf(layout, options)
  const enough = Math.min(slot.max * greatestDensity, originalWidth)
  const widths = allowed.slice(indexOfAtLeast(allowed, Math.min(slot.min, enough)), indexOfAtLeast(allowed, enough) + 1)
  const urls = widths.map((width) => loader({ src, width }))
  if (urls[0] === src) return { src }
  return {
    src: urls[indexOfAtLeast(widths, slot.default)] as string,
    srcset: urls.map((url, index) => `${url} ${widths[index]}w`).join(', '),
    sizes: slot.sizes,
  }
}

interface Slot {
  /** Least and greatest width in CSS pixels. */
  min: number
  max: number
  /** The width for a browser that knows no srcset. */
  default: number
  sizes: string
}

function slotOf(layout: ImageLayout, { width, sizes }: ImageSrcSetOptions): Slot {
  if (layout === 'fixed') return { min: width, max: width, default: width, sizes: sizes ?? `${width}px` }
  const min = sizes ? leastOf(sizes) : narrowestWindow
  if (layout === 'full-width') return { min, max: Number.POSITIVE_INFINITY, default: 1080, sizes: sizes ?? '100vw' }
  return {
    min: Math.min(min, width),
    max: width,
    default: width,
    sizes: sizes ?? `(min-width: ${width}px) ${width}px, 100vw`,
  }
}

/** The least width in CSS pixels that `sizes` can mean: 0 when a length is in another unit, or computed. */
function leastOf(sizes: string): number {
  const lengths = sizes.split(',').map((entry) => /(?:^|\s)([\d.]+)(px|vw)\s*$/.exec(entry))
  return Math.min(
    ...lengths.map((length) => (length ? Number(length[1]) * (length[2] === 'vw' ? narrowestWindow / 100 : 1) : 0)),
  )
}

/** Index of the first width that is no less than the wanted one; of the last one when all are. */
function indexOfAtLeast(widths: readonly number[], wanted: number): number {
  const index = widths.findIndex((width) => width >= wanted)
  return index === -1 ? widths.length - 1 : index
}
