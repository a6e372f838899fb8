export { type DiskStoreOptions, diskStore } from './store.js'
export { type DiskTagIndexOptions, diskTagIndex } from './tag-index.js'
