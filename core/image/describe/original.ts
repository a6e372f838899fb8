import { LRUCache } from 'lru-cache'
import { encodePlaceholder } from './encode.js'

/** An original, as an image service describes it. */
export interface OriginalInfo {
  /** In pixels, after rotation by the EXIF orientation. */
  width: number
  height: number
  /** Media type; left out by a service that does not know it. */
  type?: string | undefined
  /** Left out by a service that does not know it. */
  isAnimated?: boolean | undefined
  /** Whether no pixel is transparent. */
  isOpaque: boolean
  /**
   * The image scaled to 12 x 12 pixels and blurred by .8 pixels: base64 of the red, green, blue and alpha of each pixel,
   * row by row.
   */
  pixels: string
}

/**
 * The description of an image, as `images.describe` returns it. Its properties are named like the props of `<Image>`.
 */
export interface ImageDescription {
  src: string
  /** Size of the original in pixels, after rotation by its EXIF orientation. */
  width: number
  height: number
  /** The same as `width`: larger widths are not listed in a `srcset`. */
  originalWidth: number
  /** Media type of the original: `'image/jpeg'`. `undefined` with imgproxy. */
  type: string | undefined
  /** Mean color of the visible pixels: `'#8a7f6c'`. */
  color: string
  /** Text for `data-lq`, which `sitewright/placeholder.css` paints; `undefined` for an image with transparent pixels. */
  placeholder: string | undefined
  /** Whether the original has several frames. `undefined` with imgproxy. */
  isAnimated: boolean | undefined
}

/** Completes the description of an original. */
export function describeOriginal(src: string, { isOpaque, pixels, ...info }: OriginalInfo): ImageDescription {
  const { color, placeholder } = looks.memo(pixels)
  const { width, height, type, isAnimated } = info
  const shown = isOpaque ? placeholder : undefined
  return { src, width, height, originalWidth: width, type, color, placeholder: shown, isAnimated }
}

// A page describes its images each time it is rendered, and computing a placeholder takes a millisecond.
const looks = new LRUCache<string, Pick<ImageDescription, 'color' | 'placeholder'>>({ max: 1_000, memoMethod: lookOf })

function lookOf(pixels: string) {
  const bytes = Uint8Array.from(atob(pixels), (letter) => letter.charCodeAt(0))
  // A pixel counts as much as it is visible.
  const alphas = bytes.filter((_, index) => index % 4 === 3)
  const visible = alphas.reduce((sum, alpha) => sum + alpha, 0) || 1
  const means = [0, 1, 2].map((channel) => {
    const weighted = alphas.reduce((sum, alpha, pixel) => sum + alpha * (bytes[4 * pixel + channel] ?? 0), 0)
    return Math.round(weighted / visible)
  })
  const color = `#${means.map((mean) => mean.toString(16).padStart(2, '0')).join('')}`
  return { color, placeholder: encodePlaceholder(bytes.filter((_, index) => index % 4 !== 3)) }
}
