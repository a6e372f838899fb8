import type { MaybePromise } from '../maybe-promise.js'
import type { Stamp } from './entry.js'

/** How far a purge goes: `hard`, readers wait for the new page; `soft`, the old one is served while the new one renders. */
export type PurgeMode = 'soft' | 'hard'

/** What was purged of the tags of an entry. */
export type PurgeState = PurgeMode | 'none'

/**
 * Knows which tags were purged, and when; not by a clock, but by one sequence number. A purge increments it and writes
 * the new number against each tag, hard and soft apart; both only ever rise. An entry is stale once one of its tags
 * bears a higher number than its stamp.
 *
 * An index that lost what it knew, or may have, takes a new epoch: all that bears an older one counts as purged hard.
 */
export interface TagIndex {
  /**
   * The stamp that is current at some moment after the call; a purge that was acknowledged before the call is in it.
   * Whoever cannot find out gives `undefined`, or rejects: then nothing is stored and nothing reused.
   */
  stamp(): MaybePromise<Stamp | undefined>
  /** Whether any of the tags was purged since a stamp, as is known at some moment after the call. */
  purgedSince(stamp: Stamp, tags: readonly string[]): MaybePromise<PurgeState>
  /** Purges all the tags at once. Done means done: it rejects when it does not know. */
  purge(tags: readonly string[], mode: PurgeMode): MaybePromise<void>
}

export interface MemoryTagIndexOptions {
  /**
   * Most tags whose last purge is remembered. Beyond it the oldest is forgotten, and what was rendered before that purge
   * counts as purged. Default 100,000.
   */
  maxTags?: number | undefined
}

/**
 * Creates a tag index in memory, for one process. A purge costs the same whatever it touches. It answers at once.
 *
 * @example
 * const tagIndex = memoryTagIndex()
 * tagIndex.purge(['document'], 'hard')
 */
export function memoryTagIndex({ maxTags = 100_000 }: MemoryTagIndexOptions = {}): TagIndex {
  if (!Number.isSafeInteger(maxTags) || maxTags < 1) {
    throw new TypeError(`maxTags: ${maxTags} is no bound; write a whole number from 1 on`)
  }
  const numbers = { hard: new Map<string, number>(), soft: new Map<string, number>() }
  // All that is older than what was forgotten is as good as purged.
  let floor = 0
  let stamp: Stamp | undefined
  // At first use: Cloudflare Workers give no random values while a module is loaded.
  const current = () => {
    stamp ??= { epoch: crypto.randomUUID(), sequence: 0 }
    return stamp
  }

  const write = (mode: PurgeMode, tag: string, sequence: number) => {
    const written = numbers[mode]
    written.delete(tag) // so that the oldest purge comes first
    written.set(tag, sequence)
    if (written.size <= maxTags) return
    const [oldest, its] = written.entries().next().value as [string, number]
    written.delete(oldest)
    floor = Math.max(floor, its)
  }

  return {
    stamp: current,
    purgedSince({ epoch, sequence }, tags) {
      if (epoch !== current().epoch || sequence < floor || isAbove(numbers.hard, tags, sequence)) return 'hard'
      return isAbove(numbers.soft, tags, sequence) ? 'soft' : 'none'
    },
    purge(tags, mode) {
      const { epoch, sequence: last } = current()
      const sequence = last + 1
      stamp = { epoch, sequence }
      for (const tag of tags) write(mode, tag, sequence)
    },
  }
}

function isAbove(numbers: ReadonlyMap<string, number>, tags: readonly string[], sequence: number): boolean {
  if (numbers.size === 0) return false
  return tags.some((tag) => (numbers.get(tag) ?? 0) > sequence)
}
