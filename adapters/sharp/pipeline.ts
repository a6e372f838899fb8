import type { LookupFunction } from 'node:net'
import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import { guardStore, guardTagIndex } from '../../core/cache/internal.js'
import { describeError, type Log, throttleLog } from '../../core/log.js'
import { ImageFailure } from './failure.js'
import { createImageCache, type ImageCache } from './image-cache.js'
import { createTaskRunner } from './isolation/run-task.js'
import type { ResolvedOptions } from './options.js'
import { createRefiner } from './refine.js'
import { createRenderer, type ImageRenderer, type OnEvent, type RenderJob } from './render.js'
import { createEncoder } from './transforms/encoders.js'
import { rendererVersion } from './transforms/render-image.js'

/** Settings for tests. */
export interface ServiceInternals {
  /** Resolves the host names of remote sources. The addresses are checked as usual. Default: `dns.lookup`. */
  lookup?: LookupFunction | undefined
  /** Maximum number of waiting images per origin. */
  maxQueue?: number | undefined
  /** Maximum wait of a visitor, in milliseconds. */
  waitTimeout?: number | undefined
  onEvent?: OnEvent | undefined
}

// Milliseconds. A store that takes longer is no faster than rendering.
const storeTimeout = 1_000
// Encoding AVIF takes some 23 bytes of memory per pixel, WebP 5, and the Linux C library returns little of it to the
// system before the process ends. After 500 images in every width up to 3840, two at a time, the site's process takes
// 512 MB with this limit, 636 MB with a limit of 2.5 million and 900 MB with 12 million. The few larger images are
// encoded as WebP, which takes some 20 percent more bytes.
const maxAvifPixelsInProcess = 1_500_000
// Memory of a separate process, including decoding. Measured: 1,432 MiB for a JPEG of 60 million pixels.
const avifBytesPerPixel = 27

/** Creates the image cache and the renderer of a service. */
export function createPipeline(options: ResolvedOptions, { maxQueue, onEvent = () => {} }: ServiceInternals) {
  const { maxPixels, maxWorkerMemory, quality, svg, keepCopyright, card: look, log } = options
  const { isolation, run } = createTaskRunner(options)
  // In the site's own process, the other threads of libuv's pool must remain free to read files.
  const { concurrency = Math.min(availableParallelism(), isolation === 'process' ? 4 : 2) } = options
  const store = guardStore(options.cache, storeTimeout, throttleLog(log), 'Image service')
  const tagIndex = guardTagIndex(options.tagIndex, storeTimeout, throttleLog(log), 'Image service')
  const encoderVersion = JSON.stringify([
    rendererVersion,
    createEncoder(quality).settings,
    isolation,
    svg,
    keepCopyright,
  ])
  const cache = createImageCache(store, tagIndex, encoderVersion)
  const maxAvifPixels = isolation === 'process' ? maxWorkerMemory / avifBytesPerPixel : maxAvifPixelsInProcess
  const settings = { quality, maxPixels, maxAvifPixels, svg, keepCopyright, look }
  const renderNow = createRenderer({ cache, run, settings, concurrency, maxQueue, onEvent })
  // A refinement in this process could not be ended.
  const refiner = options.refine && isolation === 'process' ? createRefiner({ cache, run, settings }) : undefined
  // Ends a running refinement before the original is read, because a busy processor slows down even reading.
  const render: ImageRenderer = refiner ? (...job) => refiner.runFirst(() => renderNow(...job)) : renderNow
  return { cache, tagIndex, render, refine: refiner?.refine, refresh: createRefresh(cache, render, log) }
}

/**
 * Creates the function that requests an original again while clients get the stored image (RFC 5861), and renders the
 * original if it has changed. It sends at most one request a minute for each original, even while the server fails.
 * After a 404, the stored image is no longer used; after other failures, it still is.
 */
function createRefresh(cache: ImageCache, render: ImageRenderer, write: Log): (job: RenderJob) => void {
  const log = throttleLog(write, { keyOf: (message, { source }) => `${message} ${source}` })
  const refreshed = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 })
  return (job) => {
    const { version, source } = job
    if (refreshed.has(version)) return
    refreshed.set(version, true)
    render(job).catch((error) => {
      if (error instanceof ImageFailure && error.status === 404) return cache.deleteDigest(version)
      const reason = describeError(error)
      log('Image service uses a stored image: its original cannot be fetched', { reason, source })
    })
  }
}
