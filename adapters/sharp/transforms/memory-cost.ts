import type { ImageOptions } from '../../../core/image/imgproxy/processing-options.js'
import type { ImageHeader } from './inspect.js'

// Peak of resident memory above that of an idle process, measured with a JPEG of 6000 x 4000 pixels, one thread:
//
//   width   AVIF     AVIF, attention crop   WebP     JPEG
//     640    20 MB    20 MB                   6 MB     7 MB
//    1920    71 MB   102 MB                  27 MB    30 MB
//    3840   231 MB   392 MB (3840 x 3840)    75 MB    88 MB
//    6000   501 MB   574 MB (6000 x 4000)   126 MB   162 MB
//
// That is some 23 bytes per pixel for AVIF, and 5 to 9 for the others.
const heavyOutput = 1_000_000
const heavyOriginal = 8_000_000

/** Pixels of the picture that comes out, all frames counted. */
export function outputPixels({ width, height, pages }: ImageHeader, options: ImageOptions): number {
  const horizontal = options.width ? Math.min(1, options.width / width) : 1
  const vertical = options.height ? Math.min(1, options.height / height) : 1
  // A crop keeps what both sides ask for; what fits is scaled by the smaller on both.
  const share = options.resize === 'fill' ? horizontal * vertical : Math.min(horizontal, vertical) ** 2
  return Math.round(width * height * pages * share)
}

/**
 * Whether a picture takes so much memory to make that only one such may be made at a time. Large originals count where
 * the decoder cannot scale them down on the way, as that of JPEG can unless it is progressive: of one of 8000 x 6200
 * pixels libjpeg holds every coefficient, some 300 MB, however small the picture.
 */
export function isHeavy(header: ImageHeader, pixels: number): boolean {
  const isScaledOnTheWay = header.type === 'jpeg' && !header.isProgressive
  const decoded = isScaledOnTheWay ? 0 : header.width * header.height * header.pages
  return pixels > heavyOutput || decoded > heavyOriginal
}
