import { withMethod } from '../known-options.js'

/** Checks an option that is a store. */
export const checkStore = withMethod('get', 'a store, such as memoryStore({ maxBytes: 64 * 1024 * 1024 })')

/** Checks an option that is a tag index. */
export const checkTagIndex = withMethod('stamp', 'a tag index, such as memoryTagIndex()')
