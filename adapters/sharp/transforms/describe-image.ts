import sharp from 'sharp'
import type { OriginalInfo } from '../../../core/image/internal.js'
import type { ImageHeader } from './inspect.js'
import type { RenderedImage, RenderTask } from './task.js'
import { createPipeline, runPipeline } from './transform.js'

// Of core's `encodePlaceholder`. Not imported from there, because this runs in a process that loads only what it needs.
const sampleSize = 12
const sampleBlur = 0.8
// Small enough to be quick, and large enough to find transparent areas.
const maxSide = 256

/**
 * Describes an original: the JSON of `/info/{signature}/{source}`. It has the colors of the images of the service.
 *
 * @throws ImageFailure, as `runPipeline` does.
 */
export async function describeImage(task: RenderTask, header: ImageHeader, timeout: number): Promise<RenderedImage> {
  const { type, width, height, pages } = header
  const options = { ...task.options, width: maxSide, height: maxSide }
  const pipeline = createPipeline({ ...task, options }, header, false)
  const small = sharp((await runPipeline(pipeline.png(), timeout)).body)
  const sample = small.clone().removeAlpha().resize(sampleSize, sampleSize, { fit: 'fill' }).blur(sampleBlur)
  const pixels = (await sample.raw().toBuffer()).toString('base64')
  const { isOpaque } = await small.stats()
  const info: OriginalInfo = { width, height, type: `image/${type}`, isAnimated: pages > 1, isOpaque, pixels }
  return { format: 'json', body: new TextEncoder().encode(JSON.stringify(info)) }
}
