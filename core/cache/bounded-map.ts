import { LRUCache } from 'lru-cache'
import { sha256Hex } from '../crypto.js'

/** A map that forgets the least recently used keys. */
export interface BoundedMap<T> {
  readonly size: number
  get(key: string): T | undefined
  has(key: string): boolean
  set(key: string, value: T): void
  delete(key: string): void
}

// Map, list and string of an entry.
const overheadBytes = 200
// Longer keys are hashed: a few hundred requests with long URLs would push all others out.
const maxKeyLength = 300
// Hashing takes longer than a hit, and several maps are asked for each request: the last digests are kept.
const maxDigests = 100
const digests = new Map<string, string>()

function shorten(key: string): string {
  if (key.length <= maxKeyLength) return key
  const known = digests.get(key)
  if (known !== undefined) return known
  if (digests.size >= maxDigests) digests.clear()
  const shortened = sha256Hex(key)
  digests.set(key, shortened)
  return shortened
}

/** Creates a map of small facts about many keys, bounded in bytes. The default has room for 5,000 at least. */
export function createBoundedMap<T extends {}>(maxBytes = 4_000_000): BoundedMap<T> {
  const map = new LRUCache<string, T>({
    maxSize: maxBytes,
    sizeCalculation: (_, key) => overheadBytes + 2 * key.length,
  })
  return {
    get size() {
      return map.size
    },
    get: (key) => map.get(shorten(key)),
    has: (key) => map.has(shorten(key)),
    set: (key, value) => void map.set(shorten(key), value),
    delete: (key) => void map.delete(shorten(key)),
  }
}
