import { sameEntityTag } from '../../../http/entity-tag.js'
import { findHeader } from '../../../http/headers.js'
import { createBoundedMap } from '../../bounded-map.js'
import type { StoredResponse } from '../../store/entry.js'

/** URLs whose handler does not confirm by a 304 what it has sent before. */
export interface Unconfirmed {
  has(url: string): boolean
  add(url: string): void
}

// Then it may be asked once more: what is behind the handler may have changed.
const rememberedFor = 3_600_000

/**
 * Creates the memory of URLs that are not confirmed, for an hour each.
 *
 * @param clock Milliseconds of a monotonic clock.
 */
export function createUnconfirmed(clock: () => number = () => performance.now()): Unconfirmed {
  const until = createBoundedMap<number>()
  return {
    has: (url) => clock() < (until.get(url) ?? Number.NEGATIVE_INFINITY),
    add: (url) => void until.set(url, clock() + rememberedFor),
  }
}

/** Whether a whole response, to a request with the validators of the stored one, has the same: a 304 would have done. */
export function isSameAgain({ headers: stored }: StoredResponse, headers: Headers): boolean {
  const etag = headers.get('etag')
  if (etag !== null) {
    const known = findHeader(stored, 'etag')
    return known !== undefined && sameEntityTag(known, etag)
  }
  const modified = headers.get('last-modified')
  return modified !== null && modified === findHeader(stored, 'last-modified')
}
