// Shared with the adapters of this package; not part of the public API.
export { anyContent } from './reads.js'
