import sharp, { type Sharp } from 'sharp'
import { cropOf } from '../../../core/crop.js'
import { isGraphic, isOpaque } from '../../../core/graphics.js'
import type { OriginalInfo } from '../../../core/image/index.js'
import type { OutputFormat } from '../../../core/image/internal.js'
import type { Rights } from '../../../core/rights.js'
import { convertToSrgb } from '../../../core/srgb.js'
import { areaOf, drawCard } from './card.js'
import { chooseFormat, createEncoder, encoders } from './encoders.js'
import { checkType, type ImageHeader, inspectImage, repairJpegEnd } from './inspect.js'
import { colorCodingOf, passThrough, smallerOf, withoutPngText } from './pass-through.js'
import type { RenderedImage, RenderTask } from './task.js'
import { addRights, createPipeline, runPipeline } from './transform.js'

// Increment this when a change to this folder changes images, because cached images were made by the old code.
const transformRevision = 6

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
  const passed = task.isDescription || task.card ? undefined : await passThrough(task, type)
  if (passed) return passed
  const original = type === 'png' ? withoutPngText(task.original) : task.original
  const header = await inspectImage(original, type, task.maxPixels)
  return await renderDecoded({ ...task, original }, header, timeout).catch(async (error) => {
    const isCorrupt = type === 'jpeg' && error.status === 422
    const repaired = isCorrupt ? await repairJpegEnd(original) : undefined
    if (!repaired) throw error
    return await renderDecoded({ ...task, original: repaired }, header, timeout)
  })
}

// Each pixel takes four bytes, which are in memory twice.
const maxGraphicPixels = 10_000_000

async function renderDecoded(task: RenderTask, header: ImageHeader, timeout: number): Promise<RenderedImage> {
  const { box, maxAvifPixels } = task
  if (task.isDescription) return await describeImage(task, header, timeout)
  const rights = task.keepCopyright ? header.rights : undefined
  if (task.card) {
    const photo = await createSrgbPipeline({ ...task, box: { ...box, ...areaOf(task.card) } }, header, false, timeout)
    return await encodeAs(await drawCard(photo, task.card, task.look, timeout), 'jpeg', { ...task, rights }, timeout)
  }
  const crop = cropOf(header, box)
  const pixels = crop.width * crop.height * header.pages
  const accepted = task.accepted.filter((each) => each !== 'avif' || pixels <= maxAvifPixels)
  const format = chooseFormat(header, accepted)
  const isAnimated = header.pages > 1 && encoders[format].isAnimated === true
  const pipeline = await createSrgbPipeline(task, header, isAnimated, timeout)
  const mayBeGraphic = !isAnimated && pixels <= maxGraphicPixels && isSmallForItsPixels(task, header)
  const encode = mayBeGraphic ? encodeDecoded : encodeAs
  const { width, height, ...image } = await encode(pipeline, format, { ...task, accepted, rights }, timeout)
  const isResized = width !== header.width || height !== header.height
  return isResized ? image : await smallerOf(image, task, header)
}

/**
 * Whether an original may be a graphic, by its bytes per pixel. As a PNG, a graphic has up to 0.25, and a photograph
 * 0.9 or more, so the pixels of a photograph need no check. A JPEG or AVIF cannot be a graphic, because these formats
 * blur its edges. A GIF always may be, because its pixels are needed anyway, to see whether it is opaque.
 */
function isSmallForItsPixels({ original }: RenderTask, { type, width, height }: ImageHeader): boolean {
  if (type === 'gif') return true
  return type !== 'jpeg' && type !== 'avif' && original.length < 4_096 + width * height * 0.5
}

/**
 * Creates the pipeline of an original, like {@link createPipeline}. Colors that libvips does not understand are
 * converted, which needs the resized pixels.
 *
 * @throws ImageFailure, as `runPipeline` does.
 */
async function createSrgbPipeline(task: RenderTask, header: ImageHeader, animated: boolean, timeout: number) {
  const pipeline = createPipeline(task, header, animated)
  const coding = colorCodingOf(task.original, header.type)
  if (!coding) return pipeline
  const { body, width, height } = await runPipeline(pipeline.ensureAlpha().raw({ depth: 'uchar' }), timeout)
  convertToSrgb(body, coding)
  const converted = sharp(body, { raw: { width, height, channels: 4 } })
  return header.hasAlpha ? converted : converted.removeAlpha()
}

type EncodeTask = RenderTask & { rights: Rights | undefined }

async function encodeAs(pipeline: Sharp, format: OutputFormat, task: EncodeTask, timeout: number) {
  const encoded = createEncoder(task.quality, task.isRefined).encode(pipeline, format)
  return { format, ...(await runPipeline(addRights(encoded, task.rights), timeout)) }
}

/** Encodes a graphic in the accepted format that makes it smallest, and any other image in the given format. */
async function encodeDecoded(pipeline: Sharp, format: OutputFormat, task: EncodeTask, timeout: number) {
  const { body, width, height } = await runPipeline(pipeline.ensureAlpha().raw({ depth: 'uchar' }), timeout)
  const opaque = isOpaque(body)
  const createInput = () => {
    const input = sharp(body, { raw: { width, height, channels: 4 } })
    return opaque ? input.removeAlpha() : input
  }
  if (!isGraphic(body)) return await encodeAs(createInput(), format, task, timeout)
  const { encodeGraphic } = createEncoder(task.quality)
  const formats = [...task.accepted, 'png'] as const
  const encoding = formats.map(async (each) => {
    const encoded = addRights(encodeGraphic(createInput(), each), task.rights)
    return { format: each, ...(await runPipeline(encoded, timeout)) }
  })
  return (await Promise.all(encoding)).reduce((best, each) => (each.body.length < best.body.length ? each : best))
}

// The same as in core's `encodePlaceholder`. Not imported from there, because this runs in a process that loads only
// what it needs.
const sampleSize = 12
const sampleBlur = 0.8
// Small enough to be quick, and large enough to find transparent areas.
const maxSide = 256

/**
 * Describes an original, as the JSON of an `OriginalInfo`. Its colors are the colors of the images that the
 * service renders.
 *
 * @throws ImageFailure, as `runPipeline` does.
 */
async function describeImage(task: RenderTask, header: ImageHeader, timeout: number): Promise<RenderedImage> {
  const { type, width, height, pages } = header
  const box = { width: maxSide, height: maxSide, gravity: undefined }
  const pipeline = await createSrgbPipeline({ ...task, box }, header, false, timeout)
  const small = sharp((await runPipeline(pipeline.png(), timeout)).body)
  const sample = small.clone().ensureAlpha().resize(sampleSize, sampleSize, { fit: 'fill' }).blur(sampleBlur)
  const pixels = (await sample.raw().toBuffer()).toString('base64')
  const { isOpaque } = await small.stats()
  const info: OriginalInfo = { width, height, type: `image/${type}`, isAnimated: pages > 1, isOpaque, pixels }
  return { format: 'json', body: new TextEncoder().encode(JSON.stringify(info)) }
}
