import type { MaybePromise } from '../../maybe-promise.js'
import { withTimeout } from '../../timeout.js'
import { createBoundedMap } from '../bounded-map.js'
import { type CacheContext, createExchange, type Exchange } from './context.js'
import type { LookUp } from './lookup.js'

// Milliseconds. Of a page that is out of date everywhere, not each request reads all copies.
const pause = 1_000

// Of what is good enough meanwhile.
const longestWait = 100

export interface LookElsewhere {
  /**
   * Looks for a newer copy of what is out of date here, which another process may have stored. `undefined`: the store has only one
   * copy, or that of this page was looked for in the last second.
   */
  (exchange: Exchange): MaybePromise<Exchange> | undefined
  /** Does so for a tenth of a second. Then, the exchange is returned as it is. */
  briefly(exchange: Exchange): MaybePromise<Exchange> | undefined
}

/** Creates the function that looks for newer copies in the later tiers of a store. */
export function createLookElsewhere({ store }: Pick<CacheContext, 'store'>, lookUp: LookUp): LookElsewhere {
  const searched = createBoundedMap<number>()
  const running = new Map<string, Promise<unknown>>()

  const lookElsewhere = (exchange: Exchange): MaybePromise<Exchange> | undefined => {
    const { request, handler, directives, url, key, stamp, cached } = exchange
    const { getLatest } = store
    if (!getLatest || !cached) return undefined
    const anew = () => ({ ...createExchange(request, handler, directives, url), stamp })
    const others = running.get(key)
    if (others) return others.then(() => lookUp(anew()))
    const now = performance.now()
    if (now < (searched.get(key) ?? 0)) return undefined
    searched.set(key, now + pause)
    const found = lookUp(anew(), getLatest)
    if (found instanceof Promise) {
      const settled = found.catch(() => {}).finally(() => running.delete(key))
      running.set(key, settled)
    }
    return found
  }
  return Object.assign(lookElsewhere, {
    briefly(exchange: Exchange) {
      const found = lookElsewhere(exchange)
      return found instanceof Promise ? withTimeout(longestWait, found).catch(() => exchange) : found
    },
  })
}
