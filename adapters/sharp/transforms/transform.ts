import sharp, { type Sharp } from 'sharp'
import type { OutputFormat, ProcessingOptions } from '../../../core/image/internal.js'
import { describeError } from '../../../core/log.js'
import { rejected, transformTimeout } from '../failure.js'
import { cornerOf, cropOf } from './crop.js'
import { createEncoder } from './encoders.js'
import type { ImageHeader } from './inspect.js'
import type { RenderTask } from './task.js'

// WebP's maximum, in pixels. Not imported from core, because this runs in a process that loads only what it needs.
const maxSide = 16_383

// These apply to the whole process. Instead, the service caches encoded images and runs several transforms at once.
sharp.cache(false)
sharp.concurrency(1)

/**
 * Blocks all decoders in this process except those of the accepted types. A libvips build may have many more, such as
 * ImageMagick's, and libvips itself chooses a decoder by the bytes. A file that passes the type check by mistake then
 * finds no other decoder.
 */
export function blockOtherDecoders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  const accepted = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff']
  sharp.unblock({ operation: accepted.map((name) => `VipsForeignLoad${name}`) })
}

// By the profile, sharp converts 16-bit RGB to Display P3, while browsers treat an image without a profile as sRGB; it
// ignores the profile of 16-bit gray. Both are therefore reduced to 8 bits first, because sharp converts 8-bit RGB and
// gray to sRGB.
const reducedSpaces: Readonly<Record<string, string>> = { rgb16: 'srgb', grey16: 'b-w' }

/**
 * Decodes, resizes and encodes an original. The result is rotated by the EXIF orientation, never enlarged, in 8-bit sRGB
 * and without metadata. Importing this module turns off libvips' operation cache and its threads for the whole process.
 *
 * @param timeout Maximum time in milliseconds, rounded up to whole seconds; 0 for no limit.
 * @throws ImageFailure 422 for a corrupt or truncated original, 504 when the transform took longer than the timeout.
 */
export async function transform(
  original: Uint8Array,
  header: ImageHeader,
  { options, quality, maxPixels }: Pick<RenderTask, 'options' | 'quality' | 'maxPixels'>,
  format: OutputFormat,
  timeout: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const animated = header.pages > 1 && (format === 'webp' || format === 'gif')
  const { encode } = createEncoder(quality)
  const pipeline = sharp(original, {
    animated,
    // Frames cannot be rotated, and animations have no useful orientation.
    autoOrient: !animated,
    // Stricter than 'truncated'. Not 'warning', since many valid photographs cause warnings.
    failOn: 'error',
    limitInputPixels: maxPixels,
  })
  const reducedSpace = reducedSpaces[header.space]
  if (reducedSpace) pipeline.pipelineColourspace(reducedSpace)
  const seconds = Math.ceil(timeout / 1000)
  const resized = resize(pipeline, header, options, animated).toColourspace('srgb').timeout({ seconds })
  const encoded = await encode(resized, format, options.quality).toBuffer().catch(fail)
  // Copied to V8's memory. Otherwise, for as long as the image is cached, a buffer that libvips allocated in one of its
  // threads would pin memory that this thread has since freed.
  return new Uint8Array(encoded)
}

function resize(pipeline: Sharp, header: ImageHeader, options: ProcessingOptions, animated: boolean): Sharp {
  // Where width or height is missing, the box is as large as any format allows.
  const { resize, width, height, gravity } = options
  if (resize === 'fit') {
    const box = { width: width || maxSide, height: height || maxSide }
    return pipeline.resize({ ...box, fit: 'inside', withoutEnlargement: true })
  }
  const crop = cropOf(animated ? header.frame : header, options)
  if (gravity === 'attention' && !animated) {
    return pipeline.resize({ width: crop.width, height: crop.height, fit: 'cover', position: sharp.strategy.attention })
  }
  // The point of attention would differ between frames; libvips rejects this strategy for animations.
  const corner = cornerOf(crop, gravity === 'attention' ? { x: 0.5, y: 0.5 } : gravity)
  return pipeline.resize({ ...crop.scaled, fit: 'fill' }).extract({ ...corner, width: crop.width, height: crop.height })
}

function fail(cause: unknown): never {
  const isTimeout = describeError(cause).startsWith('timeout:')
  throw isTimeout ? transformTimeout(cause) : rejected('is corrupt', cause)
}
