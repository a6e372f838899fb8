import { LRUCache } from 'lru-cache'
import { imageFormats } from '../../core/image/internal.js'
import { untilAborted } from '../../core/timeout.js'
import { digestOf, type EncodedImage } from './image-cache.js'
import type { RendererOptions, RenderJob } from './render.js'
import type { RunTask } from './transforms/task.js'

/** `isOn` is false without isolation: nothing could be ended then. */
export type RefinerOptions = Pick<RendererOptions, 'cache' | 'run' | 'settings'> & { isOn: boolean }

/** Has a stored image encoded again for fewer bytes, some time. */
export type Refine = (job: RenderJob, stored: EncodedImage) => void

// Milliseconds without a visitor's transform, so that a page of new images is not interrupted between two of them.
const quietTime = 1_000
// What does not fit is refined after a later request.
const maxWaiting = 256
const refinedTypes = ['image/avif', 'image/webp', 'image/jpeg']

/**
 * Creates the queue of images to refine: one at a time, the one that was asked for last first, while no visitor waits for a
 * transform. The refined image replaces the stored one. An image that could not be made smaller, or whose refinement failed, is not
 * tried again.
 *
 * @returns `refine`, and `runFirst`, which runs a visitor's transform: it ends a refinement, which begins anew later.
 */
export function createRefiner({ cache, run, settings, isOn }: RefinerOptions): { refine: Refine; runFirst: RunTask } {
  const waiting = new LRUCache<string, RenderJob>({ max: maxWaiting })
  const tried = new LRUCache<string, true>({ max: 10_000 })
  let visitors = 0
  let timer: NodeJS.Timeout | undefined
  let refining: AbortController | undefined

  const schedule = () => {
    if (visitors === 0 && !refining && waiting.size > 0) timer ??= setTimeout(refineNext, quietTime).unref()
  }

  const refineNext = async () => {
    timer = undefined
    const [next] = waiting.entries() // the last one that was set
    if (!next) return
    const [etag, job] = next
    refining = new AbortController()
    const { signal } = refining
    // A failure leaves the image as it is.
    await refineImage(etag, job, signal).catch(() => {})
    refining = undefined
    if (!signal.aborted) {
      waiting.delete(etag)
      tried.set(etag, true)
    }
    schedule()
  }

  const refineImage = async (etag: string, job: RenderJob, signal: AbortSignal) => {
    const { original, options, accepted, variant } = job
    const { bytes } = await untilAborted(original.read(signal), signal)
    if (!bytes || cache.etagOf(digestOf(bytes), variant) !== etag) return
    const { format, body } = await run({ ...settings, original: bytes, options, accepted, isRefined: true }, signal)
    // The original may have been replaced or purged meanwhile.
    const known = await cache.getDigest(await original.version(), original.digestTtl, job.purgeable)
    const stored = await cache.getImage(etag)
    const isCurrent = known && cache.etagOf(known.digest, variant) === etag
    if (!isCurrent || !stored || stored.isRefined || body.length >= stored.body.length || format === 'json') return
    cache.setImage({ etag, type: imageFormats[format].mediaType, body, isRefined: true })
  }

  return {
    refine(job, { etag, type, isRefined }) {
      if (!isOn || isRefined || !refinedTypes.includes(type) || tried.has(etag)) return
      waiting.set(etag, job)
      schedule()
    },
    async runFirst(task) {
      visitors++
      clearTimeout(timer)
      timer = undefined
      refining?.abort(new Error('a visitor waits for a transform'))
      return await run(task).finally(() => {
        visitors--
        schedule()
      })
    },
  }
}
