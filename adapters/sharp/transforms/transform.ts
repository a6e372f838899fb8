import sharp, { type Sharp } from 'sharp'
import { cornerOf, cropOf } from '../../../core/crop.js'
import { describeError } from '../../../core/log.js'
import { type Rights, writeXmp } from '../../../core/rights.js'
import { rejected, transformTimeout } from '../failure.js'
import type { ImageHeader } from './inspect.js'
import type { ImageBox, RenderTask } from './task.js'

// WebP's maximum, in pixels. Not imported from core, because this runs in a process that loads few modules.
const maxSide = 16_383

// These settings apply to the whole process. In place of a cache and threads in libvips, the service caches encoded
// images and runs several transforms at once.
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

// sharp converts 16-bit RGB by its profile to Display P3, but browsers treat the result, which has no profile, as sRGB.
// It ignores the profile of 16-bit gray. Both are therefore reduced to 8 bits first, because sharp converts 8-bit RGB
// and gray to sRGB.
const reducedSpaces: Readonly<Record<string, string>> = { rgb16: 'srgb', grey16: 'b-w' }

/**
 * Creates the pipeline that decodes and resizes an original. The result is rotated by the EXIF orientation, never
 * enlarged, in 8-bit sRGB and without metadata. Importing this module turns off libvips' operation cache and its
 * threads for the whole process.
 */
export function createPipeline(task: RenderTask, header: ImageHeader, animated: boolean): Sharp {
  const isOpaqueGif = header.type === 'gif' && !header.hasAlpha
  const pipeline = sharp(isOpaqueGif ? withTransparentFrame(task.original) : task.original, {
    pages: animated ? header.pages : 1,
    autoOrient: !header.isUpright,
    ignoreIcc: header.ignoresProfile,
    // Stricter than 'truncated'. Not 'warning', since many valid photographs cause warnings.
    failOn: 'error',
    limitInputPixels: task.maxPixels,
  })
  const reducedSpace = reducedSpaces[header.space]
  if (reducedSpace) pipeline.pipelineColourspace(reducedSpace)
  return resize(pipeline, header, task.box, animated).toColourspace('srgb')
}

/** Adds rights to the image that a pipeline writes, if its format has Exif and XMP. */
export function addRights(pipeline: Sharp, rights: Rights = {}): Sharp {
  const { copyright, creator } = rights
  const exif = { ...(copyright && { Copyright: copyright }), ...(creator && { Artist: creator }) }
  const written = copyright || creator ? pipeline.withExif({ IFD0: exif }) : pipeline
  const xmp = writeXmp(rights)
  return xmp ? written.withXmp(xmp) : written
}

/**
 * Runs a pipeline, and returns its result with the size of a frame in pixels.
 *
 * @param timeout Maximum time in milliseconds, rounded up to whole seconds; 0 for no limit.
 * @throws ImageFailure 422 for a corrupt or truncated original, 504 when the transform took longer than the timeout.
 */
export async function runPipeline(pipeline: Sharp, timeout: number) {
  const seconds = Math.ceil(timeout / 1000)
  const { data, info } = await pipeline.timeout({ seconds }).toBuffer({ resolveWithObject: true }).catch(fail)
  // Copied to V8's memory. Otherwise, for as long as the image is cached, a buffer that libvips allocated in one of its
  // threads would pin memory that this thread has since freed.
  return { body: new Uint8Array(data), width: info.width, height: info.pageHeight ?? info.height }
}

// A frame of one transparent pixel (GIF89a, sections 20 to 23), and the trailer.
const transparentFrame = Buffer.from('21f90401000001002c00000000010001008000000000000002024c01003b', 'hex')

/**
 * Returns a GIF with one more frame, which has a transparent pixel. libvips decodes a GIF without such a pixel as
 * opaque, and areas that no frame covers as black, while browsers leave them transparent.
 */
function withTransparentFrame(gif: Uint8Array): Uint8Array {
  const end = Buffer.from(gif).lastIndexOf('\0;')
  return end < 0 ? gif : Buffer.concat([gif.subarray(0, end + 1), transparentFrame])
}

function resize(pipeline: Sharp, header: ImageHeader, size: ImageBox, animated: boolean): Sharp {
  // Where width or height is missing, the box is as large as any format allows.
  const { width, height, gravity } = size
  if (gravity === undefined) {
    const box = { width: width || maxSide, height: height || maxSide }
    return pipeline.resize({ ...box, fit: 'inside', withoutEnlargement: true })
  }
  const crop = cropOf(header, size)
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
