// The program of a transform process: renders one image after another, until it is killed or the site ends.
import { describeError } from '../../../core/log.js'
import { ImageFailure } from '../failure.js'
import { rendererVersion, renderImage } from '../transforms/render-image.js'
import type { RenderedImage, RenderTask } from '../transforms/task.js'
import { blockOtherDecoders } from '../transforms/transform.js'

/**
 * A message to a transform process.
 *
 * @experimental
 */
export interface TaskMessage extends RenderTask {
  /**
   * Maximum resident memory in bytes. The process checks it while a thread decodes, and ends itself when it exceeds the
   * limit.
   */
  maxMemory: number
}

/**
 * A message from a transform process: `ready` once, then one answer to each task, with the resident memory in bytes.
 *
 * @experimental
 */
export type WorkerMessage =
  /** `version` is the `rendererVersion` of the process. */
  | { type: 'ready'; version: string }
  | { type: 'done'; image: RenderedImage; memory: number }
  /** `status` is missing when the program itself failed. */
  | { type: 'failed'; status?: ImageFailure['status']; message: string; reason: string; memory: number }

const memory = () => process.memoryUsage.rss()
const ignore = () => {}
// Errors are ignored, because the site may have ended or may not listen.
const send = (message: WorkerMessage, onSent = ignore) => process.send?.(message, undefined, {}, onSent)
// Not process.exit(), which would wait for the decoding thread.
const end = () => process.kill(process.pid, 'SIGKILL')

async function answer({ maxMemory, ...task }: TaskMessage): Promise<void> {
  const watch = setInterval(() => {
    const used = memory()
    if (used <= maxMemory) return
    clearInterval(watch)
    const message = 'Rendering the image took too much memory'
    send({ type: 'failed', status: 422, message, reason: `it took ${used} bytes`, memory: used }, end)
  }, 50)
  try {
    send({ type: 'done', image: await renderImage(task), memory: memory() })
  } catch (error) {
    const { status, message } = error instanceof ImageFailure ? error : { message: 'Image service failed' }
    send({ type: 'failed', ...(status && { status }), message, reason: describeError(error), memory: memory() })
  } finally {
    clearInterval(watch)
  }
}

function start(): void {
  blockOtherDecoders()
  process.on('message', answer)
  process.on('disconnect', end)
  // Ignored because terminals and service managers send these to all processes, while the site may want to finish its
  // responses.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ignore)
  send({ type: 'ready', version: rendererVersion })
}

// Without a channel, this module was only imported.
if (process.send) start()
