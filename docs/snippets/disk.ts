import { createResponseCache, memoryStore, tieredStore } from 'sitewright/cache'
import { diskStore, diskTagIndex } from 'sitewright/disk'

const directory = '.cache/pages'

export const cache = createResponseCache({
  store: tieredStore([
    memoryStore({ maxBytes: 64 * 1024 * 1024 }),
    diskStore({ directory, maxBytes: 1024 ** 3 }),
  ]),
  tagIndex: diskTagIndex({ directory }),
  release: process.env.RELEASE, // the commit, or the digest of the build's manifest
})
