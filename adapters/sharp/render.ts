import { LRUCache } from 'lru-cache'
import { createDeferred } from '../../core/async.js'
import { channels, observeWork } from '../../core/diagnostics.js'
import { createLimiter, type Limit, QueueFullError } from '../../core/limiter.js'
import { singleFlight } from '../../core/single-flight.js'
import { untilAborted } from '../../core/timeout.js'
import { ImageFailure } from './failure.js'
import {
  digestOf,
  type EncodedImage,
  type ImageCache,
  type KnownOriginal,
  type LoadedOriginal,
  type Purgeable,
  refinedTagOf,
} from './image-cache.js'
import type { OriginalSource } from './sources/original.js'
import { checkType } from './transforms/inspect.js'
import type { ImageVariant, RenderTask, RunTask } from './transforms/task.js'

/** An event of the service, for tests: an original is read, an image rendered, or a stored image found. */
export type ImageServiceEvent = { type: 'hit' | 'load' | 'transform'; source: string }

export type OnEvent = (event: ImageServiceEvent) => void

/** The image that a request asks for. */
export interface WantedImage extends ImageVariant {
  source: string
  original: OriginalSource
}

/** An image to render. */
export interface RenderJob extends WantedImage {
  /** Version of the original when the request arrived. */
  version: string
  /** `undefined` for a file. */
  purgeable: Purgeable | undefined
  /** Identifies the image among all images of the original. */
  variant: string
  /** The original when it was last read. If it has not changed since, its stored image is still valid. */
  known?: KnownOriginal
}

export interface RendererOptions {
  cache: ImageCache
  run: RunTask
  settings: Omit<RenderTask, 'original' | keyof ImageVariant>
  /** Maximum number of transforms that run at once. */
  concurrency: number
  /** Maximum number of waiting images per origin. Default 256. */
  maxQueue?: number | undefined
  onEvent: OnEvent
}

/** Renders an image. */
export type ImageRenderer = ReturnType<typeof createRenderer>

/**
 * Creates the renderer. It reads an original and renders it, unless the client already has the image or the image is
 * stored. Identical images share one transform. When the last client leaves, the work ends, except for a transform that
 * has begun: it is finished, and its image is stored.
 *
 * Each origin or folder may have up to `2 * concurrency` originals in memory, and up to `concurrency` images waiting
 * for a transform. A slow origin therefore delays only its own images. An origin whose images render slowly delays
 * other images by at most twice the time limit of a transform.
 */
