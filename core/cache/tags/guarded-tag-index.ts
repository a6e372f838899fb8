import { describeError } from '../../describe-error.js'
import type { Log } from '../../log.js'
import { chain, type MaybePromise } from '../../maybe-promise.js'
import { withTimeout } from '../../timeout.js'
import { createCircuitBreaker } from '../circuit-breaker.js'
import { isStamp, type Stamp } from '../store/entry.js'
import type { PurgeMode, PurgeState, TagIndex } from './tag-index.js'

/** A tag index that never throws and never hangs. */
export interface GuardedTagIndex {
  stamp(): MaybePromise<Stamp | undefined>
  purgedSince(stamp: Stamp, tags: readonly string[]): MaybePromise<PurgeState>
  /** Tries to purge: what must not fail unnoticed calls the index itself. */
  purge(tags: readonly string[], mode: PurgeMode): MaybePromise<void>
}

/**
 * Adds a time limit to a tag index. On failure there is no stamp, and every tag counts as purged hard. After a slow failure
 * nobody waits for the index until it answers again; a purge is attempted nevertheless.
 *
 * @param timeout Longest wait for one operation in milliseconds.
 * @param name Of its user, for the log.
 */
export function guardTagIndex(index: TagIndex, timeout: number, log: Log, name = 'Response cache'): GuardedTagIndex {
  const breaker = createCircuitBreaker(timeout)
  const fail = (error: unknown) => log(`${name}: tag index failed`, { reason: describeError(error) })
  const wait = async <T>(work: Promise<T>, fallback: T): Promise<T> => {
    const began = performance.now()
    try {
      const result = await withTimeout(timeout, work)
      breaker.onSuccess()
      return result
    } catch (error) {
      breaker.onFailure(began)
      fail(error)
      return fallback
    }
  }
  const attempt = <T>(work: () => MaybePromise<T>, fallback: T): MaybePromise<T> => {
    try {
      const result = work()
      return result instanceof Promise ? wait(result, fallback) : result
    } catch (error) {
      fail(error)
      return fallback
    }
  }
  const read = <T>(work: () => MaybePromise<T>, fallback: T): MaybePromise<T> => {
    if (breaker.isOpen()) return fallback
    const answer = attempt(work, fallback)
    if (answer instanceof Promise) breaker.onWait()
    return answer
  }
  return {
    stamp: () => read<Stamp | undefined>(() => chain(index.stamp(), validateStamp), undefined),
    purgedSince: (stamp, tags) => read<PurgeState>(() => index.purgedSince(stamp, tags), 'hard'),
    purge: (tags, mode) => attempt<void>(() => index.purge(tags, mode), undefined),
  }
}

function validateStamp(stamp: Stamp | undefined): Stamp | undefined {
  if (stamp === undefined || isStamp(stamp)) return stamp
  throw new TypeError('tag index: expected a stamp { epoch, sequence }')
}
