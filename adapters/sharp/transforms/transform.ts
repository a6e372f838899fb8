import sharp, { type Sharp } from 'sharp'
import { describeError } from '../../../core/describe-error.js'
import { type ImageOptions, longestSide } from '../../../core/image/imgproxy/processing-options.js'
import { ImageFailure } from '../failure.js'
import type { Encode } from './encoders.js'
import { canAnimate, type Format } from './formats.js'
import type { ImageHeader } from './inspect.js'

export interface TransformOptions {
  encode: Encode
  /** Most pixels of an original, all frames counted. */
  maxPixels: number
  /** Longest time in milliseconds, rounded up to whole seconds. */
  timeout: number
}

/** Makes a picture out of an original. */
export type Transform = (
  original: Uint8Array,
  header: ImageHeader,
  options: ImageOptions,
  format: Format,
) => Promise<Uint8Array<ArrayBuffer>>

/**
 * Creates the function that decodes, resizes and encodes: upright as EXIF says, never enlarged, in sRGB with 8 bits,
 * without metadata. It fails with an {@link ImageFailure}: 422 for a broken or truncated original, 503 when it took
 * longer than the limit.
 *
 * Turns off libvips' operation cache and its threads, for the whole process: pictures are kept as bytes by the cache
 * of the service, and run side by side instead.
 */
export function createTransform({ encode, maxPixels, timeout }: TransformOptions): Transform {
  sharp.cache(false)
  sharp.concurrency(1)
  const seconds = Math.ceil(timeout / 1000)

  return async (original, header, options, format) => {
    const animated = header.pages > 1 && canAnimate(format)
    const pipeline = sharp(original, {
      animated,
      // Frames cannot be turned, and animations carry no orientation worth it.
      autoOrient: !animated,
      // Above 'truncated' in severity; warnings alone are on many a good photograph.
      failOn: 'error',
      limitInputPixels: maxPixels,
    })
    const resized = resize(pipeline, options, animated).toColourspace('srgb').timeout({ seconds })
    const encoded = await encode(resized, format, options.quality).toBuffer().catch(fail)
    // A copy in memory of V8: what libvips allocated in one of its threads would, as long as the picture is kept, pin
    // what that thread has freed since.
    return new Uint8Array(encoded)
  }
}

function resize(pipeline: Sharp, { resize, width, height, gravity }: ImageOptions, animated: boolean): Sharp {
  // Without a side, the box is as large as any format allows.
  const box = { width: width || longestSide, height: height || longestSide, withoutEnlargement: true }
  if (resize === 'fit') return pipeline.resize({ ...box, fit: 'inside' })
  // Attention would differ from frame to frame; libvips refuses it for animations.
  const position = gravity !== 'attention' ? gravity : animated ? 'centre' : sharp.strategy.attention
  return pipeline.resize({ ...box, fit: 'cover', position })
}

function fail(cause: unknown): never {
  const isLate = describeError(cause).startsWith('timeout:')
  throw isLate
    ? new ImageFailure(503, 'The picture took too long to make', { cause })
    : new ImageFailure(422, 'The original is broken', { cause })
}
