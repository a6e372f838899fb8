export { type DiskStoreOptions, diskStore } from './store.js'
export { type DiskTagIndex, type DiskTagIndexOptions, diskTagIndex } from './tag-index.js'
