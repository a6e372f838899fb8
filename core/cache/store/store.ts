import type { MaybePromise } from '../../maybe-promise.js'
import type { StoreEntry } from './entry.js'

/** What a store found under a key. */
export interface StoreHit {
  entry: StoreEntry
  /** Seconds since the entry was set, by the store's own clock, on which everyone who shares the store agrees. */
  age: number
}

/**
 * Keeps entries by key, within bounds of its own. It may evict any entry at any time, and may drop one after `entry.ttl`
 * seconds; it must never return a partial one. It may answer synchronously or with a promise; what it throws, or takes
 * too long for, counts as a miss.
 */
export interface Store {
  get(key: string): MaybePromise<StoreHit | undefined>
  /**
   * @param age Seconds that the entry has already spent in another store. Default 0.
   * @returns `false` when the entry was not stored, so that the previous one may still be there, which may be purged or out of
   *   date. Nothing stands for `true`.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most stores of users return nothing
  set(key: string, entry: StoreEntry, age?: number): MaybePromise<boolean | void>
  delete(key: string): MaybePromise<void>
  /**
   * As `get`, of an entry of whose body only `body.subarray(start, end)` is wanted: for a range, and nothing of it for a HEAD and for
   * clients that have the page. The body may also be whole. For a store that reads a part faster.
   */
  getPart?(key: string, start: number, end: number): MaybePromise<StoreHit | undefined>
  /**
   * As `get`, for a caller that cannot use what `get` returns: returns the newest copy, when the store has several of which
   * other processes may have replaced some.
   */
  getLatest?(key: string): MaybePromise<StoreHit | undefined>
  /**
   * Takes a lease on a piece of work, such as a render, so that of all processes that share the store only one does it. While
   * another process has the lease, it waits. A lease saves work and guarantees nothing: it ends when its process is killed
   * or blocked, and then two may have it.
   *
   * @param timeout Longest wait in milliseconds.
   * @returns The function that ends the lease, to be called once the result is stored; `undefined` when another process
   *   has ended it meanwhile, or still has it.
   */
  lease?(name: string, timeout: number): MaybePromise<EndLease | undefined>
}

/**
 * Ends a lease: those who wait for it look whether the result is stored. `false`: it is given up, and the next one who asks
 * gets it.
 */
export type EndLease = (isDone?: boolean) => MaybePromise<void>
