import { deserialize, serialize } from 'node:v8'
import type { PurgeState, Stamp, StoredValue, StoreHit } from '../../../core/cache/index.js'
import { type GuardedTagIndex, isStamp } from '../../../core/cache/internal.js'

const longest = 365 * 24 * 60 * 60

/** What is to be known of a value that is kept. Durations are in seconds. */
export interface Label {
  /** What was current before its render began. */
  stamp: Stamp
  tags: readonly string[]
  /** How old it is already. Default 0. */
  age?: number | undefined
  /** For how long it can be of use: a year at most, which is the default. */
  expire?: number | undefined
}

/**
 * Packs a value into an entry of a store: by structured clone, which keeps its buffers and maps, and what is
 * `undefined`, as they are.
 */
export function pack(value: unknown, { stamp, tags, age = 0, expire = longest }: Label): StoredValue {
  const body = new Uint8Array(serialize(value))
  return { kind: 'value', metadata: { stamp, tags, age }, body, ttl: Math.min(expire, longest) }
}

/** A value from a store, with what was purged of its tags. */
export interface Unpacked {
  value: unknown
  tags: readonly string[]
  /** In seconds. */
  age: number
  purge: PurgeState
}

/** Unpacks what was found; `undefined` when it was purged hard, or is nothing that {@link pack} made. */
export async function unpack(
  index: GuardedTagIndex,
  current: Stamp | undefined,
  found: StoreHit | undefined,
  moreTags: readonly string[],
): Promise<Unpacked | undefined> {
  if (!current || found?.entry.kind !== 'value') return undefined
  const { metadata, body } = found.entry
  if (!isMetadata(metadata)) return undefined
  const { stamp, tags, age } = metadata
  const isCurrent = stamp.epoch === current.epoch && stamp.sequence === current.sequence
  const purge = isCurrent ? 'none' : await index.purgedSince(stamp, [...tags, ...moreTags])
  if (purge === 'hard') return undefined
  try {
    return { value: deserialize(body), tags, age: age + found.age, purge }
  } catch {
    return undefined // of another version of Node.js, or of something else
  }
}

interface Metadata {
  stamp: Stamp
  tags: readonly string[]
  /** In seconds, when it was stored. */
  age: number
}

function isMetadata(
  metadata: Readonly<Record<string, unknown>>,
): metadata is Readonly<Record<string, unknown>> & Metadata {
  const { stamp, tags, age } = metadata
  return isStamp(stamp) && Array.isArray(tags) && tags.every((tag) => typeof tag === 'string') && Number.isFinite(age)
}
