import type { MaybePromise } from '../../maybe-promise.js'
import { createBoundedMap } from '../bounded-map.js'
import { type CacheContext, createExchange, type Exchange } from './context.js'
import type { LookUp } from './lookup.js'

// Milliseconds. Of a page that is out of date everywhere, not each request reads all copies.
const pause = 1_000

/**
 * Creates the function that looks for a newer copy of what is out of date here, which another process may have stored. `undefined`: the
 * store has only one copy, or that of this page was looked for in the last second.
 */
export function createLookElsewhere({ store }: Pick<CacheContext, 'store'>, lookUp: LookUp) {
  const searched = createBoundedMap<number>()
  return (exchange: Exchange): MaybePromise<Exchange> | undefined => {
    const { request, handler, directives, url, key, stamp, cached } = exchange
    const now = performance.now()
    if (!store.getLatest || !cached || now < (searched.get(key) ?? 0)) return undefined
    searched.set(key, now + pause)
    return lookUp({ ...createExchange(request, handler, directives, url), stamp }, store.getLatest)
  }
}
