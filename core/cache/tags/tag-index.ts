import type { MaybePromise } from '../../maybe-promise.js'
import { checkInteger } from '../../option-error.js'
import type { Stamp } from '../store/entry.js'

/**
 * How a purge treats stored responses: after a `hard` one, readers wait for the new response; after a `soft` one, the old
 * response is served while the new one renders.
 */
export type PurgeMode = 'soft' | 'hard'

/** The strongest purge of any of an entry's tags since its stamp. */
export type PurgeState = PurgeMode | 'none'

/**
 * Knows which tags were purged, and in which order; not by a clock, but by one sequence number. A purge increments it and
 * records the new number for each tag, separately for hard and soft; both only ever rise. An entry is stale once one of
 * its tags has a higher number than its stamp.
 *
 * An index that lost its state, or may have, starts a new epoch: every entry with another epoch counts as purged hard.
 */
export interface TagIndex {
  /**
   * Returns the stamp that is current at some moment after the call. A purge that was acknowledged before the call is
   * included. When the stamp cannot be determined, returns `undefined` or rejects: then nothing is stored or reused.
   */
  stamp(): MaybePromise<Stamp | undefined>
  /** Returns whether any of the tags was purged since a stamp, as of some moment after the call. */
  purgedSince(stamp: Stamp, tags: readonly string[]): MaybePromise<PurgeState>
  /** Purges all the tags at once. Resolving acknowledges the purge; rejects when its success is uncertain. */
  purge(tags: readonly string[], mode: PurgeMode): MaybePromise<void>
}

export interface MemoryTagIndexOptions {
  /**
   * Largest number of tags whose last purge is remembered. Beyond it the oldest purge is forgotten, and entries rendered
   * before it count as purged. Default 100,000.
   */
  maxTags?: number | undefined
}

/**
 * Creates a tag index in memory, for one process. A purge costs the same however many entries it affects. It answers
 * synchronously.
 *
 * @throws TypeError when `maxTags` is not a whole number >= 1.
 * @example
 * const tagIndex = memoryTagIndex()
 * tagIndex.purge(['document'], 'hard')
 */
export function memoryTagIndex({ maxTags = 100_000 }: MemoryTagIndexOptions = {}): TagIndex {
  checkInteger('maxTags', maxTags, 1)
  const sequences = { hard: new Map<string, number>(), soft: new Map<string, number>() }
  // Highest sequence that was forgotten: everything older may have been purged.
  let floor = 0
  let stamp: Stamp | undefined
  // Created at first use: Cloudflare Workers have no random values while a module loads.
  const current = () => {
    stamp ??= { epoch: crypto.randomUUID(), sequence: 0 }
    return stamp
  }

  const record = (mode: PurgeMode, tag: string, sequence: number) => {
    const recorded = sequences[mode]
    recorded.delete(tag) // keeps the map in order of the last purge
    recorded.set(tag, sequence)
    if (recorded.size <= maxTags) return
    const [oldestTag, oldestSequence] = recorded.entries().next().value as [string, number]
    recorded.delete(oldestTag)
    floor = Math.max(floor, oldestSequence)
  }

  return {
    stamp: current,
    purgedSince({ epoch, sequence }, tags) {
      if (epoch !== current().epoch || sequence < floor || hasHigher(sequences.hard, tags, sequence)) return 'hard'
      return hasHigher(sequences.soft, tags, sequence) ? 'soft' : 'none'
    },
    purge(tags, mode) {
      const { epoch, sequence: last } = current()
      const sequence = last + 1
      stamp = { epoch, sequence }
      for (const tag of tags) record(mode, tag, sequence)
    },
  }
}

function hasHigher(sequences: ReadonlyMap<string, number>, tags: readonly string[], sequence: number): boolean {
  if (sequences.size === 0) return false
  return tags.some((tag) => (sequences.get(tag) ?? 0) > sequence)
}
