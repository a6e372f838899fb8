import { chain, coalesceReads, type MaybePromise } from '../../async.js'
import { describeError, type Log } from '../../log.js'
import { withTimeout } from '../../timeout.js'
import type { PurgeMode, PurgeState, TagIndex } from '../tags/tag-index.js'
import { isStamp, isStoreEntry, type Stamp, type Store, type StoreEntry, type StoreHit } from './entry.js'

// Milliseconds for which a slow store is not asked. After that, one request tries again; the other requests go on
// without the store.
const pause = 1_000

/**
 * Creates a function that guards operations: a guarded operation returns its fallback on an error or a timeout.
 *
 * @param timeout Longest wait for one operation in milliseconds.
 * @param isSkippable Whether operations are skipped for a while after an operation was too slow.
 */
function createGuard(timeout: number, onError: (error: unknown) => void, isSkippable = true) {
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
  return <Args extends unknown[], T>(run: (...args: Args) => MaybePromise<T>, fallback: T) =>
    (...args: Args): MaybePromise<T> => {
      if (isSkippable && performance.now() < downUntil) return fallback
      try {
        const result = run(...args)
        return result instanceof Promise ? wait(result, fallback) : result
      } catch (error) {
        onError(error)
        return fallback
      }
    }
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
  const guard = (operation: string, isSkippable?: boolean) => {
    const message = `${owner}: store operation failed`
    return createGuard(timeout, (error) => log(message, { operation, reason: describeError(error) }), isSkippable)
  }
  const check = (hit: StoreHit | undefined): StoreHit | undefined => {
    if (hit === undefined || hit === null) return undefined
    // If the store's clock was set back, the age may be negative.
    if (isStoreEntry(hit.entry) && Number.isFinite(hit.age)) return hit.age >= 0 ? hit : { entry: hit.entry, age: 0 }
    log(`${owner}: the store returned an invalid entry`, { operation: 'get' })
    return undefined
  }
  const isStored = (result: unknown) => result !== false
  const set = (key: string, entry: StoreEntry, age?: number) => chain(store.set(key, entry, age), isStored)
  return {
    get: coalesceReads(guard('get')((key: string) => chain(store.get(key), check), undefined)),
    set: guard('set')(set, false),
    // Deletions are never skipped, because each of them must be attempted.
    delete: guard('delete', false)<[key: string], void>((key) => store.delete(key), undefined),
  }
}

/**
 * Creates a tag index that never throws and never hangs. On failure there is no stamp, and every tag counts as purged
 * hard, just now. A purge is always attempted; callers that must notice failures call the index itself.
 *
 * @param timeout Longest wait for one operation in milliseconds.
 * @param owner The owner of the index, for the log.
 */
export function guardTagIndex(index: TagIndex, timeout: number, log: Log, owner = 'Response cache') {
  const onError = (error: unknown) => log(`${owner}: tag index failed`, { reason: describeError(error) })
  const [read, write] = [createGuard(timeout, onError), createGuard(timeout, onError, false)]
  const checkStamp = (stamp: Stamp | undefined) => {
    if (stamp === undefined || isStamp(stamp)) return stamp
    throw new TypeError('tag index: expected a stamp { epoch, sequence }')
  }
  const checkState = (state: unknown): PurgeState => (state === 'none' || state === 'soft' ? state : 'hard')
  const purgedSince = (stamp: Stamp, tags: readonly string[]) => chain(index.purgedSince(stamp, tags), checkState)
  return {
    stamp: read(() => chain(index.stamp(), checkStamp), undefined),
    purgedSince: read(purgedSince, 'hard'),
    purgeAge: read((tags: readonly string[]) => index.purgeAge?.(tags) ?? Number.POSITIVE_INFINITY, 0),
    purge: write<[tags: readonly string[], mode: PurgeMode], void>((tags, mode) => index.purge(tags, mode), undefined),
  }
}
