// Shared with this package's adapters, but not public: users of the package must not rely on it.
export { coalesceReads } from './store/coalesce-reads.js'
export { isStamp } from './store/entry.js'
export { type GuardedStore, guardStore } from './store/guarded-store.js'
export { type GuardedTagIndex, guardTagIndex } from './tags/guarded-tag-index.js'
