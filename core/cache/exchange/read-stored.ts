import { chain } from '../../maybe-promise.js'
import { isSameResponse, type StoredResponse } from '../store/entry.js'
import type { GuardedStore } from '../store/guarded-store.js'
import type { ReadStored } from './body/body-pieces.js'

/**
 * Creates the function that reads a part of a response's body from the store: `undefined` when another one has taken its place, or
 * it was evicted.
 */
export function createReadStored(
  { get, getPart }: Pick<GuardedStore, 'get' | 'getPart'>,
  key: string,
  { stamp, initialAge, headers, body: { length } }: StoredResponse,
): ReadStored {
  const stored = { stamp, initialAge, headers } // without the body, which would stay in memory
  return (start, end) =>
    chain(getPart ? getPart(key, start, end) : get(key), (hit) => {
      if (!isSameResponse(hit?.entry, stored)) return undefined
      const { body } = hit.entry
      return body.length === length ? body.subarray(start, end) : body
    })
}
