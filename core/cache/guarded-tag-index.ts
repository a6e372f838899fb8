import { describeError } from '../describe-error.js'
import type { Log } from '../log.js'
import type { MaybePromise } from '../maybe-promise.js'
import { withTimeout } from '../timeout.js'
import type { Stamp } from './entry.js'
import type { PurgeState, TagIndex } from './tag-index.js'

/** A tag index that never throws or hangs where pages are read: whoever cannot find out knows nothing. */
export interface GuardedTagIndex {
  stamp(): MaybePromise<Stamp | undefined>
  purgedSince(stamp: Stamp, tags: readonly string[]): MaybePromise<PurgeState>
}

/**
 * Puts a time limit on the reading side of a tag index. Not knowing is taken for the worst: no stamp, purged hard.
 *
 * @param timeout Longest wait for one operation in milliseconds.
 */
export function guardTagIndex(index: TagIndex, timeout: number, log: Log): GuardedTagIndex {
  const attempt = <T>(work: () => MaybePromise<T>, unknown: T): MaybePromise<T> => {
    const fail = (error: unknown) => {
      log('Response cache: the tag index failed', { reason: describeError(error) })
      return unknown
    }
    try {
      const result = work()
      return result instanceof Promise ? withTimeout(timeout, result).catch(fail) : result
    } catch (error) {
      return fail(error)
    }
  }
  return {
    stamp: () => attempt<Stamp | undefined>(() => index.stamp(), undefined),
    purgedSince: (stamp, tags) => attempt<PurgeState>(() => index.purgedSince(stamp, tags), 'hard'),
  }
}
