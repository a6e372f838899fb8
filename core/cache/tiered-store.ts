import { type Log, throttleLog } from '../log.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { guardStore } from './guarded-store.js'
import type { Store, StoreHit } from './store.js'

export interface TieredStoreOptions {
  /** Longest wait for one tier in milliseconds; then it is left out for a while. Default 500. */
  timeout?: number | undefined
  /** Told when a tier fails, once a minute at most. Default: `console.error`. */
  log?: Log | undefined
}

/**
 * Creates one store out of several, the fastest first. What only a later one has is copied to those before it, with its
 * age. A tier that hangs or throws does no harm to the others.
 *
 * `set` waits for the first tier only: whoever asks from then on finds what was set, and no visitor waits for a disk.
 * `delete` waits for all.
 *
 * @throws TypeError when there is no store.
 * @example
 * tieredStore([
 *   memoryStore({ maxBytes: 64 * 1024 * 1024 }),
 *   diskStore({ directory: '.cache/pages', maxBytes: 1024 ** 3 }),
 * ])
 */
export function tieredStore(stores: readonly Store[], options: TieredStoreOptions = {}): Store {
  if (!Array.isArray(stores) || stores.length === 0) {
    throw new TypeError('stores: there is none; write a list, the fastest first')
  }
  const { timeout = 500, log = (message, detail) => console.error(message, detail) } = options
  const warn = throttleLog(log)
  const tiers = stores.map((store) => guardStore(store, timeout, warn, 'Tiered store'))
  // Who looks for a key in the later tiers; what is set or deleted meanwhile must not be overwritten with what they find.
  const searches = new Map<string, symbol>()

  const findFrom = (index: number, key: string): MaybePromise<{ found: StoreHit; index: number } | undefined> => {
    const tier = tiers[index]
    return tier && chain(tier.get(key), (found) => (found ? { found, index } : findFrom(index + 1, key)))
  }
  const searchLater = (key: string): MaybePromise<StoreHit | undefined> => {
    const search = Symbol()
    searches.set(key, search)
    return chain(findFrom(1, key), (result) => {
      const isCurrent = searches.get(key) === search
      if (isCurrent) searches.delete(key)
      if (!result) return undefined
      const { entry, age } = result.found
      if (isCurrent) for (const tier of tiers.slice(0, result.index)) void tier.set(key, entry, age)
      return result.found
    })
  }

  return {
    get: (key) => chain(tiers[0]?.get(key), (found) => found ?? searchLater(key)),
    set(key, entry, age) {
      searches.delete(key)
      const [first] = tiers.map((tier) => tier.set(key, entry, age))
      return first
    },
    delete(key) {
      searches.delete(key)
      const deleting = tiers.map((tier) => tier.delete(key))
      if (deleting.some((each) => each instanceof Promise)) return Promise.all(deleting).then(() => {})
    },
  }
}
