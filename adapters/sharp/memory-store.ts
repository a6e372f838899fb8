import { LRUCache } from 'lru-cache'
import type { ByteStore, StoredBytes } from './byte-store.js'

// Key, meta and bookkeeping of an entry, so that a million tiny entries are bounded too.
const overheadBytes = 512

/**
 * Creates a store in memory that drops what was not asked for the longest.
 *
 * @param maxBytes Bound of all entries together; what is larger on its own is not kept.
 */
export function createMemoryStore(maxBytes: number): ByteStore {
  const entries = new LRUCache<string, StoredBytes>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }, key) => body.length + key.length + overheadBytes,
  })
  return {
    async get(key) {
      return entries.get(key)
    },
    async set(key, stored) {
      entries.set(key, stored)
    },
  }
}
