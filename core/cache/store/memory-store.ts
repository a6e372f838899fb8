import { checkKnownOptions, integer, type OptionChecks, required } from '../../known-options.js'
import { checkFunction } from '../../option-error.js'
import { isText, type StoreEntry } from './entry.js'
import { createMemoryQuota } from './memory-quota.js'
import type { Store } from './store.js'

export interface MemoryStoreOptions {
  /** Bound of all entries together, in bytes. An entry that is larger by itself is not stored. */
  maxBytes: number
  /** Milliseconds of a monotonic clock. Default: `performance.now`. */
  clock?: (() => number) | undefined
}

// Map, list and object of an entry, so that a million tiny entries are bounded too.
const overheadBytes = 1024

const checks: OptionChecks<MemoryStoreOptions> = { maxBytes: required(integer(1)), clock: checkFunction }

/**
 * Creates a store in memory. When it is full it keeps the entries that are asked for most often, of which a use counts half
 * after ten minutes: what somebody asks for once, such as a URL with a made-up query, takes the place of nothing that was asked
 * for lately. It answers synchronously.
 *
 * @throws TypeError when `maxBytes` is not a whole number >= 1.
 * @example memoryStore({ maxBytes: 64 * 1024 * 1024 })
 */
export function memoryStore(options: MemoryStoreOptions): Store {
  const { maxBytes, clock = () => performance.now() } = checkKnownOptions(
    options,
    checks,
    'memoryStore({ maxBytes: 64 * 1024 ** 2 })',
  )
  const entries = createMemoryQuota<{ entry: StoreEntry; since: number }>(
    maxBytes,
    ({ entry, since }) => (clock() - since) / 1000 > entry.ttl,
    clock,
  )
  return {
    get(key) {
      const stored = entries.get(key)
      return stored && { entry: stored.entry, age: (clock() - stored.since) / 1000 }
    },
    set(key, entry, age = 0) {
      return entries.set(key, { entry: withOwnBuffer(entry), since: clock() - age * 1000 }, estimateBytes(key, entry))
    },
    delete(key) {
      entries.delete(key)
    },
  }
}

/** Estimates the memory that an entry takes, in bytes; an upper bound. */
export function estimateBytes(key: string, entry: StoreEntry): number {
  if (entry.kind === 'vary') return overheadBytes + 2 * key.length + 32 * entry.names.length
  if (entry.kind === 'value') {
    return overheadBytes + 2 * (key.length + JSON.stringify(entry.metadata).length) + entry.body.byteLength
  }
  let characters = key.length
  // Each name and value is a string of its own, with some 32 bytes besides its characters.
  for (const [name, value] of entry.headers) characters += name.length + value.length + 64
  for (const tag of entry.tags) characters += tag.length + 32
  // Once served, text is kept a second time as a string, of two bytes a character when one of them needs it.
  return overheadBytes + 2 * characters + (isText(entry) ? 3 : 1) * entry.body.byteLength
}

/** Copies a body that is a view of a larger buffer, such as the one it was received in, to release that buffer. */
function withOwnBuffer(entry: StoreEntry): StoreEntry {
  if (entry.kind === 'vary' || entry.body.byteLength === entry.body.buffer.byteLength) return entry
  return { ...entry, body: new Uint8Array(entry.body) }
}
