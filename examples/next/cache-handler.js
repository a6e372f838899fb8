import { memoryStore, memoryTagIndex } from 'sitewright/cache'
import { createCacheHandler } from 'sitewright/next-cache'

// The cache of Next.js itself has no bound: it writes seven files for each address that anybody makes up.
const ownMemory = () => ({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }), tagIndex: memoryTagIndex() })
const isShared = Boolean(process.env.REDIS_URL)
const { store, tagIndex } = isShared ? await import('./redis.js') : ownMemory()

// What was purged since the build is known only to those who share the tag index with it. A not-found page takes some 50 KB.
export default createCacheHandler({
  store,
  tagIndex,
  prerendered: isShared,
  maxNegativeEntries: isShared ? 1_000 : 100,
})
