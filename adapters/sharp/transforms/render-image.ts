import type { OutputFormat, ProcessingOptions } from '../../../core/image/internal.js'
import { createEncoder, type QualityByFormat } from './encoders.js'
import { checkEncodingTime } from './encoding-time.js'
import { chooseFormat, type ModernFormat } from './formats.js'
import { inspectImage } from './inspect.js'
import { isHeavy, outputPixels } from './memory-cost.js'
import { withoutPngText } from './png-text.js'
import { transform } from './transform.js'

/** What the rendering of every image of a service depends on. */
export interface RenderSettings {
  quality: QualityByFormat | undefined
  /** Maximum number of pixels of an original, counting all frames. */
  maxPixels: number
  /** Images of more pixels become WebP where AVIF would be chosen. */
  maxAvifPixels: number
  /** Maximum time of a transform in milliseconds. What is known to take longer is rejected before the work. */
  transformTimeout: number
}

/** One image to render. Everything in it can be sent to another process. */
export interface RenderTask extends RenderSettings {
  original: Uint8Array
  options: ProcessingOptions
  accepted: readonly ModernFormat[]
  /** Whether to render it even when that is a lot of work. */
  allowHeavy: boolean
}

/** An image, and how long its rendering took. */
export interface RenderedImage {
  format: OutputFormat
  body: Uint8Array<ArrayBuffer>
  milliseconds: number
}

/**
 * Inspects an original, decodes, resizes and encodes it. Returns `undefined` instead, right after reading the header, when
 * the image {@link isHeavy} and the task does not allow that.
 *
 * @param timeout Time limit in milliseconds, rounded up to whole seconds, which the decoder of a single scan exceeds.
 *   Default: none.
 * @throws ImageFailure 422 for an original that is corrupt or too large, and for an image that would take longer than
 *   `transformTimeout`; 504 when it took longer than the timeout.
 */
export async function renderImage(task: RenderTask, timeout?: number): Promise<RenderedImage | undefined> {
  const { options, maxPixels } = task
  const original = withoutPngText(task.original)
  const header = await inspectImage(original, maxPixels, timeout)
  const pixels = outputPixels(header, options)
  const format = options.format ?? chooseFormat({ ...header, pixels }, task.accepted, task.maxAvifPixels)
  checkEncodingTime(format, pixels, header, task.transformTimeout)
  if (!task.allowHeavy && isHeavy(header, pixels)) return undefined
  const { encode } = createEncoder(task.quality)
  const start = performance.now()
  const body = await transform(original, header, options, format, { encode, maxPixels, timeout })
  return { format, body, milliseconds: performance.now() - start }
}

/**
 * The stages of rendering, each with places of its own: among all images, for a short time; among heavy ones, for a share of
 * the time limit; and among those that have taken longer, for all of it.
 */
export type Stage = 'light' | 'heavy' | 'second'

/**
 * Renders an image, here or in another process. When the signal aborts, the image may no longer be rendered. `heavy`: the
 * task does not allow that. `slow`: it took longer than it may in this stage.
 */
export type RunTask = (task: RenderTask, stage: Stage, signal: AbortSignal) => Promise<RenderedImage | 'heavy' | 'slow'>
