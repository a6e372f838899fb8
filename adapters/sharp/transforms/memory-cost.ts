import type { ProcessingOptions } from '../../../core/image/internal.js'
import type { ImageHeader } from './inspect.js'

// Peak resident memory above that of an idle process, measured with a JPEG of 6000 x 4000 pixels, one thread:
//
//   width   AVIF     AVIF, attention crop   WebP     JPEG
//     640    20 MB    20 MB                   6 MB     7 MB
//    1920    71 MB   102 MB                  27 MB    30 MB
//    3840   231 MB   392 MB (3840 x 3840)    75 MB    88 MB
//    6000   501 MB   574 MB (6000 x 4000)   126 MB   162 MB
//
// That is some 23 bytes per pixel for AVIF, and 5 to 9 for the others.
const heavyOutputPixels = 1_000_000
const heavyOriginalPixels = 8_000_000
// Pixels that a decoder visits, in all scans together: that takes some 0.2 to 0.6 nanoseconds each, besides what the bytes
// take. Encoders write about 10 scans.
const heavyVisitedPixels = 80_000_000

/** Returns the number of pixels of the rendered image, counting all frames. */
export function outputPixels({ width, height, pages }: ImageHeader, options: ProcessingOptions): number {
  const horizontal = options.width ? Math.min(1, options.width / width) : 1
  const vertical = options.height ? Math.min(1, options.height / height) : 1
  // `fill` scales and crops each side by itself, `fit` scales both by the smaller factor.
  const share = options.resize === 'fill' ? horizontal * vertical : Math.min(horizontal, vertical) ** 2
  return Math.round(width * height * pages * share)
}

/**
 * Whether rendering takes so much memory or time that only one such image may be rendered at a time. Large originals count,
 * unless the decoder can scale them down while it reads. Only that of JPEG can, and not for progressive JPEG: of one of
 * 8000 x 6200 pixels, libjpeg holds every coefficient, some 300 MB, however small the rendered image; and it visits all of
 * them once per scan.
 */
export function isHeavy(header: ImageHeader, pixels: number): boolean {
  const isScaledByDecoder = header.type === 'jpeg' && !header.isProgressive
  const decodedPixels = isScaledByDecoder ? 0 : header.width * header.height * header.pages
  if (header.width * header.height * header.scans > heavyVisitedPixels && header.isProgressive) return true
  return pixels > heavyOutputPixels || decodedPixels > heavyOriginalPixels
}
