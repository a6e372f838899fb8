import { type GuardedTagIndex, guardStore, guardTagIndex } from '../../../core/cache/internal.js'
import { throttleLog } from '../../../core/log.js'
import { createTaskRunner } from '../isolation/run-task.js'
import type { ResolvedOptions } from '../options.js'
import { createEncoder } from '../transforms/encoders.js'
import { rendererVersion } from '../transforms/renderer-version.js'
import { defaultConcurrency } from './concurrency.js'
import { createFailedImages } from './failed-images.js'
import { createImageCache, type ImageCache } from './image-cache.js'
import { createOriginLimiter } from './origin-limiter.js'
import { createRenderer, type ImageRenderer } from './renderer.js'

// Milliseconds; a slower store is no faster than rendering.
const storeTimeout = 1_000
// Milliseconds after which an origin none of whose originals is being fetched gets the place of a longer fetch.
const maxWaitForPlace = 1_000
// As above, for light images, most of which take less. One that has lost its place has 250 ms more to end.
const maxWaitForLight = 300
// As above, for heavy images. One that has lost its place has that of second attempts.
const maxWaitForHeavy = 1_000
// Encoding AVIF takes some 23 bytes of memory per pixel, WebP 5 (see memory-cost.ts), and the C library of Linux returns
// little of it to the system before the process ends. In the process of the site, after 500 images in every width up to
// 3840, two at a time, there are 512 MB with this limit, 636 MB with 2.5 million and 900 MB with 12 million. The price is
// some 20 percent more bytes for the few larger images.
const maxAvifPixelsInProcess = 1_500_000

export interface Pipeline {
  cache: ImageCache
  tagIndex: GuardedTagIndex
  render: ImageRenderer
}

/** Creates the image cache and the renderer over it. */
export function createPipeline(options: ResolvedOptions): Pipeline {
  const { fetchConcurrency, maxQueue, maxPixels, maxSourceBytes, transformTimeout, quality, onEvent, log } = options
  const { isolation, run } = createTaskRunner(options)
  const { concurrency = defaultConcurrency(isolation) } = options
  const maxAvifPixels = isolation === 'process' ? maxPixels : Math.min(maxPixels, maxAvifPixelsInProcess)
  const store = guardStore(options.cache, storeTimeout, throttleLog(log), 'Image service')
  const tagIndex = guardTagIndex(options.tagIndex, storeTimeout, throttleLog(log), 'Image service')
  const { settings } = createEncoder(quality)
  const isInProcess = isolation === 'none'
  const createHeavyLimiter = (maxWait?: number) =>
    createOriginLimiter({ concurrency: 1, maxQueue, maxQueueBytes: maxSourceBytes, maxWait })
  const limitHeavy = createHeavyLimiter(isInProcess ? undefined : maxWaitForHeavy)
  const cache = createImageCache(store, tagIndex, JSON.stringify([rendererVersion, settings, isolation]))
  const render = createRenderer({
    cache,
    failed: createFailedImages(),
    run,
    settings: { quality, maxPixels, maxAvifPixels, transformTimeout },
    limits: {
      light: createOriginLimiter({
        concurrency,
        maxQueue,
        maxWait: isInProcess ? undefined : maxWaitForLight,
      }),
      heavy: limitHeavy,
      // In the process of the site there is a thread for one heavy image (see concurrency.ts), and no stage can be ended.
      second: isInProcess ? limitHeavy : createHeavyLimiter(),
    },
    limitSlowOrigin: createOriginLimiter({ concurrency: Math.max(1, concurrency - 1), maxQueue }),
    limitFetch: createOriginLimiter({
      concurrency: fetchConcurrency,
      concurrencyPerOrigin: options.fetchConcurrencyPerOrigin,
      maxQueue,
      maxWait: maxWaitForPlace,
    }),
    // One is read while the others are rendered.
    limitRead: createOriginLimiter({
      concurrency: 2 * concurrency + 1,
      concurrencyPerOrigin: concurrency + 1,
      maxQueue,
      maxWait: maxWaitForPlace,
    }),
    onEvent,
  })
  return { cache, tagIndex, render }
}
