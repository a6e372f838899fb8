import sharp from 'sharp'
import { guardStore } from '../../../core/cache/internal.js'
import { throttleLog } from '../../../core/log.js'
import type { ResolvedOptions } from '../options.js'
import { createEncoder } from '../transforms/encoders.js'
import { createTransform } from '../transforms/transform.js'
import { createImageCache, type ImageCache } from './image-cache.js'
import { createLimiter } from './limiter.js'
import { createOriginLimiter } from './origin-limiter.js'
import { createRenderer, type ImageRenderer } from './renderer.js'

// Increment it with every change of transform.ts that changes pixels: cached images were made by the old code.
const transformRevision = 1
// Milliseconds; a slower store is no faster than rendering.
const storeTimeout = 1_000

/** Creates the image cache and the renderer over it. */
export function createPipeline(options: ResolvedOptions): { cache: ImageCache; render: ImageRenderer } {
  const { concurrency, fetchConcurrency, maxQueue, maxPixels, onEvent, log } = options
  const { encode, settings } = createEncoder(options.quality)
  const store = guardStore(options.cache, storeTimeout, throttleLog(log), 'Image service')
  const cache = createImageCache(store, JSON.stringify([transformRevision, settings, sharp.versions]))
  const render = createRenderer({
    cache,
    transform: createTransform({ encode, maxPixels, timeout: options.transformTimeout }),
    maxPixels,
    limitTransform: createLimiter({ concurrency, maxQueue }),
    limitHeavy: createLimiter({ concurrency: 1, maxQueue: concurrency }),
    limitFetch: createOriginLimiter({
      concurrency: fetchConcurrency,
      concurrencyPerOrigin: options.fetchConcurrencyPerOrigin,
      maxQueue,
    }),
    onEvent,
  })
  return { cache, render }
}
