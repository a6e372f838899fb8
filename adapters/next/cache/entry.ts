import { deserialize, serialize } from 'node:v8'
import type { PurgeState, Stamp, StoredValue, StoreHit } from '../../../core/cache/index.js'
import { type GuardedTagIndex, isStamp } from '../../../core/cache/internal.js'

const maxTtl = 365 * 24 * 60 * 60

/** Metadata and lifetime of an entry. */
export interface EntryOptions {
  /** Stamp that was current before the render began. */
  stamp: Stamp
  tags: readonly string[]
  /** Seconds since the value was rendered. Default 0. */
  age?: number | undefined
  /** Seconds after which a store may drop the entry. Default and maximum: a year. */
  ttl?: number | undefined
}

/**
 * Creates a store entry from a value. It is serialized by structured clone, which preserves buffers, maps and
 * `undefined`.
 */
export function createEntry(value: unknown, { stamp, tags, age = 0, ttl = maxTtl }: EntryOptions): StoredValue {
  const body = new Uint8Array(serialize(value))
  return { kind: 'value', metadata: { stamp, tags, age }, body, ttl: Math.min(ttl, maxTtl) }
}

/** A value from a store that was not purged hard. */
export interface CachedValue {
  value: unknown
  tags: readonly string[]
  /** Seconds since the value was rendered. */
  age: number
  purge: PurgeState
}

/**
 * Reads a store entry. Returns `undefined` when it was purged hard, or was not made by {@link createEntry}.
 *
 * @param extraTags Tags whose purges count, in addition to those of the entry.
 */
export async function readEntry(
  index: GuardedTagIndex,
  current: Stamp | undefined,
  hit: StoreHit | undefined,
  extraTags: readonly string[],
): Promise<CachedValue | undefined> {
  if (!current || hit?.entry.kind !== 'value') return undefined
  const { metadata, body } = hit.entry
  if (!isMetadata(metadata)) return undefined
  const { stamp, tags, age } = metadata
  const isCurrent = stamp.epoch === current.epoch && stamp.sequence === current.sequence
  const purge = isCurrent ? 'none' : await index.purgedSince(stamp, [...tags, ...extraTags])
  if (purge === 'hard') return undefined
  try {
    return { value: deserialize(body), tags, age: age + hit.age, purge }
  } catch {
    return undefined // written by another version of Node.js, or by something else
  }
}

/** Whether an entry was rendered after more purges than a render that began with a stamp. */
export function isNewer(hit: StoreHit | undefined, stamp: Stamp): boolean {
  if (hit?.entry.kind !== 'value' || !isMetadata(hit.entry.metadata)) return false
  const { epoch, sequence } = hit.entry.metadata.stamp
  return epoch === stamp.epoch && sequence > stamp.sequence
}

interface Metadata {
  stamp: Stamp
  tags: readonly string[]
  /** Age when it was stored, in seconds. */
  age: number
}

function isMetadata(
  metadata: Readonly<Record<string, unknown>>,
): metadata is Readonly<Record<string, unknown>> & Metadata {
  const { stamp, tags, age } = metadata
  return isStamp(stamp) && Array.isArray(tags) && tags.every((tag) => typeof tag === 'string') && Number.isFinite(age)
}
