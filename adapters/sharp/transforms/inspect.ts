import sharp from 'sharp'
import { maxTimeout, TimeoutError, withTimeout } from '../../../core/timeout.js'
import { CorruptOriginal, RejectedOriginal, TransformTimeout } from '../failure.js'
import { isCutOffGif } from './gif-blocks.js'
import { type ImageType, recognizeImage } from './image-type.js'
import { countScans } from './scans.js'

/**
 * Encoders write 1 to some 12 scans. A file of 300 KB can have thousands, each of which costs 0.2 to 0.6 nanoseconds per
 * pixel. libtiff has the same limit: https://gitlab.com/libtiff/libtiff/-/blob/master/libtiff/tif_jpeg.c
 */
const maxScans = 100

/** Properties of an original, from its header. */
export interface ImageHeader {
  type: ImageType
  /** In pixels, after rotation by the EXIF orientation. */
  width: number
  height: number
  /** Number of frames; 1 for a still image. */
  pages: number
  hasAlpha: boolean
  /** Color space and depth as libvips names them: `srgb`, `rgb16`, `b-w`, `grey16`, `cmyk` and so on. */
  space: string
  /** Whether it is coded in passes over the whole image, all of which a decoder holds in memory. */
  isProgressive: boolean
  /** Number of passes over the whole image; 1 unless it is a progressive JPEG. */
  scans: number
}

/**
 * Returns the type of an original, by its first bytes.
 *
 * @throws RejectedOriginal when it is not accepted.
 */
export function checkType(bytes: Uint8Array): ImageType {
  const recognized = recognizeImage(bytes)
  if (bytes.length === 0) throw new RejectedOriginal('The original is empty')
  if (!recognized) throw new RejectedOriginal('The original is not an image of a known type')
  const { type, name } = recognized
  if (!type) throw new RejectedOriginal(`The original is ${name}, which is not accepted`)
  if (type === 'heic' && !canReadHeic()) {
    throw new RejectedOriginal('The original is HEIC, which this build of sharp cannot read')
  }
  return type
}

/**
 * Reads the header of an original, without decoding it.
 *
 * @param timeout Time limit in milliseconds: all frames are looked at. The reading itself cannot be ended. Default: none.
 * @throws ImageFailure 422 when it has more than `maxPixels`, counting all frames, or more than 100 scans, or cannot be
 *   read; 504 when that took longer than the timeout.
 */
export async function inspectImage(
  bytes: Uint8Array,
  maxPixels: number,
  timeout: number = maxTimeout,
): Promise<ImageHeader> {
  const type = checkType(bytes)
  if (type === 'gif' && isCutOffGif(bytes)) throw new CorruptOriginal()
  // Without sharp's own limit, so that the error can state the size. Nothing is allocated for pixels here.
  const reading = sharp(bytes, { limitInputPixels: false }).metadata()
  const header = await withTimeout(timeout, reading).catch((cause) => {
    if (cause instanceof TimeoutError) throw new TransformTimeout({ cause })
    throw new CorruptOriginal({ cause })
  })
  const { hasAlpha, space, autoOrient, isProgressive } = header
  const { width, height } = autoOrient
  // The pages of a TIFF are not frames, and only the first is decoded.
  const pages = type === 'gif' || type === 'webp' ? (header.pages ?? 1) : 1
  if (width * height * pages > maxPixels) {
    const frames = pages > 1 ? ` with ${pages} frames` : ''
    throw new RejectedOriginal(`The original is too large: ${width} x ${height} pixels${frames}`)
  }
  const scans = type === 'jpeg' && isProgressive ? countScans(bytes) : 1
  if (scans > maxScans) throw new RejectedOriginal(`The original has ${scans} scans, more than ${maxScans}`)
  return { type, width, height, pages, hasAlpha, space, isProgressive, scans }
}

function canReadHeic(): boolean {
  return sharp.format.heif.input.fileSuffix?.includes('.heic') ?? false
}
