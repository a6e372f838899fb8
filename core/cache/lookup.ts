import { chain, type MaybePromise } from '../async.js'
import { describeError } from '../log.js'
import { withTimeout } from '../timeout.js'
import { type CachedResponse, toCachedResponse } from './cached-response.js'
import type { CacheContext } from './context.js'
import { createKeyMap } from './key.js'
import type { Lookup } from './page.js'
import type { Stamp, StoredResponse, StoreHit } from './store/entry.js'
import type { PurgeState } from './tags/tag-index.js'

/** Fills in the stored response of a page, and what was purged of it. */
export type LookUp = ReturnType<typeof createLookup>

/**
 * Creates the function that looks up the response to a request and asks whether its tags were purged. The answer of the
 * tag index is never older than the request. A store and an index in memory answer synchronously; others are asked at
 * the same time. The page is filled in place instead of copied, because every hit passes through here.
 */
export function createLookup({ formatStatus, store, tagIndex, knownPages, log }: CacheContext) {
  const cachedResponses = new WeakMap<StoredResponse, CachedResponse>()
  // The `unpurged` of the cached responses by stamp and tags, for stores that decode an entry again for each read.
  const unpurgedByTags = createKeyMap<CachedResponse['unpurged']>()

  /** Prepares an entry for serving, unless it is prepared already. */
  const adopt = (url: string, entry: StoredResponse): CachedResponse | undefined => {
    const existing = cachedResponses.get(entry)
    if (existing) return existing
    const { status, headers, stamp, tags } = entry
    try {
      // Another program's entry may be invalid. The platform's Response checks it; the Response of a server's adapter
      // does not.
      new Response(null, { status, headers: new Headers(headers as [string, string][]) })
      const name = `${stamp.epoch} ${stamp.sequence} ${tags.join()}`
      const known = unpurgedByTags.get(name)
      const unpurged = known ?? { until: stamp.sequence }
      if (!known) unpurgedByTags.set(name, unpurged)
      const cached = toCachedResponse(entry, unpurged, formatStatus)
      cachedResponses.set(entry, cached)
      knownPages.add(url)
      return cached
    } catch (error) {
      log('Response cache: the store returned an invalid response', { reason: describeError(error) })
      return undefined
    }
  }

  const fill = (page: Lookup, stamp: Stamp | undefined, hit: StoreHit | undefined): MaybePromise<Lookup> => {
    page.stamp = stamp
    const entry = stamp && hit?.entry.kind === 'response' ? hit.entry : undefined
    const cached = entry && adopt(page.url, entry)
    page.cached = cached
    page.purge = 'none'
    if (!stamp || !hit || !cached) return page
    page.age = cached.entry.initialAge + hit.age
    if (cached.entry.stamp.epoch !== stamp.epoch) page.purge = 'hard'
    else if (cached.unpurged.until !== stamp.sequence) return askForPurge(page, cached, stamp)
    return page
  }

  const askForPurge = (page: Lookup, { entry, unpurged }: CachedResponse, stamp: Stamp): MaybePromise<Lookup> =>
    chain(until<PurgeState>(page.deadline, tagIndex.purgedSince(entry.stamp, entry.tags), 'hard'), (purge) => {
      // The stamp is older than this answer, so the answer covers every purge up to the stamp. The stamp's number
      // replaces even a higher one, because an index that has lost its last purges assigns the same numbers again.
      if (purge === 'none') unpurged.until = stamp.sequence
      page.purge = purge
      return page
    })

  return (page: Lookup): MaybePromise<Lookup> => {
    const stamp = tagIndex.stamp()
    // Without the tag index, no stored response may be reused. The store is not asked, because it may be on the same
    // unavailable server.
    if (stamp === undefined) return fill(page, undefined, undefined)
    const hit = store.get(page.key)
    if (!(stamp instanceof Promise) && !(hit instanceof Promise)) return fill(page, stamp, hit)
    const both = [until(page.deadline, stamp, undefined), until(page.deadline, hit, undefined)] as const
    return Promise.all(both).then(([currentStamp, storeHit]) => fill(page, currentStamp, storeHit))
  }
}

/** Waits for a value until the deadline, by `performance.now`. */
function until<T>(deadline: number, value: MaybePromise<T>, fallback: T): MaybePromise<T> {
  if (!(value instanceof Promise)) return value
  return withTimeout(Math.max(1, deadline - performance.now()), value).catch(() => fallback)
}
