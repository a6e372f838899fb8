import { isStored, type Stored } from './entry.js'
import { type Log, reasonOf } from './log.js'
import type { Maybe } from './maybe.js'
import type { Found, Store } from './store.js'
import { within } from './time-limit.js'

// After a store took too long, nobody waits for it for a while.
const restMilliseconds = 1_000

/** A store that never throws or hangs: what fails is a miss, and said once in a while. */
export interface GuardedStore {
  get(key: string): Maybe<Found | undefined>
  set(key: string, entry: Stored, age?: number): Maybe<void>
  delete(key: string): Maybe<void>
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
  let restsUntil = Number.NEGATIVE_INFINITY

  const fail = (operation: string, error: unknown): undefined => {
    restsUntil = performance.now() + restMilliseconds
    log(`${owner}: the store failed`, { operation, reason: reasonOf(error) })
    return undefined
  }
  const isResting = () => restsUntil > 0 && performance.now() < restsUntil
  const attempt = <T>(operation: string, work: () => Maybe<T>): Maybe<T | undefined> => {
    // What is to be removed must be, if it can be at all.
    if (operation !== 'delete' && isResting()) return undefined
    try {
      const result = work()
      return result instanceof Promise ? within(timeout, result).catch((error) => fail(operation, error)) : result
    } catch (error) {
      return fail(operation, error)
    }
  }
  const check = (found: Found | undefined): Found | undefined => {
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
