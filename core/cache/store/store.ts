import type { MaybePromise } from '../../async.js'
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
}
