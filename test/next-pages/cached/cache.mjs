import { diskStore, diskTagIndex } from 'sitewright/disk'

const directory = process.env.CACHE_DIRECTORY ?? '.next/cache/pages'
export const store = diskStore({ directory, maxBytes: 1024 ** 3 })
export const tagIndex = diskTagIndex({ directory })
