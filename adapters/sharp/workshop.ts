import sharp from 'sharp'
import { createTieredStore } from './byte-store.js'
import { type Catalog, createCatalog } from './catalog.js'
import { createDiskCache } from './disk-cache.js'
import { createEncode } from './encoders.js'
import { createMemoryStore } from './memory-store.js'
import type { Settings } from './options.js'
import { createPictureMaker, type PictureMaker } from './picture-maker.js'
import { createSlots } from './slots.js'
import { createTransform } from './transform.js'

// To be raised with every change of transform.ts that changes pixels: what is kept was made by the old one.
const recipeRevision = 1

/** Puts together what makes pictures and what remembers them. */
export function createWorkshop(settings: Settings): { catalog: Catalog; make: PictureMaker } {
  const { directory, memoryBytes, diskBytes, concurrency, fetchConcurrency, queue, maxPixels, observe, log } = settings
  const { encode, settings: encoderSettings } = createEncode(settings.quality)
  const store = createTieredStore([
    ...(memoryBytes > 0 ? [createMemoryStore(memoryBytes)] : []),
    ...(directory === undefined ? [] : [createDiskCache({ directory, maxBytes: diskBytes, log })]),
  ])
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
