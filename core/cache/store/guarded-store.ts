import { describeError } from '../../describe-error.js'
import type { Log } from '../../log.js'
import { chain, type MaybePromise } from '../../maybe-promise.js'
import { withTimeout } from '../../timeout.js'
import { createCircuitBreaker } from '../circuit-breaker.js'
import { coalesceReads } from './coalesce-reads.js'
import { isStoreEntry, type StoreEntry } from './entry.js'
import { createSharedBodies } from './shared-bodies.js'
import type { EndLease, Store, StoreHit } from './store.js'

/** A store that never throws and never hangs: a failure is a miss, and is logged. */
export interface GuardedStore {
  get(key: string): MaybePromise<StoreHit | undefined>
  /** Returns whether the entry was stored. */
  set(key: string, entry: StoreEntry, age?: number): MaybePromise<boolean>
  delete(key: string): MaybePromise<void>
  /** Missing when the store reads a body as fast as a part of it. */
  getPart?: GetPart | undefined
  /** Missing when the store has only one copy of each entry. */
  getLatest?: ((key: string) => MaybePromise<StoreHit | undefined>) | undefined
  /** Missing when the store has no leases. When one cannot be taken for a failure, the caller goes on as if it had it. */
  lease?: ((name: string, timeout: number) => MaybePromise<EndLease | undefined>) | undefined
}

type GetPart = (key: string, start: number, end: number) => MaybePromise<StoreHit | undefined>

/**
 * Adds a time limit to a store and validates what it returns. Reads of one key at the same time are shared, and those of the
 * same bytes share one body.
 *
 * @param timeout Longest wait for one operation in milliseconds.
 * @param owner Whose store it is, for the log.
 */
export function guardStore(store: Store, timeout: number, log: Log, owner = 'Response cache'): GuardedStore {
  // By the object that the store returned, which one in memory returns each time: it is validated once.
  const validated = new WeakMap<object, StoreEntry>()
  const breakers = {
    get: createCircuitBreaker(timeout),
    set: createCircuitBreaker(timeout),
    lease: createCircuitBreaker(timeout),
  }
  type Operation = keyof typeof breakers | 'delete'
  const shareBody = createSharedBodies()

  const fail = (operation: Operation, error: unknown) =>
    log(`${owner}: store operation failed`, { operation, reason: describeError(error) })
  // Deletions are never skipped: each must be attempted.
  const breakerOf = (operation: Operation) => (operation === 'delete' ? undefined : breakers[operation])
  const wait = async <T>(operation: Operation, work: Promise<T>, fallback: T, limit: number): Promise<T> => {
    const began = performance.now()
    try {
      const result = await withTimeout(limit, work)
      breakerOf(operation)?.onSuccess()
      return result
    } catch (error) {
      breakerOf(operation)?.onFailure(began)
      fail(operation, error)
      return fallback
    }
  }
  const attempt = <T>(
    operation: Operation,
    work: () => MaybePromise<T>,
    fallback: T,
    limit = timeout,
  ): MaybePromise<T> => {
    if (breakerOf(operation)?.isOpen()) return fallback
    try {
      const result = work()
      if (!(result instanceof Promise)) return result
      breakerOf(operation)?.onWait()
      return wait(operation, result, fallback, limit)
    } catch (error) {
      fail(operation, error)
      return fallback
    }
  }
  const adopt = (key: string, entry: unknown, isWhole: boolean): StoreEntry | undefined => {
    if (!isStoreEntry(entry)) return undefined
    const shared = isWhole ? shareBody(key, entry) : entry
    validated.set(entry, shared)
    return shared
  }
  const validate = (key: string, hit: StoreHit | undefined, isWhole: boolean): StoreHit | undefined => {
    if (hit === undefined || hit === null) return undefined
    const { entry, age } = hit
    if (Number.isFinite(age) && typeof entry === 'object' && entry !== null) {
      const shared = validated.get(entry) ?? adopt(key, entry, isWhole)
      // A store's clock that was set back yields a negative age.
      if (shared) return shared === entry && age >= 0 ? hit : { entry: shared, age: Math.max(0, age) }
    }
    log(`${owner}: the store returned an invalid entry`, { operation: 'get' })
    return undefined
  }

  const validHit = (key: string, work: () => MaybePromise<StoreHit | undefined>, isWhole = true) => {
    const hit = attempt('get', work, undefined)
    return hit instanceof Promise ? hit.then((found) => validate(key, found, isWhole)) : validate(key, hit, isWhole)
  }
  const createGetPart = (getPart: GetPart): GetPart => {
    const get = coalesceReads((request) => {
      const [key, start, end] = JSON.parse(request) as [string, number, number]
      return validHit(key, () => getPart(key, start, end), false)
    })
    return (...request) => get(JSON.stringify(request))
  }

  const lease = (name: string, leaseTimeout: number): MaybePromise<EndLease | undefined> => {
    let isOver = false
    const take = () =>
      chain(store.lease?.(name, leaseTimeout), (end) => {
        // Nobody waits for it any more, and nobody else would end it.
        if (isOver) Promise.resolve(end?.()).catch(() => {})
        return end
      })
    return chain(attempt('lease', take, doNothing, leaseTimeout + timeout), (end) => {
      isOver = true
      return end
    })
  }

  return {
    get: coalesceReads((key) => validHit(key, () => store.get(key))),
    getPart: store.getPart && createGetPart((...request) => store.getPart?.(...request)),
    getLatest: store.getLatest && coalesceReads((key) => validHit(key, () => store.getLatest?.(key))),
    set(key, entry, age) {
      const work = () => chain<unknown, boolean>(store.set(key, entry, age), (result) => result !== false)
      return attempt('set', work, false)
    },
    delete: (key) => attempt('delete', () => store.delete(key), undefined),
    lease: store.lease && lease,
  }
}

const doNothing: EndLease = () => {}
