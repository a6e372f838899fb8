import type { DescribeOutcome } from '../http/cache-status.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Stamp, StoredResponse, StoredVary } from './entry.js'
import type { GuardedStore } from './guarded-store.js'
import type { GuardedTagIndex } from './guarded-tag-index.js'
import { type Prepared, prepare } from './prepared.js'
import type { StoreHit } from './store.js'
import type { PurgeState } from './tag-index.js'
import type { VaryKey } from './vary.js'

/** What is known about a page when its request comes. */
export interface Lookup {
  /** What the page is rendered for. */
  url: string
  /** What the response that this request selects is stored under. */
  key: string
  /** `undefined`: the tag index is away, and nothing is known. */
  stamp: Stamp | undefined
  vary: StoredVary | undefined
  prepared?: Prepared | undefined
  /** Current age in seconds (RFC 9111, section 4.2.3). */
  age: number
  /** What was purged of its tags. */
  purge: PurgeState
}

interface LookupParts {
  store: GuardedStore
  index: GuardedTagIndex
  varyKey: VaryKey
  describe: DescribeOutcome
}

/**
 * Creates the function that looks for a page and asks what was purged. The answer of the index is always younger than
 * the request. Store and index in memory answer at once; others are asked at the same time.
 */
export function createLookup({ store, index, varyKey, describe }: LookupParts) {
  const prepared = new WeakMap<StoredResponse, Prepared>()

  const prepareOnce = (entry: StoredResponse): Prepared => {
    const known = prepared.get(entry)
    if (known) return known
    const made = prepare(entry, describe)
    prepared.set(entry, made)
    return made
  }

  const judge = (miss: Lookup, stamp: Stamp, entry: StoredResponse, resident: number): MaybePromise<Lookup> => {
    const found = prepareOnce(entry)
    const age = entry.initialAge + resident
    if (entry.stamp.epoch !== stamp.epoch) return withPurge(miss, found, age, 'hard')
    if (found.cleanUntil >= stamp.sequence) return withPurge(miss, found, age, 'none')
    return chain(index.purgedSince(entry.stamp, entry.tags), (purge) => {
      // The stamp is older than this answer, so up to it nothing can have been missed.
      if (purge === 'none') found.cleanUntil = Math.max(found.cleanUntil, stamp.sequence)
      return withPurge(miss, found, age, purge)
    })
  }

  return (url: string, headers: Pick<Headers, 'get'>): MaybePromise<Lookup> => {
    const select = (stamp: Stamp | undefined, found: StoreHit | undefined): MaybePromise<Lookup> => {
      const miss: Lookup = { url, key: url, stamp, vary: undefined, prepared: undefined, age: 0, purge: 'none' }
      if (!stamp || !found) return miss
      if (found.entry.kind === 'response') return judge(miss, stamp, found.entry, found.age)
      if (found.entry.kind !== 'vary') return miss
      const vary = found.entry
      const key = varyKey(url, vary, headers)
      return chain(store.get(key), (variant) => {
        miss.key = key
        miss.vary = vary
        return variant?.entry.kind === 'response' ? judge(miss, stamp, variant.entry, variant.age) : miss
      })
    }
    const stamp = index.stamp()
    const found = store.get(url)
    if (!(stamp instanceof Promise) && !(found instanceof Promise)) return select(stamp, found)
    return Promise.all([stamp, found]).then(([known, stored]) => select(known, stored))
  }
}

/** What was a miss is none. It is filled in, not copied: this is on the way of every hit. */
function withPurge(lookup: Lookup, prepared: Prepared, age: number, purge: PurgeState): Lookup {
  lookup.prepared = prepared
  lookup.age = age
  lookup.purge = purge
  return lookup
}
