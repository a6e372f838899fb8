import sharp from 'sharp'
import type { ProcessingOptions } from '../../../core/image/internal.js'
import { describeImage } from './describe-image.js'
import { createEncoder } from './encoders.js'
import { chooseFormat } from './formats.js'
import { withoutPngText } from './guards.js'
import { type ImageHeader, inspectImage } from './inspect.js'
import type { RenderedImage, RenderTask } from './task.js'
import { transform } from './transform.js'

// Increment this when a change to transform.ts changes pixels, because cached images were made by the old code.
const transformRevision = 2

/**
 * Changes with everything that pixels and bytes depend on besides the original and the options. The versions of sharp
 * and libvips determine the versions of the other libraries. These are not listed here because they are in a file of
 * the libvips package that Next.js leaves out of `standalone`.
 */
export const rendererVersion = JSON.stringify([
  transformRevision,
  createEncoder().settings,
  sharp.versions.sharp,
  sharp.versions.vips,
])

/**
 * Inspects, decodes, resizes and encodes an original.
 *
 * @param timeout Time limit in milliseconds, rounded up to whole seconds. It cannot interrupt the decoding of a
 *   single scan. Default: no limit.
 * @throws ImageFailure 422 for an original that is corrupt or too large; 504 when rendering took longer than the
 *   timeout.
 */
export async function renderImage(task: RenderTask, timeout = 0): Promise<RenderedImage> {
  const { options } = task
  const original = withoutPngText(task.original)
  const header = await inspectImage(original, task.maxPixels)
  if (options.format === 'json') return { format: 'json', body: await describeImage(original, header, task, timeout) }
  const pixels = outputPixels(header, options)
  const format = options.format ?? chooseFormat({ ...header, pixels }, task.accepted, task.maxAvifPixels)
  return { format, body: await transform(original, header, task, format, timeout) }
}

/** Returns the number of pixels of the rendered image, counting all frames. */
function outputPixels({ width, height, pages }: ImageHeader, options: ProcessingOptions): number {
  const horizontal = options.width ? Math.min(1, options.width / width) : 1
  const vertical = options.height ? Math.min(1, options.height / height) : 1
  // `fill` scales and crops each side independently, `fit` scales both by the smaller factor.
  const share = options.resize === 'fill' ? horizontal * vertical : Math.min(horizontal, vertical) ** 2
  return Math.round(width * height * pages * share)
}
