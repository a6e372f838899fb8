import sharp from 'sharp'
import { guardStore } from '../../../core/cache/internal.js'
import { throttleLog } from '../../../core/log.js'
import type { Settings } from '../options.js'
import { createEncode } from '../transforms/encoders.js'
import { createTransform } from '../transforms/transform.js'
import { type Catalog, createCatalog } from './image-cache.js'
import { createSlots } from './limiter.js'
import { createPictureMaker, type PictureMaker } from './renderer.js'

// To be raised with every change of transform.ts that changes pixels: what is kept was made by the old one.
const recipeRevision = 1
// Milliseconds; whoever takes longer to find a picture is not worth waiting for.
const storeTimeout = 1_000

/** Puts together what makes pictures and what remembers them. */
export function createWorkshop(settings: Settings): { catalog: Catalog; make: PictureMaker } {
  const { cache, concurrency, fetchConcurrency, queue, maxPixels, observe, log } = settings
  const { encode, settings: encoderSettings } = createEncode(settings.quality)
  const store = guardStore(cache, storeTimeout, throttleLog(log), 'Image service')
  const catalog = createCatalog(store, JSON.stringify([recipeRevision, encoderSettings, sharp.versions]))
  const make = createPictureMaker({
    catalog,
    transform: createTransform({ encode, maxPixels, timeout: settings.transformTimeout }),
    maxPixels,
    inTransformSlot: createSlots({ concurrency, queue }),
    inHeavySlot: createSlots({ concurrency: 1, queue: concurrency }),
    inFetchSlot: createSlots({ concurrency: fetchConcurrency, queue }),
    observe,
  })
  return { catalog, make }
}
