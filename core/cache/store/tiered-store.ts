import { chain, type MaybePromise } from '../../async.js'
import { type Log, logError, throttleLog } from '../../log.js'
import { optionError } from '../../option-error.js'
import { checkFunction, checkKnownOptions, type OptionChecks, withMethod } from '../../options.js'
import { checkTimeout } from '../../timeout.js'
import type { Store, StoreHit } from './entry.js'
import { type GuardedStore, guardStore } from './guards.js'

export interface TieredStoreOptions {
  /**
   * Longest wait for one operation of a tier, in milliseconds; a slower tier is skipped for up to a second. Default
   * 500.
   */
  timeout?: number | undefined
  /** Receives warnings and errors, each at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}

const checks: OptionChecks<TieredStoreOptions> = { timeout: checkTimeout, log: checkFunction }
const checkStore = withMethod('get', 'a list of stores')

/**
 * Combines several stores into one, the fastest first. An entry that only a later tier has is copied to the earlier
 * tiers, with its age. A tier that hangs or throws does not affect the others.
 *
 * `set` waits for the first tier that stores the entry: later requests find it there, and no visitor waits for a disk.
 * `delete` waits for all tiers.
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
  const call = 'tieredStore([memoryStore({ maxBytes: 32 * 1024 ** 2 }), diskStore({ directory, maxBytes: 1024 ** 3 })])'
  const { timeout = 500, log = logError } = checkKnownOptions(options, checks, call)
  for (const store of stores) checkStore('stores', store)
  const throttled = throttleLog(log)
  const tiers = stores.map((store) => guardStore(store, timeout, throttled, 'Tiered store'))
  // The current search of each key in later tiers. A search that a `set` or `delete` has overtaken must not copy its
  // result over the newer state.
  const searches = new Map<string, symbol>()

  const find = (index: number, key: string): MaybePromise<{ hit: StoreHit; index: number } | undefined> => {
    const tier = tiers[index]
    return tier && chain(tier.get(key), (hit) => (hit ? { hit, index } : find(index + 1, key)))
  }
  const searchLaterTiers = (key: string): MaybePromise<StoreHit | undefined> => {
    const search = Symbol()
    searches.set(key, search)
    return chain(find(1, key), (result) => {
      const isCurrent = searches.get(key) === search
      if (isCurrent) searches.delete(key)
      if (!result || !isCurrent) return result?.hit
      const { hit, index } = result
      for (const tier of tiers.slice(0, index)) void tier.set(key, hit.entry, hit.age)
      return hit
    })
  }

  return {
    isDurable: stores.some((store) => store.isDurable),
    get: (key) => chain(tiers[0]?.get(key), (hit) => hit ?? searchLaterTiers(key)),
    set(key, entry, age) {
      searches.delete(key)
      // A tier that did not store the entry may still have an older entry.
      const drop = (tier: GuardedStore) => chain(tier.delete(key), () => false)
      return firstStored(tiers.map((tier) => chain(tier.set(key, entry, age), (isStored) => isStored || drop(tier))))
    },
    delete(key) {
      searches.delete(key)
      const deletions = tiers.map((tier) => tier.delete(key))
      if (deletions.some((deletion) => deletion instanceof Promise)) return Promise.all(deletions).then(() => {})
    },
  }
}

/**
 * Returns whether any tier has stored an entry. Waits for one tier after the other, up to the first that has stored it.
 */
function firstStored([first = false, ...laterTiers]: MaybePromise<boolean>[]): MaybePromise<boolean> {
  return chain(first, (isStored) => isStored || (laterTiers.length > 0 && firstStored(laterTiers)))
}
