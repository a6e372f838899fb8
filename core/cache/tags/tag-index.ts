import type { MaybePromise } from '../../async.js'
import { createIsNew, isOneOfSeveralProcesses } from '../../development.js'
import { type Log, logError, throttleLog } from '../../log.js'
import { checkFunction, checkKnownOptions, integer, type OptionChecks } from '../../options.js'
import type { Stamp } from '../store/entry.js'

/**
 * How a purge treats stored responses: after a `hard` purge, readers wait for the new response; after a `soft` purge,
 * the old response is served while the new response renders. By default, the response cache is purged hard, and a CDN
 * soft.
 */
export type PurgeMode = 'soft' | 'hard'

/** The strongest purge of any of an entry's tags since its stamp. */
export type PurgeState = PurgeMode | 'none'

/**
 * Keeps track of the purged tags. A sequence number instead of a clock tells the order of purges: a purge raises
 * the number and records it for each tag, separately for hard and soft purges. Numbers only ever rise. An entry is
 * stale as soon as one of its tags has a higher number than its stamp.
 *
 * An index that has lost its state, or may have lost it, starts a new epoch: every entry with another epoch counts as
 * purged hard.
 */
export interface TagIndex {
  /**
   * Returns the stamp that is current at some moment after the call. This stamp covers every purge that was
   * acknowledged before the call. If the stamp cannot be determined, returns `undefined` or rejects: then no response
   * is stored or reused.
   */
  stamp(): MaybePromise<Stamp | undefined>
  /** Returns whether any of the tags was purged since a stamp, as of some moment after the call. */
  purgedSince(stamp: Stamp, tags: readonly string[]): MaybePromise<PurgeState>
  /**
   * Returns the milliseconds since the last purge of any of the tags, by a clock of the index, or since the epoch began
   * if the index may have lost purges then. `Infinity` if the tags were never purged. Sources that take time to settle
   * need it. Default: unknown, so that pages are kept as if their content had settled.
   */
  purgeAge?(tags: readonly string[]): MaybePromise<number>
  /** Purges all the tags together. Resolving acknowledges the purge; rejecting means that its success is uncertain. */
  purge(tags: readonly string[], mode: PurgeMode): MaybePromise<void>
}

/** Returns the tags of a response, in addition to the tags in its `Cache-Tag`. */
export type ResponseTags = (
  request: Pick<Request, 'url' | 'headers'>,
  response: Pick<Response, 'status' | 'headers'>,
) => readonly string[]

export interface MemoryTagIndexOptions {
  /**
   * Maximum number of tags whose purge is remembered, for hard and soft purges each; 100,000 tags take some 10 MB.
   * Beyond this number, all purges are forgotten, all entries from before count as purged, and this is logged. Default
   * 100,000.
   */
  maxPurgedTags?: number | undefined
  /** Receives a warning when purges were forgotten, at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}

const isNew = createIsNew()

const checks: OptionChecks<MemoryTagIndexOptions> = { maxPurgedTags: integer(1), log: checkFunction }

/**
 * Creates a tag index in memory, for one process. A purge costs the same no matter how many entries it affects. The
 * index answers synchronously.
 *
 * @throws TypeError when `maxPurgedTags` is not a whole number >= 1.
 * @example
 * const tagIndex = memoryTagIndex()
 * tagIndex.purge(['document'], 'hard')
 */
export function memoryTagIndex(options: MemoryTagIndexOptions = {}): TagIndex {
  const { maxPurgedTags = 100_000, log = logError } = checkKnownOptions(options, checks, 'memoryTagIndex()')
  const warn = throttleLog(log)
  const message = 'Memory tag index: several processes, each with an index of its own'
  if (isOneOfSeveralProcesses() && isNew(message)) {
    log(message, { advice: 'use redisTagIndex, or on one machine diskTagIndex, so that a purge reaches all of them' })
  }
  // The sequence of the last purge of each tag. It is also the time of the purge, in milliseconds, unless the clock was
  // set back.
  const purges = { hard: new Map<string, number>(), soft: new Map<string, number>() }
  // The highest forgotten sequence number: every entry with an older stamp may have been purged.
  let floor = 0
  let stamp: Stamp | undefined
  // The stamp is created at first use, because Cloudflare Workers have no random values while a module loads.
  const currentStamp = () => {
    stamp ??= { epoch: crypto.randomUUID(), sequence: 0 }
    return stamp
  }
  const hasHigher = (mode: PurgeMode, sequence: number, tags: readonly string[]) => {
    for (const tag of tags) if ((purges[mode].get(tag) ?? 0) > sequence) return true
    return false
  }

  return {
    stamp: currentStamp,
    purgedSince({ epoch, sequence }, tags) {
      if (epoch !== currentStamp().epoch || sequence < floor || hasHigher('hard', sequence, tags)) return 'hard'
      return hasHigher('soft', sequence, tags) ? 'soft' : 'none'
    },
    purge(tags, mode) {
      const { epoch, sequence } = currentStamp()
      const number = Math.max(sequence + 1, Date.now())
      stamp = { epoch, sequence: number }
      for (const tag of tags) {
        if (purges[mode].size >= maxPurgedTags && !purges[mode].has(tag)) {
          purges[mode].clear()
          floor = number
          warn('Memory tag index: purges were forgotten; what was stored before counts as purged', { maxPurgedTags })
        }
        purges[mode].set(tag, number)
      }
    },
    purgeAge(tags) {
      const last = Math.max(floor, ...tags.flatMap((tag) => [purges.hard.get(tag) ?? 0, purges.soft.get(tag) ?? 0]))
      return last > 0 ? Math.max(0, Date.now() - last) : Number.POSITIVE_INFINITY
    },
  }
}
