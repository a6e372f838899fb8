import { checkKnownOptions, integer, type OptionChecks } from '../../known-options.js'
import { type Log, logError, throttleLog } from '../../log.js'
import { checkFunction } from '../../option-error.js'
import type { Stamp } from '../store/entry.js'
import type { PurgeMode, TagIndex } from './tag-index.js'

export interface MemoryTagIndexOptions {
  /**
   * Maximum number of tags whose last purge is remembered, for hard and soft purges each; 100,000 take some 10 MB. Beyond
   * it the oldest half is forgotten, and entries rendered before count as purged, which is logged. Default 100,000.
   */
  maxTags?: number | undefined
  /** Receives a warning when purges were forgotten, once a minute at most. Default: `console.error`. */
  log?: Log | undefined
}

const checks: OptionChecks<MemoryTagIndexOptions> = { maxTags: integer(1), log: checkFunction }

/**
 * Creates a tag index in memory, for one process. A purge costs the same however many entries it affects. It answers
 * synchronously.
 *
 * @throws TypeError when `maxTags` is not a whole number >= 1.
 * @example
 * const tagIndex = memoryTagIndex()
 * tagIndex.purge(['document'], 'hard')
 */
export function memoryTagIndex(options: MemoryTagIndexOptions = {}): TagIndex {
  const { maxTags = 100_000, log = logError } = checkKnownOptions(options, checks, 'memoryTagIndex()')
  const warn = throttleLog(log)
  const purges = { hard: createRecentPurges(maxTags), soft: createRecentPurges(maxTags) }
  // Highest sequence that was forgotten: everything older may have been purged.
  let floor = 0
  let stamp: Stamp | undefined
  // Created at first use: Cloudflare Workers have no random values while a module loads.
  const current = () => {
    stamp ??= { epoch: crypto.randomUUID(), sequence: 0 }
    return stamp
  }

  const record = (mode: PurgeMode, tag: string, sequence: number) => {
    const forgotten = purges[mode].record(tag, sequence)
    if (forgotten === 0) return
    floor = Math.max(floor, forgotten)
    warn('Memory tag index: the oldest purges were forgotten; what was stored before counts as purged', { maxTags })
  }

  return {
    stamp: current,
    purgedSince({ epoch, sequence }, tags) {
      if (epoch !== current().epoch || sequence < floor || purges.hard.hasHigher(sequence, tags)) return 'hard'
      return purges.soft.hasHigher(sequence, tags) ? 'soft' : 'none'
    },
    purge(tags, mode) {
      const { epoch, sequence: last } = current()
      const sequence = last + 1
      stamp = { epoch, sequence }
      for (const tag of tags) record(mode, tag, sequence)
    },
  }
}

/**
 * Creates a record of the last purge of each tag. Half of it is forgotten at once: to look for the one oldest tag in a map
 * takes ever longer, since what was deleted at its front is passed by each time.
 */
function createRecentPurges(maxTags: number) {
  const half = Math.max(1, Math.floor(maxTags / 2))
  let [recent, older] = [new Map<string, number>(), new Map<string, number>()]
  let [highestRecent, highestOlder] = [0, 0]

  return {
    /** Returns the highest sequence number that was forgotten for it, 0 for none. */
    record(tag: string, sequence: number): number {
      let forgotten = 0
      if (recent.size >= half && !recent.has(tag)) {
        forgotten = highestOlder
        ;[recent, older] = [new Map(), recent]
        highestOlder = highestRecent
      }
      recent.set(tag, sequence)
      highestRecent = sequence
      return forgotten
    },
    hasHigher(sequence: number, tags: readonly string[]): boolean {
      if (Math.max(highestRecent, highestOlder) <= sequence) return false
      return tags.some((tag) => (recent.get(tag) ?? older.get(tag) ?? 0) > sequence)
    },
  }
}
