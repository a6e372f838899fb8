import { LRUCache } from 'lru-cache'
import { checkFunction, checkKnownOptions, integer, type OptionChecks, required } from '../../options.js'
import { isText, type Store, type StoreEntry } from './entry.js'

export interface MemoryStoreOptions {
  /** Maximum size of all entries together, in bytes. A single entry that is larger is not stored. */
  maxBytes: number
  /** Returns the milliseconds of a monotonic clock. Default: `performance.now`. */
  clock?: (() => number) | undefined
}

interface Slot {
  entry: StoreEntry
  /** Time at which the entry's age was 0, by the option `clock`. */
  since: number
}

// Memory that an entry takes for maps, lists and objects. It is counted so that a million tiny entries are bounded,
// too.
const overheadBytes = 1024
// Share of all bytes for entries that were requested again after they were stored.
const provenShare = 0.8

const checks: OptionChecks<MemoryStoreOptions> = { maxBytes: required(integer(1)), clock: checkFunction }

/**
 * Creates a store in memory. When it is full, it first evicts entries that were not requested again since they were
 * stored, and then the least recently used entries. Therefore, a client that makes up a URL for each request does not
 * push out the pages that visitors request (segmented LRU: Karedla, Love, Wherry, "Caching strategies to improve disk
 * system performance", 1994). The store answers synchronously.
 *
 * @throws TypeError when `maxBytes` is not a whole number >= 1.
 * @example memoryStore({ maxBytes: 64 * 1024 * 1024 })
 */
export function memoryStore(options: MemoryStoreOptions): Store {
  const call = 'memoryStore({ maxBytes: 64 * 1024 ** 2 })'
  const { maxBytes, clock = () => performance.now() } = checkKnownOptions(options, checks, call)
  const recent = new LRUCache<string, Slot>({ maxSize: maxBytes, sizeCalculation: estimateBytes })
  const proven = new LRUCache<string, Slot>({
    maxSize: Math.ceil(maxBytes * provenShare),
    sizeCalculation: estimateBytes,
    dispose(slot, key, reason) {
      if (reason === 'evict') recent.set(key, slot)
    },
  })
  const bytes = () => recent.calculatedSize + proven.calculatedSize
  const remove = (key: string): undefined => {
    recent.delete(key)
    proven.delete(key)
  }
  return {
    get(key) {
      const slot = proven.get(key) ?? recent.get(key)
      const age = slot ? (clock() - slot.since) / 1000 : 0
      if (!slot) return undefined
      if (age > slot.entry.ttl) return remove(key)
      if (!proven.has(key) && estimateBytes(slot, key) <= proven.maxSize) {
        recent.delete(key)
        proven.set(key, slot)
      }
      return { entry: slot.entry, age }
    },
    set(key, entry, age = 0) {
      const slot = { entry: withOwnBuffer(entry), since: clock() - age * 1000 }
      const segment = proven.has(key) ? proven : recent
      remove(key)
      segment.set(key, slot)
      while (bytes() > maxBytes) recent.pop() ?? proven.pop()
      return recent.has(key) || proven.has(key)
    },
    delete: remove,
    bytes,
    entries: () => [...recent, ...proven].map(([key, { entry }]) => [key, entry] as const),
  }
}

/** Returns an upper bound of the memory that an entry takes, in bytes. */
function estimateBytes({ entry }: Slot, key: string): number {
  if (entry.kind === 'value')
    return overheadBytes + 2 * (key.length + JSON.stringify(entry.metadata).length) + entry.body.byteLength
  let characters = key.length
  // Each name and value is a separate string, with some 32 bytes besides its characters.
  for (const [name, value] of entry.headers) characters += name.length + value.length + 64
  for (const tag of entry.tags) characters += tag.length + 32
  // After text was served, it is also kept as a string, with two bytes per character if any character needs them.
  return overheadBytes + 2 * characters + (isText(entry) ? 3 : 1) * entry.body.byteLength
}

/**
 * Copies a body that is a view of a larger buffer, such as the buffer in which it was received, to release that buffer.
 */
const withOwnBuffer = (entry: StoreEntry): StoreEntry =>
  entry.body.byteLength === entry.body.buffer.byteLength ? entry : { ...entry, body: new Uint8Array(entry.body) }
