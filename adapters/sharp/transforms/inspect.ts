import sharp from 'sharp'
import { ImageFailure } from '../failure.js'
import { type ImageType, recognizeImage } from './image-type.js'

/** What the header of an original says. */
export interface ImageHeader {
  type: ImageType
  /** Pixels, upright as EXIF says. */
  width: number
  height: number
  /** Frames of an animation; 1 for a still. */
  pages: number
  hasAlpha: boolean
  /** Whether it is coded in passes over the whole picture, all of which a decoder has to hold. */
  isProgressive: boolean
}

/**
 * The type of an original, by its first bytes.
 *
 * @throws ImageFailure 422 that names what it is instead, where known.
 */
export function checkType(bytes: Uint8Array): ImageType {
  const recognized = recognizeImage(bytes)
  if (bytes.length === 0) throw new ImageFailure(422, 'The original is empty')
  if (!recognized) throw new ImageFailure(422, 'The original is no image of a known type')
  const { type, name } = recognized
  if (!type) throw new ImageFailure(422, `The original is ${name}, which is not accepted`)
  if (type === 'heic' && !canReadHeic()) {
    throw new ImageFailure(422, 'The original is HEIC, which this build of sharp cannot read')
  }
  return type
}

/**
 * Reads the header of an original and decodes nothing.
 *
 * @throws ImageFailure 422 when it has more than `maxPixels`, all frames counted, or cannot be read.
 */
export async function inspectImage(bytes: Uint8Array, maxPixels: number): Promise<ImageHeader> {
  const type = checkType(bytes)
  // Without sharp's own limit, so that the answer can say what the size is. Nothing is allocated for pixels here.
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((cause) => {
      throw new ImageFailure(422, 'The original is broken', { cause })
    })
  const { hasAlpha, autoOrient, isProgressive } = header
  const { width, height } = autoOrient
  // A TIFF's further pages are no frames, and only its first is decoded.
  const pages = type === 'gif' || type === 'webp' ? (header.pages ?? 1) : 1
  if (width * height * pages > maxPixels) {
    const frames = pages > 1 ? ` with ${pages} frames` : ''
    throw new ImageFailure(422, `The original is too large: ${width} x ${height} pixels${frames}`)
  }
  return { type, width, height, pages, hasAlpha, isProgressive }
}

function canReadHeic(): boolean {
  return sharp.format.heif.input.fileSuffix?.includes('.heic') ?? false
}
