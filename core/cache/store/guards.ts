import { chain, type MaybePromise } from '../../async.js'
import { describeError, type Log } from '../../log.js'
import { coalesceReads } from '../../single-flight.js'
import { withTimeout } from '../../timeout.js'
import type { PurgeMode, PurgeState, TagIndex } from '../tags/tag-index.js'
import { isStamp, isStoreEntry, type Stamp, type Store, type StoreEntry, type StoreHit } from './entry.js'

// Milliseconds for which a slow store is not asked. After that, one request tries again; the other requests go on
// without the store.
const pause = 1_000

/** Runs an operation. Returns the fallback on an error or a timeout. The caller waits until the deadline at most. */
type Attempt = <T>(work: () => MaybePromise<T>, fallback: T, deadline?: number) => MaybePromise<T>

/** @param isSkippable Whether operations are skipped for a while after an operation was too slow. */
function createAttempt(timeout: number, onError: (error: unknown) => void, isSkippable = true): Attempt {
  let downUntil = 0
  const wait = async <T>(work: Promise<T>, fallback: T): Promise<T> => {
    const began = performance.now()
    if (downUntil > 0) downUntil = began + Math.max(pause, timeout)
    try {
      const result = await withTimeout(timeout, work)
      downUntil = 0
      return result
    } catch (error) {
      // A fast failure causes no pause, because one broken entry must not disable reads.
      downUntil = performance.now() - began > timeout / 2 ? performance.now() + pause : 0
      onError(error)
      return fallback
    }
  }
  return (work, fallback, deadline) => {
    if (isSkippable && performance.now() < downUntil) return fallback
    try {
      const result = work()
      return result instanceof Promise ? until(deadline, wait(result, fallback), fallback) : result
    } catch (error) {
      onError(error)
      return fallback
    }
  }
}

/** Waits for a value until the deadline, by `performance.now`, if a deadline is given. */
function until<T>(deadline: number | undefined, value: MaybePromise<T>, fallback: T): MaybePromise<T> {
  if (deadline === undefined || !(value instanceof Promise)) return value
  return withTimeout(Math.max(1, deadline - performance.now()), value).catch(() => fallback)
}

export type GuardedStore = ReturnType<typeof guardStore>
export type GuardedTagIndex = ReturnType<typeof guardTagIndex>

/**
 * Creates a store that never throws and never hangs: a failure is logged, and counts as a miss. Concurrent reads of a
 * key are shared. `set` returns whether the entry was stored.
 *
 * @param timeout Longest wait for one operation in milliseconds.
 * @param owner The owner of the store, for the log.
 */
export function guardStore(store: Store, timeout: number, log: Log, owner = 'Response cache') {
  const attempt = (operation: string, isSkippable?: boolean) => {
    const message = `${owner}: store operation failed`
    return createAttempt(timeout, (error) => log(message, { operation, reason: describeError(error) }), isSkippable)
  }
  // Deletions are never skipped, because each of them must be attempted.
  const [read, write, remove] = [attempt('get'), attempt('set'), attempt('delete', false)]
  const check = (hit: StoreHit | undefined): StoreHit | undefined => {
    if (hit === undefined || hit === null) return undefined
    // If the store's clock was set back, the age may be negative.
    if (isStoreEntry(hit.entry) && Number.isFinite(hit.age)) return hit.age >= 0 ? hit : { entry: hit.entry, age: 0 }
    log(`${owner}: the store returned an invalid entry`, { operation: 'get' })
    return undefined
  }
  const tryGet = (key: string) => read<StoreHit | undefined>(() => store.get(key), undefined)
  const get = coalesceReads((key) => chain(tryGet(key), check))
  return {
    get: (key: string, deadline?: number) => until(deadline, get(key), undefined),
    set: (key: string, entry: StoreEntry, age?: number) =>
      write(() => chain<unknown, boolean>(store.set(key, entry, age), (result) => result !== false), false),
    delete: (key: string) => remove<void>(() => store.delete(key), undefined),
  }
}

/**
 * Creates a tag index that never throws and never hangs. On failure there is no stamp, and every tag counts as purged
 * hard. A purge is always attempted; callers that must notice failures call the index itself.
 *
 * @param timeout Longest wait for one operation in milliseconds.
 * @param owner The owner of the index, for the log.
 */
export function guardTagIndex(index: TagIndex, timeout: number, log: Log, owner = 'Response cache') {
  const onError = (error: unknown) => log(`${owner}: tag index failed`, { reason: describeError(error) })
  const [read, write] = [createAttempt(timeout, onError), createAttempt(timeout, onError, false)]
  const checkStamp = (stamp: Stamp | undefined) => {
    if (stamp === undefined || isStamp(stamp)) return stamp
    throw new TypeError('tag index: expected a stamp { epoch, sequence }')
  }
  const checkState = (state: unknown) => (state === 'none' || state === 'soft' ? state : 'hard')
  return {
    stamp: (deadline?: number) => read(() => chain(index.stamp(), checkStamp), undefined, deadline),
    purgedSince: (stamp: Stamp, tags: readonly string[], deadline?: number) =>
      read<PurgeState>(() => chain(index.purgedSince(stamp, tags), checkState), 'hard', deadline),
    purge: (tags: readonly string[], mode: PurgeMode) => write<void>(() => index.purge(tags, mode), undefined),
  }
}
