import type { OutputFormat } from '../../../core/image/internal.js'
import { ImageFailure } from '../failure.js'
import type { ImageHeader } from './inspect.js'

// Nanoseconds of processor time for each pixel of the rendered image, decoding included; measured on animations of 60 and
// 280 frames of 480 x 320 pixels, on two processors that were busy with other work, too:
//
//           a panned photograph   a still one, moving square   flat
//   GIF     190 to 330            170 to 460                   40
//   WebP     60 to 90             10 to 20                     10
//
// A still GIF takes as long, and no setting of its encoder changes more than a third of it. The upper ends are taken, so
// that what is begun can be finished.
const nanosecondsPerPixel: Partial<Record<OutputFormat, number>> = { gif: 450, webp: 100 }
// A frame of one pixel takes 15 to 20 microseconds as GIF, 6 as WebP.
const nanosecondsPerFrame = 20_000

/** Returns about how many milliseconds decoding and encoding take; 0 for formats that are fast at every size. */
function estimateEncodingTime(format: OutputFormat, pixels: number, frames: number): number {
  const perPixel = nanosecondsPerPixel[format]
  return perPixel === undefined ? 0 : (pixels * perPixel + frames * nanosecondsPerFrame) / 1e6
}

/**
 * Rejects an image before the work when it would take longer than the time limit.
 *
 * @param pixels Number of pixels of the rendered image, counting all frames.
 * @param timeout Time limit in milliseconds.
 * @throws ImageFailure 422, since it would take as long the next time.
 */
export function checkEncodingTime(
  format: OutputFormat,
  pixels: number,
  { pages }: Pick<ImageHeader, 'pages'>,
  timeout: number,
): void {
  if (estimateEncodingTime(format, pixels, pages) <= timeout) return
  const size = `${pixels} pixels in ${pages} ${pages === 1 ? 'frame' : 'frames'}`
  throw new ImageFailure(
    422,
    `As ${format.toUpperCase()}, the image has ${size}, which takes longer than ${timeout} ms to encode; choose a smaller width or another format`,
  )
}