export function createRenderer(renderer: RendererOptions) {
  const { cache, run, settings, concurrency, maxQueue = 256, onEvent } = renderer
  // Failures by original, so an image that crashes the decoder, or a file that is not an image, costs one attempt a
  // minute.
  const failed = new LRUCache<string, ImageFailure>({ max: 10_000, ttl: 60_000 })
  const limitTransforms = createLimiter({ concurrency })
  const createLimits = () => ({
    originals: createLimiter({ concurrency: 2 * concurrency, maxQueue }),
    transforms: createLimiter({ concurrency }),
  })
  // One entry for each origin and folder in `sources`.
  const limits = new LRUCache<string, ReturnType<typeof createLimits>>({ max: 10_000, memoMethod: createLimits })

  const checkFailed = (job: RenderJob) => {
    const failure = failed.get(attemptOf(job))
    if (failure) throw failure
  }
  /** Remembers failed transforms and originals that are not images, but not failures of an origin. */
  const fail = (job: RenderJob, error: unknown, isTransform: boolean): never => {
    if (error instanceof QueueFullError) throw new ImageFailure(503, 'The image service is busy', { cause: error })
    if (error instanceof ImageFailure && (isTransform || error.status === 422)) failed.set(attemptOf(job), error)
    throw error
  }

  const load = async ({ source, original, known }: RenderJob, signal: AbortSignal): Promise<LoadedOriginal> => {
    // The signal cannot stop a read from a file system that hangs.
    const reading = () => untilAborted(original.read(signal, known?.state), signal)
    const read = await observeWork(channels.imageSpan, { span: 'downloading', source }, reading)
    if (!read.bytes) return { ...read, digest: known?.digest ?? '' }
    onEvent({ type: 'load', source })
    checkType(read.bytes, settings.svg)
    return { ...read, digest: digestOf(read.bytes) }
  }
  /** Counts the original toward the limit until the signal aborts, which it does after the last use of the original. */
  const withOriginal = singleFlight<RenderJob, LoadedOriginal>((job, { signal }) => {
    return new Promise((resolve, reject) => {
      const hold = async () => {
        resolve(await load(job, signal))
        await untilAborted(new Promise(() => {}), signal)
      }
      const { originals } = limits.memo(job.original.group)
      queue(job.source, originals, hold, signal).catch(reject) // has no effect once the original is loaded
    })
  })

  type ImageJob = RenderJob & { loaded: LoadedOriginal; bytes: Uint8Array; etag: string }
  const withImage = singleFlight<ImageJob, EncodedImage>(async (job, work) => {
    const { source, box, accepted, card, isDescription = false, loaded, bytes, etag } = job
    const transform = async () => {
      checkFailed(job)
      // Counts as a caller, so that it is finished even if the last client leaves.
      const leave = work.join()
      const task = { ...settings, original: bytes, box, accepted, card, isDescription }
      const running = observeWork(channels.imageSpan, { span: 'processing', source }, () => run(task)).finally(leave)
      const image = await running.catch((error) => fail(job, error, true))
      onEvent({ type: 'transform', source })
      return cache.setImage(etag, image)
    }
    // The image may already be stored, because another path or an earlier version had the same content.
    const stored = await cache.getImage(etag)
    if (stored) onEvent({ type: 'hit', source })
    const { transforms } = limits.memo(job.original.group)
    const limit: Limit = (begin, signal) => transforms(() => limitTransforms(begin, signal), signal)
    const image = stored ?? (await queue(source, limit, transform, work.signal))
    cache.setDigest(loaded, job.purgeable)
    return image
  })

  /**
   * @param signal Ends the client's wait.
   * @param isKnown Whether the client already has the image with this entity tag. If so, only the entity tag is
   *   returned.
   */
  return async (job: RenderJob, signal?: AbortSignal, isKnown?: (etag: string) => boolean) => {
    checkFailed(job)
    const renderLoaded = async (loaded: LoadedOriginal) => {
      const etag = cache.etagOf(loaded.digest, job.variant)
      const { bytes } = loaded
      const known = isKnown && [refinedTagOf(etag), etag].find(isKnown)
      if (bytes && known === undefined) {
        return await withImage(etag, { ...job, loaded, bytes, etag }, signal, (image) => image)
      }
      cache.setDigest(loaded, job.purgeable) // the image was rendered before, so the original is valid
      return known ?? etag
    }
    // Only a job that knows an earlier state can do without the bytes, so other jobs do not share its read.
    const key = job.known ? `${attemptOf(job)}\nknown` : attemptOf(job)
    return await withOriginal(key, job, signal, renderLoaded).catch((error) => fail(job, error, false))
  }
}

/** Runs work as soon as a limit allows, and publishes the wait. */
function queue<Result>(source: string, limit: Limit, work: () => Promise<Result>, signal: AbortSignal) {
  const begun = createDeferred<unknown>()
  const done = limit(() => {
    begun.resolve(undefined)
    return work()
  }, signal)
  const wait = () => Promise.race([begun.promise, done])
  observeWork(channels.imageSpan, { span: 'queue', source }, wait).catch(() => {})
  return done
}

/**
 * Identifies the current state of an original, as far as it is known before reading. It includes the stamp, because
 * after a purge, a remote original may have changed.
 */
function attemptOf({ version: of, purgeable, card, variant }: RenderJob): string {
  // A text that cannot be drawn fails by itself, and not with all images of the original.
  const version = card ? `${of}\n${variant}` : of
  return purgeable ? `${version}\n${purgeable.stamp?.epoch}\n${purgeable.stamp?.sequence}` : version
}
