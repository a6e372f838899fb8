import { LRUCache } from 'lru-cache'

// Map, list and string of an entry.
const overheadBytes = 200

/** Creates a map of small facts about many keys, bounded in bytes: the least recently used key is evicted first. */
export function createBoundedMap<T extends {}>(maxBytes = 4_000_000): LRUCache<string, T> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: (_, key) => overheadBytes + 2 * key.length })
}
