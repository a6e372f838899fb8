import type { ImageFailure } from '../failure.js'
import type { RenderedImage, RenderTask } from '../transforms/render-image.js'

/** What a process has taken. */
export interface ProcessUsage {
  /** Resident memory in bytes. */
  memory: number
  /** Processor time of all threads in milliseconds. */
  processorTime: number
}

/** What a transform process receives: a task with the end of its original, after the pieces before that. */
export type TaskMessage = RenderTask | { piece: Uint8Array }

/** What a transform process sends: `ready` once, then one answer to each task. */
export type WorkerMessage =
  /** With the version of what it renders by, see `rendererVersion`. */
  | { type: 'ready'; version: string }
  /** `image` is `undefined` for a heavy image that the task does not allow. */
  | ({ type: 'done'; image: RenderedImage | undefined } & ProcessUsage)
  | ({
      type: 'failed'
      status?: ImageFailure['status']
      /** What all images of the original fail with. */
      kind?: 'corrupt' | 'rejected' | undefined
      message: string
      reason: string
    } & ProcessUsage)
  /** From time to time where others cannot read it. */
  | ({ type: 'usage' } & ProcessUsage)
