export type { Handler, RouteHandler } from '../handler.js'
export { type Log, throttleLog } from '../log.js'
export { decodeEntry, encodeEntry } from './codec.js'
export type { Stamp, StoredResponse, StoredValue, StoredVary, StoreEntry } from './entry.js'
export type { ResponseCacheOptions, ResponseTags } from './options.js'
export { createResponseCache, type ResponseCache } from './response-cache.js'
export { type MemoryStoreOptions, memoryStore, type Store, type StoreHit } from './store.js'
export {
  type MemoryTagIndexOptions,
  memoryTagIndex,
  type PurgeMode,
  type PurgeState,
  type TagIndex,
} from './tag-index.js'
export { type TieredStoreOptions, tieredStore } from './tiered-store.js'
export { trackingParameters } from './url-key.js'
