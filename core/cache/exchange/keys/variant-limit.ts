import { LRUCache } from 'lru-cache'
import { createBoundedMap } from '../../bounded-map.js'
import { countAt, countUse, mayReplace, type UseCount } from '../../use-count.js'
import { withoutFragment } from './stated-url.js'

/** Bounds the number of stored variants of each URL. */
export interface VariantLimit {
  /**
   * Counts that a variant is about to be stored, or is served. One of a URL has another key than the URL itself: by the fields in
   * `Vary`, or by what the request says of its URL besides.
   *
   * @param url As in the exchange, also with a fragment.
   * @param key Of the variant, which begins with the URL.
   * @returns The key of the variant of the URL that is not to be stored any longer, when there are too many: another one, or this
   *   one when each of the others is asked for more often.
   */
  use(url: string, key: string): string | undefined
  /** Whether any variant of a URL was stored lately. */
  has(url: string): boolean
}

// Of the records themselves, in bytes; the least recently used URL is evicted first.
const maxRecordBytes = 8_000_000
// An upper bound: selections are hashed beyond 256 characters.
const variantBytes = 1_000

/**
 * Creates a bound of variants per URL. The least frequently used one is removed, not the least recently used: a client that makes
 * up a value with each request would push out all that visitors ask for.
 *
 * @param clock Milliseconds of a monotonic clock.
 */
export function createVariantLimit(maxVariants: number, clock: () => number = () => performance.now()): VariantLimit {
  // The end of a key keeps all of it in memory.
  const bytesPerVariant = (url: string) => variantBytes + 2 * url.length
  // By the ends of the keys, after the URL.
  const urls = new LRUCache<string, Map<string, UseCount>>({
    maxSize: maxRecordBytes,
    sizeCalculation: (variants, url) => (1 + variants.size) * bytesPerVariant(url),
  })
  // Of variants that are not stored.
  const others = createBoundedMap<UseCount>()

  const leastUsed = (variants: Map<string, UseCount>, now: number) => {
    let least: { variant: string; uses: UseCount; count: number } | undefined
    for (const [variant, uses] of variants) {
      const count = countAt(uses, now)
      if (!least || count < least.count) least = { variant, uses, count }
    }
    return least
  }

  return {
    use(stated, key) {
      const url = withoutFragment(stated)
      if (key.length === url.length) return undefined
      const now = clock()
      const variants = urls.get(url) ?? new Map<string, UseCount>()
      const variant = key.slice(url.length)
      const stored = variants.get(variant)
      const uses = stored ?? others.get(key) ?? { count: 0, at: now }
      countUse(uses, now)
      if (stored) return undefined
      // A record that is larger than all of them together would be forgotten, and with it the bound.
      const isFull = variants.size >= Math.min(maxVariants, maxRecordBytes / bytesPerVariant(url) - 2)
      const least = isFull ? leastUsed(variants, now) : undefined
      if (isFull && (!least || !mayReplace(uses.count, least.count))) {
        others.set(key, uses)
        return key
      }
      if (least) {
        variants.delete(least.variant)
        others.set(url + least.variant, least.uses)
      }
      variants.set(variant, uses)
      others.delete(key)
      urls.delete(url) // so that its size is calculated anew
      urls.set(url, variants)
      return least && url + least.variant
    },
    has: (url) => urls.has(withoutFragment(url)),
  }
}
