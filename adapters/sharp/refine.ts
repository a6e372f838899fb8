import { LRUCache } from 'lru-cache'
import { untilAborted } from '../../core/timeout.js'
import { digestOf, type EncodedImage } from './image-cache.js'
import type { RendererOptions, RenderJob } from './render.js'
import { encoders } from './transforms/encoders.js'

export type RefinerOptions = Pick<RendererOptions, 'cache' | 'run' | 'settings'>

// A refinement begins after this many milliseconds without a visitor who waits for a new image, so that it does not
// begin between two new images of the same page.
const quietTime = 1_000
// An image that does not fit is refined after a later request.
const maxWaiting = 256
const refinedTypes = Object.entries(encoders).flatMap(([format, { refined }]) => (refined ? `image/${format}` : []))

/**
 * Creates the queue of images to refine. It refines one image at a time, the most recently requested first, while no
 * visitor waits for a new image. The refined image replaces the stored one. An image that could not be made smaller, or
 * whose refinement failed, is not tried again.
 *
 * @returns `refine`, and `runFirst`, which runs the work for a visitor's image. It ends a running refinement, which
 *   starts again later.
 */
export function createRefiner({ cache, run, settings }: RefinerOptions) {
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
    const { original, box, accepted, card, variant } = job
    const { bytes } = await untilAborted(original.read(signal), signal)
    if (!bytes || cache.etagOf(digestOf(bytes), variant) !== etag) return
    const image = await run({ ...settings, original: bytes, box, accepted, card, isRefined: true }, signal)
    // The original may have been replaced or purged meanwhile.
    const known = await cache.getDigest(await original.version(), original.digestTtl, job.purgeable)
    const stored = await cache.getImage(etag)
    const isCurrent = known && cache.etagOf(known.digest, variant) === etag
    if (!isCurrent || !stored || stored.isRefined || image.body.length >= stored.body.length) return
    cache.setImage(etag, image, true)
  }

  return {
    /** Queues a stored image, to be encoded again for fewer bytes. */
    refine(job: RenderJob, { etag, type, isRefined }: EncodedImage): void {
      if (isRefined || !refinedTypes.includes(type) || tried.has(etag)) return
      waiting.set(etag, job)
      schedule()
    },
    async runFirst<T>(work: () => Promise<T>): Promise<T> {
      visitors++
      clearTimeout(timer)
      timer = undefined
      refining?.abort(new Error('a visitor waits for a new image'))
      return await work().finally(() => {
        visitors--
        schedule()
      })
    },
  }
}
