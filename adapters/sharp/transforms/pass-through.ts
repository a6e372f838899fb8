import { rejected } from '../failure.js'
import { isBeyondDecoder } from './beyond-decoder.js'
import { withoutMetadata } from './clean.js'
import { type ImageType, undecodedTypes } from './image-type.js'
import type { ImageHeader } from './inspect.js'
import type { RenderedImage, RenderTask } from './task.js'

/** Maximum size in bytes of an original that is sent in whatever width is asked for. */
const maxPassedBytes = 10_000_000

/**
 * Returns an original that is passed through, since it would be lost or changed by decoding: ICO, BMP, SVG, animated AVIF and
 * PNG, and colors that the decoder does not understand. `undefined` for all others, and for those above 10 MB that can be decoded.
 *
 * @throws ImageFailure 422 when an original that cannot be decoded is larger than that.
 */
export function passThrough(task: RenderTask, type: ImageType): RenderedImage | undefined {
  const { original } = task
  const isSmall = original.length <= maxPassedBytes
  const isAnimatedAvif = type === 'avif' && Buffer.from(original).toString('latin1', 8, 12) === 'avis'
  if (!undecodedTypes.has(type) && !isAnimatedAvif) {
    return isSmall && isBeyondDecoder(original, type) ? cleanOriginal(task, type) : undefined
  }
  // Sent to clients that do not list AVIF, too: a failure would be remembered for all of them.
  if (isSmall) return { format: type, body: new Uint8Array(original) }
  throw rejected(`is larger than ${maxPassedBytes} bytes, the limit for an image that is not resized`)
}

/**
 * Returns the image, or the original without its metadata when that is smaller and the client accepts its type. An original
 * that needs rotating is not sent, because its orientation is metadata.
 *
 * @param image Of as many pixels as the original.
 */
export function smallerOf(image: RenderedImage, task: RenderTask, header: ImageHeader): RenderedImage {
  const original = header.isUpright ? cleanOriginal(task, header.type) : undefined
  return original && original.body.length < image.body.length ? original : image
}

/** Returns the original without its metadata, if the client accepts its type and the URL names no format. */
function cleanOriginal({ original, accepted, options }: RenderTask, type: ImageType): RenderedImage | undefined {
  const isAccepted = ['jpeg', 'png', 'gif', ...accepted].includes(type) && options.format === undefined
  const body = isAccepted ? withoutMetadata(original, type) : undefined
  return body && { format: type, body: new Uint8Array(body) }
}
