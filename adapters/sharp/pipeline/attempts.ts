import { LRUCache } from 'lru-cache'
import { chain, type MaybePromise } from '../../../core/async.js'
import type { GuardedTagIndex } from '../../../core/cache/internal.js'
import type { Purgeable } from './image-cache.js'

const maxOriginals = 10_000

/** Returns an original with the stamp of the first request since it was purged last. */
export type SinceLastPurge = (version: string, purgeable: Purgeable) => MaybePromise<Purgeable>

/**
 * Creates the function that keeps the stamps, of 10,000 originals. With the current one, a purge of whatever else would begin
 * another fetch beside one in flight, and forget what has just failed.
 */
export function createSinceLastPurge({ purgedSince }: Pick<GuardedTagIndex, 'purgedSince'>): SinceLastPurge {
  const originals = new LRUCache<string, Purgeable>({ max: maxOriginals })
  return (version, purgeable) => {
    const begin = () => {
      originals.set(version, purgeable)
      return purgeable
    }
    const known = originals.get(version)
    if (!known?.stamp || known.stamp.epoch !== purgeable.stamp?.epoch) return begin()
    if (known.stamp.sequence === purgeable.stamp.sequence) return known
    return chain(purgedSince(known.stamp, [purgeable.tag]), (purged) => (purged === 'none' ? known : begin()))
  }
}
