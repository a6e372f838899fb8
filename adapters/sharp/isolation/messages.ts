import type { ImageFailure } from '../failure.js'
import type { RenderedImage } from '../transforms/render-image.js'

/** What a transform process sends: `ready` once, then one answer to each task, which it receives as `RenderTask`. */
export type WorkerMessage =
  /** With the version of what it renders by, see `rendererVersion`. */
  | { type: 'ready'; version: string }
  /** `image` is `undefined` for a heavy image that the task does not allow. */
  | { type: 'done'; image: RenderedImage | undefined; memory: number }
  | { type: 'failed'; status?: ImageFailure['status']; message: string; reason: string; memory: number }
  /** Resident memory in bytes, from time to time where others cannot read it. */
  | { type: 'memory'; memory: number }
