import { findHeader } from '../http/headers.js'
import { parseVary } from '../http/vary.js'
import type { StoredResponse } from './entry.js'
import type { Job } from './job.js'
import type { Parts } from './parts.js'
import { type Prepared, prepare } from './prepared.js'
import { mergeVary } from './vary.js'

/**
 * Creates the function that stores a response and tells those who wait for it. What a purge overtook is stale at birth:
 * it still answers those who came before the purge, but is not stored.
 */
export function createKeep({ store, index, backoff, describe, uncacheable, varyKey }: Parts) {
  return async ({ lookup, flight, request }: Job, entry: StoredResponse): Promise<Prepared> => {
    const { url } = lookup
    const prepared = prepare(entry, describe)
    const names = parseVary(findHeader(entry.headers, 'vary') ?? null)
    const isImage = /^image\//i.test(findHeader(entry.headers, 'content-type') ?? '')
    const vary = mergeVary(lookup.vary, names === '*' ? [] : names, isImage)
    const key = vary ? varyKey(url, vary, request.headers) : url
    const fits = (headers: Headers) => !vary || varyKey(url, vary, headers) === key
    if ((await index.purgedSince(entry.stamp, entry.tags)) !== 'hard' && flight.isValid()) {
      if (vary && vary !== lookup.vary) await store.set(url, vary)
      await store.set(key, entry)
    }
    uncacheable.delete(url)
    backoff.succeed(lookup.key)
    flight.land({ prepared, fits })
    return prepared
  }
}
