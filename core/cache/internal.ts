import { withMethod } from '../options.js'

// Shared with this package's adapters, but not public: users of the package must not rely on it.
export { decodeEntry, encodeEntry, encodeHead } from './store/codec.js'
export { isStamp } from './store/entry.js'
export { type GuardedStore, type GuardedTagIndex, guardStore, guardTagIndex } from './store/guards.js'

/** Checks an option that is a store. */
export const checkStore = withMethod('get', 'a store, such as memoryStore({ maxBytes: 64 * 1024 * 1024 })')

/** Checks an option that is a tag index. */
export const checkTagIndex = withMethod('stamp', 'a tag index, such as memoryTagIndex()')
