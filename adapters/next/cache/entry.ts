import { deserialize, serialize } from 'node:v8'
import type { PurgeState, Stamp, StoredValue, StoreHit } from '../../../core/cache/index.js'
import type { GuardedTagIndex } from '../../../core/cache/internal.js'
import { oneYear } from './purge.js'

/** Metadata and lifetime of an entry. */
export interface EntryOptions {
  /** Stamp that was current before the render began. */
  stamp: Stamp
  tags: readonly string[]
  /** Seconds since the value was rendered. Default 0. */
  age?: number | undefined
  /** Seconds for which the entry may be served. Default and maximum: a year. */
  ttl?: number | undefined
}

/**
 * Creates a store entry from a value. The value is serialized by structured clone, which preserves buffers, maps and
 * `undefined`.
 */
export function createEntry(value: unknown, { stamp, tags, age = 0, ttl = oneYear }: EntryOptions): StoredValue {
  const body = new Uint8Array(serialize(value))
  return { kind: 'value', metadata: { stamp, tags, age }, body, ttl: Math.min(ttl, oneYear) }
}

/** A stored value that has not been purged hard. */
export interface CachedValue {
  value: unknown
  tags: readonly string[]
  /** Seconds since the value was rendered. */
  age: number
  purge: PurgeState
}

/**
 * Reads a store entry. Returns `undefined` when the entry was purged hard, has expired, or cannot be read.
 *
 * @param current Stamp of the tag index; `undefined` while the index is down, because nothing may be served then.
 * @param extraTags Tags to check for purges in addition to the entry's own tags.
 */
export async function readEntry(
  index: GuardedTagIndex,
  current: Stamp | undefined,
  hit: StoreHit | undefined,
  extraTags: readonly string[],
): Promise<CachedValue | undefined> {
  if (!current || hit?.entry.kind !== 'value' || hit.age >= hit.entry.ttl) return undefined
  try {
    const { stamp, tags, age } = hit.entry.metadata as unknown as Metadata
    const isCurrent = stamp.epoch === current.epoch && stamp.sequence === current.sequence
    const purge = isCurrent ? 'none' : await index.purgedSince(stamp, [...tags, ...extraTags])
    if (purge === 'hard') return undefined
    return { value: deserialize(hit.entry.body), tags, age: age + hit.age, purge }
  } catch {
    return undefined // written by another version of Node.js, or of this package
  }
}

/** Whether an entry was rendered after more purges than the render that began with the given stamp. */
export function isNewer(hit: StoreHit | undefined, { epoch, sequence }: Stamp): boolean {
  if (hit?.entry.kind !== 'value') return false
  const { stamp } = hit.entry.metadata as unknown as Metadata
  return stamp.epoch === epoch && stamp.sequence > sequence
}

interface Metadata {
  stamp: Stamp
  tags: readonly string[]
  /** Age of the value when it was stored, in seconds. */
  age: number
}
