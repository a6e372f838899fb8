import { chain, type MaybePromise } from '../../maybe-promise.js'
import { createBoundedMap } from '../bounded-map.js'
import type { Stamp, StoredResponse } from '../store/entry.js'
import type { GuardedStore } from '../store/guarded-store.js'
import type { StoreHit } from '../store/store.js'
import type { PurgeState } from '../tags/tag-index.js'
import { type CachedResponse, toCachedResponse } from './cached-response.js'
import type { CacheContext, Exchange } from './context.js'

export type LookUp = ReturnType<typeof createLookup>

type LookupContext = Pick<
  CacheContext,
  'store' | 'tagIndex' | 'varyKey' | 'variants' | 'varyRecords' | 'sharedPages' | 'formatStatus'
>

/**
 * Creates the function that looks up the response to a request and asks which of its tags were purged. The answer of the
 * tag index is always younger than the request. A store and an index in memory answer synchronously; others are asked
 * concurrently. The exchange is filled in place, since every hit passes here.
 *
 * The function takes the exchange and the way to read the store, by default `store.get`.
 */
export function createLookup(context: LookupContext) {
  const { store, tagIndex, varyKey, variants, varyRecords, sharedPages, formatStatus } = context
  const cachedResponses = new WeakMap<StoredResponse, CachedResponse>()
  // Of stores that decode an entry anew for each read, the last number up to which none of its tags was purged.
  const unpurged = createBoundedMap<number>()

  const toCachedOnce = ({ url, vary }: Exchange, entry: StoredResponse): CachedResponse => {
    sharedPages.add(url, vary, entry.status) // it may be stored no more when it is rendered again
    const known = cachedResponses.get(entry)
    if (known) return known
    const cached = toCachedResponse(entry, formatStatus)
    cachedResponses.set(entry, cached)
    return cached
  }

  const fill = (exchange: Exchange, stamp: Stamp, entry: StoredResponse, residentTime: number) => {
    const cached = toCachedOnce(exchange, entry)
    const done = (purge: PurgeState): Exchange => {
      exchange.cached = cached
      exchange.age = entry.initialAge + residentTime
      exchange.purge = purge
      return exchange
    }
    if (entry.stamp.epoch !== stamp.epoch) return done('hard')
    if (cached.unpurgedAt === stamp.sequence) return done('none')
    const question = `${stamp.epoch} ${entry.stamp.sequence} ${entry.tags.join()}`
    if (unpurged.get(question) === stamp.sequence) {
      cached.unpurgedAt = stamp.sequence
      return done('none')
    }
    return chain(tagIndex.purgedSince(entry.stamp, entry.tags), (purge) => {
      // The stamp is older than this answer, so up to it no purge can have been missed. Not the highest number that was ever
      // asked about: an index that has lost its last purges gives out the same numbers again.
      if (purge === 'none') {
        cached.unpurgedAt = stamp.sequence
        unpurged.set(question, stamp.sequence)
      }
      return done(purge)
    })
  }

  const countUse = ({ url, key, vary }: Exchange) => {
    for (const excess of [variants.use(url, key), vary && varyRecords.use(url, url)]) {
      if (excess !== undefined) void store.delete(excess)
    }
  }

  const select = (
    exchange: Exchange,
    stamp: Stamp | undefined,
    hit: StoreHit | undefined,
    get: GuardedStore['get'],
  ): MaybePromise<Exchange> => {
    exchange.stamp = stamp
    if (stamp && !hit) exchange.key = sharedPages.keyOf(exchange)
    if (!stamp || !hit || hit.entry.kind === 'value') return exchange
    if (hit.entry.kind === 'response') {
      countUse(exchange)
      return fill(exchange, stamp, hit.entry, hit.age)
    }
    const vary = hit.entry
    const key = varyKey(exchange.url, vary, exchange.request.headers)
    return chain(get(key), (variant) => {
      exchange.key = key
      exchange.vary = vary
      exchange.varyTtl = vary.ttl - hit.age
      if (variant?.entry.kind !== 'response') return exchange
      countUse(exchange)
      return fill(exchange, stamp, variant.entry, variant.age)
    })
  }

  return (exchange: Exchange, get: GuardedStore['get'] = store.get): MaybePromise<Exchange> => {
    // A stamp that is known already is that of a request that has waited.
    const stamp = exchange.stamp ?? tagIndex.stamp()
    // The tag index is unavailable: nothing could be reused, so the store is not asked. It may be the same server.
    if (stamp === undefined) return select(exchange, undefined, undefined, get)
    const hit = get(exchange.url)
    if (!(stamp instanceof Promise) && !(hit instanceof Promise)) return select(exchange, stamp, hit, get)
    return Promise.all([stamp, hit]).then(([currentStamp, found]) => select(exchange, currentStamp, found, get))
  }
}
