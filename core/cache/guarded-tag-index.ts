import { describeError } from '../describe-error.js'
import { within } from '../time-limit.js'
import type { Stamp } from './entry.js'
import type { Log } from './log.js'
import type { Maybe } from './maybe.js'
import type { Purge, TagIndex } from './tag-index.js'

/** A tag index that never throws or hangs where pages are read: whoever cannot find out knows nothing. */
export interface GuardedTagIndex {
  stamp(): Maybe<Stamp | undefined>
  purgedSince(stamp: Stamp, tags: readonly string[]): Maybe<Purge>
}

/**
 * Puts a time limit on the reading side of a tag index. Not knowing is taken for the worst: no stamp, purged hard.
 *
 * @param timeout Longest wait for one operation in milliseconds.
 */
export function guardTagIndex(index: TagIndex, timeout: number, log: Log): GuardedTagIndex {
  const attempt = <T>(work: () => Maybe<T>, unknown: T): Maybe<T> => {
    const fail = (error: unknown) => {
      log('Response cache: the tag index failed', { reason: describeError(error) })
      return unknown
    }
    try {
      const result = work()
      return result instanceof Promise ? within(timeout, result).catch(fail) : result
    } catch (error) {
      return fail(error)
    }
  }
  return {
    stamp: () => attempt<Stamp | undefined>(() => index.stamp(), undefined),
    purgedSince: (stamp, tags) => attempt<Purge>(() => index.purgedSince(stamp, tags), 'hard'),
  }
}
