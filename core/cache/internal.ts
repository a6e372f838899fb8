// What the adapters of this package share with the response cache, and no user of the package is to rely on.
export { isStamp } from './entry.js'
export { type GuardedStore, guardStore } from './guarded-store.js'
export { type GuardedTagIndex, guardTagIndex } from './guarded-tag-index.js'
