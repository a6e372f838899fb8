export type { Handler, RouteHandler } from '../handler.js'
export { type Log, throttleLog } from '../log.js'
export { createResponseCache, type ResponseCache } from './exchange/response-cache.js'
export { trackingParameters } from './exchange/url-key.js'
export type { ResponseCacheOptions } from './options.js'
export { decodeEntry, encodeEntry } from './store/codec.js'
export type { Stamp, StoredResponse, StoredValue, StoredVary, StoreEntry } from './store/entry.js'
export { type MemoryStoreOptions, memoryStore } from './store/memory-store.js'
export type { Store, StoreHit } from './store/store.js'
export { type TieredStoreOptions, tieredStore } from './store/tiered-store.js'
export type { ResponseTags } from './tags/response-tags.js'
export {
  type MemoryTagIndexOptions,
  memoryTagIndex,
  type PurgeMode,
  type PurgeState,
  type TagIndex,
} from './tags/tag-index.js'
