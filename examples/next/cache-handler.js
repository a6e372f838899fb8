import { memoryStore, memoryTagIndex } from 'sitewright/cache'
import { createCacheHandler } from 'sitewright/next-cache'

// The cache of Next.js itself has no bound: it writes seven files for each URL that anybody makes up.
const ownMemory = () => ({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }), tagIndex: memoryTagIndex() })

export default createCacheHandler(process.env.REDIS_URL ? await import('./redis.js') : ownMemory())
