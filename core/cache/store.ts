import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../maybe-promise.js'
import type { StoreEntry } from './entry.js'
import { isText } from './text.js'

/** What a store found. */
export interface StoreHit {
  entry: StoreEntry
  /** Seconds since it was set, by the store's own clock, on which all who share the store agree. */
  age: number
}

/**
 * Keeps entries by key, within bounds of its own: what it was given may be gone at any time, but comes back whole or not
 * at all. It may answer at once or later; what it throws, or takes too long for, counts as a miss.
 *
 * An entry may be dropped once `entry.ttl` seconds are over.
 */
export interface Store {
  get(key: string): MaybePromise<StoreHit | undefined>
  /** @param age Seconds that the entry has spent in another store before. Default 0. */
  set(key: string, entry: StoreEntry, age?: number): MaybePromise<void>
  delete(key: string): MaybePromise<void>
}

export interface MemoryStoreOptions {
  /** Bound of all entries together, in bytes; what is larger on its own is not kept. */
  maxBytes: number
  /** Milliseconds of a clock that never goes back. Default: `performance.now`. */
  clock?: (() => number) | undefined
}

// Map, list and object of an entry, so that a million tiny entries are bounded too.
const overheadBytes = 1024

/**
 * Creates a store in memory that drops what was not asked for the longest. It answers at once.
 *
 * @throws TypeError when `maxBytes` is no number of bytes.
 * @example memoryStore({ maxBytes: 64 * 1024 * 1024 })
 */
export function memoryStore({ maxBytes, clock = () => performance.now() }: MemoryStoreOptions): Store {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    throw new TypeError(`maxBytes: ${maxBytes} is no bound; write a number of bytes such as 64 * 1024 * 1024`)
  }
  const entries = new LRUCache<string, { entry: StoreEntry; since: number }>({
    maxSize: maxBytes,
    sizeCalculation: ({ entry }, key) => sizeOf(key, entry),
  })
  return {
    get(key) {
      const kept = entries.get(key)
      if (!kept) return undefined
      const age = (clock() - kept.since) / 1000
      if (age <= kept.entry.ttl) return { entry: kept.entry, age }
      entries.delete(key)
      return undefined
    },
    set(key, entry, age = 0) {
      entries.set(key, { entry: withOwnBody(entry), since: clock() - age * 1000 })
    },
    delete(key) {
      entries.delete(key)
    },
  }
}

/** The space that an entry takes in memory, in bytes: an estimate from above. */
export function sizeOf(key: string, entry: StoreEntry): number {
  let characters = key.length
  if (entry.kind === 'vary') return overheadBytes + 2 * characters + 32 * entry.names.length
  if (entry.kind === 'value') {
    return overheadBytes + 2 * (characters + JSON.stringify(entry.metadata).length) + entry.body.byteLength
  }
  // Each name and value is a string of its own, with some 32 bytes besides its characters.
  for (const [name, value] of entry.headers) characters += name.length + value.length + 64
  for (const tag of entry.tags) characters += tag.length + 32
  // Text is kept a second time as a string, once it was asked for: with two bytes a character, when one of them needs it.
  return overheadBytes + 2 * characters + (isText(entry) ? 3 : 1) * entry.body.byteLength
}

/** The entry with a body that keeps no larger buffer alive, such as the one that it was received in. */
function withOwnBody(entry: StoreEntry): StoreEntry {
  if (entry.kind === 'vary' || entry.body.byteLength === entry.body.buffer.byteLength) return entry
  return { ...entry, body: new Uint8Array(entry.body) }
}
