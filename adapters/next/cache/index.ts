export type { Store, TagIndex } from '../../../core/cache/index.js'
export {
  type CacheHandler,
  type CacheHandlerClass,
  type CacheHandlerOptions,
  createCacheHandler,
} from './handler.js'
export type { NextCacheOptions } from './options.js'
export type { CacheHandlerValue, IncrementalCacheValue, NextCacheControl } from './page.js'
export type { Durations } from './purge.js'
export { createUseCacheHandler, type UseCacheEntry, type UseCacheHandler } from './use-cache.js'
