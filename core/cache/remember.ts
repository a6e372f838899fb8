import { LRUCache } from 'lru-cache'

// Map, list and string of an entry.
const overheadBytes = 200

/** Creates a memory for a few facts about many keys, bounded in bytes: what was not asked for the longest goes first. */
export function rememberByKey<T extends {}>(maxBytes = 4_000_000): LRUCache<string, T> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: (_, key) => overheadBytes + 2 * key.length })
}
