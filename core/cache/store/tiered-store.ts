import { type Log, logError, throttleLog } from '../../log.js'
import { chain, type MaybePromise } from '../../maybe-promise.js'
import { optionError } from '../../option-error.js'
import { checkTimeout } from '../../timeout.js'
import { guardStore } from './guarded-store.js'
import type { Store, StoreHit } from './store.js'

export interface TieredStoreOptions {
  /** Longest wait for one operation of a tier, in milliseconds; a slower tier is skipped for a second. Default 500. */
  timeout?: number | undefined
  /** Receives warnings and errors, each at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}

/**
 * Combines several stores into one, the fastest first. An entry that only a later tier has is copied to the earlier ones,
 * with its age. A tier that hangs or throws does not affect the others.
 *
 * `set` waits for the first tier only: later requests find the entry there, and no visitor waits for a disk. `delete`
 * waits for all tiers.
 *
 * @throws TypeError when the list is empty.
 * @example
 * tieredStore([
 *   memoryStore({ maxBytes: 64 * 1024 * 1024 }),
 *   diskStore({ directory: '.cache/pages', maxBytes: 1024 ** 3 }),
 * ])
 */
export function tieredStore(stores: readonly Store[], options: TieredStoreOptions = {}): Store {
  if (!Array.isArray(stores) || stores.length === 0) {
    throw optionError('stores', 'a list of stores, the fastest first', stores)
  }
  const { timeout = 500, log = logError } = options
  for (const store of stores) {
    if (typeof store?.get !== 'function') throw optionError('stores', 'a list of stores', stores)
  }
  checkTimeout(timeout)
  const throttled = throttleLog(log)
  const tiers = stores.map((store) => guardStore(store, timeout, throttled, 'Tiered store'))
  // The current search of each key in later tiers. A search that a `set` or `delete` has overtaken must not copy what it
  // finds over the newer state.
  const searches = new Map<string, symbol>()

  const findFrom = (index: number, key: string): MaybePromise<{ hit: StoreHit; index: number } | undefined> => {
    const tier = tiers[index]
    return tier && chain(tier.get(key), (hit) => (hit ? { hit, index } : findFrom(index + 1, key)))
  }
  const searchLaterTiers = (key: string): MaybePromise<StoreHit | undefined> => {
    const search = Symbol()
    searches.set(key, search)
    return chain(findFrom(1, key), (found) => {
      const isCurrent = searches.get(key) === search
      if (isCurrent) searches.delete(key)
      if (!found) return undefined
      const { entry, age } = found.hit
      if (isCurrent) for (const tier of tiers.slice(0, found.index)) void tier.set(key, entry, age)
      return found.hit
    })
  }

  return {
    get: (key) => chain(tiers[0]?.get(key), (hit) => hit ?? searchLaterTiers(key)),
    set(key, entry, age) {
      searches.delete(key)
      const [first] = tiers.map((tier) => tier.set(key, entry, age))
      return first
    },
    delete(key) {
      searches.delete(key)
      const deletions = tiers.map((tier) => tier.delete(key))
      if (deletions.some((each) => each instanceof Promise)) return Promise.all(deletions).then(() => {})
    },
  }
}
