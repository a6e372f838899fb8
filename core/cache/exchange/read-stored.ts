import { findHeader } from '../../http/headers.js'
import { chain } from '../../maybe-promise.js'
import { isSameResponse, type StoredResponse } from '../store/entry.js'
import type { GuardedStore } from '../store/guarded-store.js'
import type { ReadStored } from './body/body-pieces.js'

/**
 * Creates the function that reads a part of a response's body from the store: `undefined` when another one has taken its place, or
 * it was evicted. One that was rendered again may have the same body.
 */
export function createReadStored(
  { get, getPart }: Pick<GuardedStore, 'get' | 'getPart'>,
  key: string,
  { stamp, initialAge, headers, hasGeneratedEtag, body: { length } }: StoredResponse,
): ReadStored {
  const stored = { stamp, initialAge, headers, hasGeneratedEtag } // without the body, which would stay in memory
  return (start, end) =>
    chain(getPart ? getPart(key, start, end) : get(key), (hit) => {
      if (hit?.entry.kind !== 'response' || !hasSameBody(hit.entry, stored)) return undefined
      const { body } = hit.entry
      return body.length === length ? body.subarray(start, end) : body
    })
}

type Identity = Pick<StoredResponse, 'stamp' | 'initialAge' | 'headers' | 'hasGeneratedEtag'>

function hasSameBody(entry: StoredResponse, stored: Identity): boolean {
  // Digests of the bodies. A handler's own may be that of a page whose bytes differ nevertheless.
  const areDigests = entry.hasGeneratedEtag && stored.hasGeneratedEtag
  return (
    (areDigests && findHeader(entry.headers, 'etag') === findHeader(stored.headers, 'etag')) ||
    isSameResponse(entry, stored)
  )
}
