import { checkInteger } from '../../option-error.js'
import type { Stamp } from '../store/entry.js'
import type { PurgeMode, TagIndex } from './tag-index.js'

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
