import sharp, { type Sharp } from 'sharp'
import type { OutputFormat, ProcessingOptions } from '../../../core/image/internal.js'
import { cropOf } from './crop.js'
import { describeImage } from './describe-image.js'
import { createEncoder } from './encoders.js'
import { chooseFormat } from './formats.js'
import { isGraphic, isOpaque } from './graphics.js'
import { withoutPngText } from './guards.js'
import { checkType, type ImageHeader, inspectImage } from './inspect.js'
import { repairJpegEnd } from './jpeg-end.js'
import { passThrough, smallerOf } from './pass-through.js'
import type { RenderedImage, RenderTask } from './task.js'
import { createPipeline, runPipeline } from './transform.js'

// Increment this when a change to this folder changes images, because cached images were made by the old code.
const transformRevision = 4

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
 * Inspects, decodes, resizes and encodes an original, passes it through, or describes it.
 *
 * @param timeout Time limit in milliseconds, rounded up to whole seconds. It cannot interrupt the decoding of a
 *   single scan. Default: no limit.
 * @throws ImageFailure 422 for an original that is corrupt or too large; 504 when rendering took longer than the
 *   timeout.
 */
export async function renderImage(task: RenderTask, timeout = 0): Promise<RenderedImage> {
  const type = checkType(task.original, task.svg)
  const passed = task.options.format === 'json' ? undefined : passThrough(task, type)
  if (passed) return passed
  const original = withoutPngText(task.original)
  const header = await inspectImage(original, type, task.maxPixels)
  return await renderDecoded(original, header, task, timeout).catch(async (error) => {
    const isCorrupt = type === 'jpeg' && error.status === 422
    const repaired = isCorrupt ? await repairJpegEnd(original) : undefined
    if (!repaired) throw error
    return await renderDecoded(repaired, header, task, timeout)
  })
}

// Four bytes each, which are held in memory twice.
const maxGraphicPixels = 10_000_000

async function renderDecoded(
  original: Uint8Array,
  header: ImageHeader,
  task: RenderTask,
  timeout: number,
): Promise<RenderedImage> {
  const { options, accepted, maxAvifPixels } = task
  if (options.format === 'json') return { format: 'json', body: await describeImage(original, header, task, timeout) }
  const pixels = outputPixels(header, options)
  const format = options.format ?? chooseFormat({ ...header, pixels }, accepted, maxAvifPixels)
  const isAnimated = header.pages > 1 && (format === 'webp' || format === 'gif')
  const pipeline = createPipeline(original, header, task, isAnimated)
  const isGiven = options.format !== undefined || options.quality > 0
  const mayBeGraphic = !isAnimated && !isGiven && pixels <= maxGraphicPixels && isSmallForItsPixels(original, header)
  const encode = mayBeGraphic ? encodeDecoded : encodeAs
  const { width, height, ...image } = await encode(pipeline, format, task, timeout)
  const isResized = width !== header.width || height !== header.height
  return isResized ? image : smallerOf(image, task, header)
}

/**
 * Whether an original can be a graphic, by its bytes per pixel. As a PNG, graphics have up to 0.25, photographs 0.9 and more,
 * whose pixels are then not looked at. JPEG and AVIF have blurred the edges of a graphic; of a
 * GIF, the pixels show whether it is opaque.
 */
function isSmallForItsPixels({ length }: Uint8Array, { type, width, height }: ImageHeader): boolean {
  if (type === 'gif') return true
  return type !== 'jpeg' && type !== 'avif' && length < 4_096 + width * height * 0.5
}

async function encodeAs(pipeline: Sharp, format: OutputFormat, { options, quality }: RenderTask, timeout: number) {
  const encoded = createEncoder(quality).encode(pipeline, format, options.quality)
  const { data: body, width, height } = await runPipeline(encoded, timeout)
  return { format, body, width, height }
}

/** Encodes a graphic in the accepted format that makes it smallest, and all else in the given one. */
async function encodeDecoded(pipeline: Sharp, format: OutputFormat, task: RenderTask, timeout: number) {
  const { data, width, height } = await runPipeline(pipeline.ensureAlpha().raw({ depth: 'uchar' }), timeout)
  const opaque = isOpaque(data)
  const createInput = () => {
    const input = sharp(data, { raw: { width, height, channels: 4 } })
    return opaque ? input.removeAlpha() : input
  }
  if (!isGraphic(data)) return await encodeAs(createInput(), format, task, timeout)
  const { encodeGraphic } = createEncoder(task.quality)
  const formats = [...task.accepted, 'png'] as const
  const encoding = formats.map(async (each) => {
    const { data: body } = await runPipeline(encodeGraphic[each](createInput()), timeout)
    return { format: each, body, width, height }
  })
  return (await Promise.all(encoding)).reduce((best, each) => (each.body.length < best.body.length ? each : best))
}

/** Returns the number of pixels of the rendered image, counting all frames. */
function outputPixels(header: ImageHeader, options: ProcessingOptions): number {
  const { width, height, pages } = header
  if (options.resize !== 'fit') {
    const crop = cropOf(header, options)
    return crop.width * crop.height * pages
  }
  const horizontal = options.width ? Math.min(1, options.width / width) : 1
  const vertical = options.height ? Math.min(1, options.height / height) : 1
  return Math.round(width * height * pages * Math.min(horizontal, vertical) ** 2)
}
