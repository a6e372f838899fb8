import { describeError } from '../describe-error.js'
import type { Log } from '../log.js'
import type { MaybePromise } from '../maybe-promise.js'
import { withTimeout } from '../timeout.js'
import { isStored, type StoreEntry } from './entry.js'
import type { Store, StoreHit } from './store.js'

// After a store failed slowly, nobody waits for it for a while. What fails at once holds up nobody: one entry that is
// broken is not to take the others away, nor a full store what it holds.
const restMilliseconds = 1_000
const longestFailure = 100

/** A store that never throws or hangs: what fails is a miss, and said once in a while. */
export interface GuardedStore {
  get(key: string): MaybePromise<StoreHit | undefined>
  set(key: string, entry: StoreEntry, age?: number): MaybePromise<void>
  delete(key: string): MaybePromise<void>
}

/**
 * Puts a time limit on a store and checks what it gives.
 *
 * @param timeout Longest wait for one operation in milliseconds.
 * @param owner Whose store it is, for the log.
 */
export function guardStore(store: Store, timeout: number, log: Log, owner = 'Response cache'): GuardedStore {
  // What was checked once needs no second look; a store in memory gives the same object each time.
  const checked = new WeakSet<object>()
  const restsUntil = { get: 0, set: 0, delete: 0 }
  type Operation = keyof typeof restsUntil

  const fail = (operation: Operation, error: unknown): undefined => {
    log(`${owner}: the store failed`, { operation, reason: describeError(error) })
    return undefined
  }
  const wait = async <T>(operation: Operation, work: Promise<T>): Promise<T | undefined> => {
    const began = performance.now()
    try {
      return await withTimeout(timeout, work)
    } catch (error) {
      const now = performance.now()
      // What is to be removed must be, if it can be at all.
      const isSlow = operation !== 'delete' && now - began > Math.min(longestFailure, timeout / 2)
      if (isSlow) restsUntil[operation] = now + restMilliseconds
      return fail(operation, error)
    }
  }
  const attempt = <T>(operation: Operation, work: () => MaybePromise<T>): MaybePromise<T | undefined> => {
    if (restsUntil[operation] > 0 && performance.now() < restsUntil[operation]) return undefined
    try {
      const result = work()
      return result instanceof Promise ? wait(operation, result) : result
    } catch (error) {
      return fail(operation, error)
    }
  }
  const check = (found: StoreHit | undefined): StoreHit | undefined => {
    if (found === undefined || found === null) return undefined
    const { entry, age } = found
    if (Number.isFinite(age) && typeof entry === 'object' && entry !== null) {
      if (checked.has(entry)) return found
      if (isStored(entry)) {
        checked.add(entry)
        // A clock that went back makes nothing younger than it was.
        return age >= 0 ? found : { entry, age: 0 }
      }
    }
    log(`${owner}: the store gave something that is no entry`, { operation: 'get' })
    return undefined
  }

  return {
    get(key) {
      const found = attempt('get', () => store.get(key))
      return found instanceof Promise ? found.then(check) : check(found)
    },
    set: (key, entry, age) => attempt('set', () => store.set(key, entry, age)),
    delete: (key) => attempt('delete', () => store.delete(key)),
  }
}
