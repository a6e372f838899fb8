import { chain, type MaybePromise } from '../async.js'
import { describeError } from '../log.js'
import { type CachedResponse, toCachedResponse } from './cached-response.js'
import type { CacheContext, Page } from './context.js'
import { createKeyMap } from './renders.js'
import type { Stamp, StoredResponse, StoreHit } from './store/entry.js'
import type { PurgeState } from './tags/tag-index.js'

/**
 * Creates the function that looks up the response to a request and asks whether its tags were purged. The answer of the
 * tag index is never older than the request. A store and an index in memory answer synchronously; others are asked at
 * the same time. The page is filled in place instead of copied, because every hit passes through here.
 */
export function createLookup({ store, tagIndex, renders, formatStatus, log }: CacheContext) {
  const cachedResponses = new WeakMap<StoredResponse, CachedResponse>()
  // The last sequence number up to which the tags of an entry were not purged. It is needed for stores that decode an
  // entry again for each read, because `cachedResponses` does not contain such an entry.
  const unpurged = createKeyMap<number>()

  const adopt = (page: Page, entry: StoredResponse): CachedResponse | undefined => {
    const existing = cachedResponses.get(entry)
    if (existing) return existing
    try {
      // Another program's entry may be invalid. The platform's Response checks it; the Response of a server's adapter
      // does not.
      new Response(null, { status: entry.status, headers: new Headers(entry.headers as [string, string][]) })
      const cached = toCachedResponse(entry, formatStatus)
      cachedResponses.set(entry, cached)
      renders.noteUrl(page.url)
      return cached
    } catch (error) {
      log('Response cache: the store returned an invalid response', { reason: describeError(error) })
      return undefined
    }
  }

  /** Returns the strongest purge of the cached response's tags since its render. */
  const purgeOf = ({ deadline }: Page, cached: CachedResponse, stamp: Stamp): MaybePromise<PurgeState> => {
    const { entry } = cached
    if (entry.stamp.epoch !== stamp.epoch) return 'hard'
    if (cached.unpurgedAt === stamp.sequence) return 'none'
    const queryKey = `${stamp.epoch} ${entry.stamp.sequence} ${entry.tags.join()}`
    const isUnpurged = unpurged.get(queryKey) === stamp.sequence
    return chain(isUnpurged ? 'none' : tagIndex.purgedSince(entry.stamp, entry.tags, deadline), (purge) => {
      // The stamp is older than this answer, so the answer covers every purge up to the stamp. The stamp's number
      // replaces even a higher one, because an index that has lost its last purges assigns the same numbers again.
      if (purge === 'none') {
        cached.unpurgedAt = stamp.sequence
        unpurged.set(queryKey, stamp.sequence)
      }
      return purge
    })
  }

  const fill = (page: Page, stamp: Stamp | undefined, hit: StoreHit | undefined): MaybePromise<Page> => {
    page.stamp = stamp
    const entry = stamp && hit?.entry.kind === 'response' ? hit.entry : undefined
    const cached = entry && adopt(page, entry)
    if (!stamp || !hit || !cached) return page
    return chain(purgeOf(page, cached, stamp), (purge) => {
      page.cached = cached
      page.purge = purge
      page.age = cached.entry.initialAge + hit.age
      return page
    })
  }

  return (page: Page): MaybePromise<Page> => {
    const stamp = tagIndex.stamp(page.deadline)
    // Without the tag index, no stored response may be reused. The store is not asked, because it may be on the same
    // unavailable server.
    if (stamp === undefined) return page
    const hit = store.get(page.key, page.deadline)
    if (!(stamp instanceof Promise) && !(hit instanceof Promise)) return fill(page, stamp, hit)
    return Promise.all([stamp, hit]).then(([currentStamp, storeHit]) => fill(page, currentStamp, storeHit))
  }
}
