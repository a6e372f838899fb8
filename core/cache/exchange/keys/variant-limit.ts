import { LRUCache } from 'lru-cache'

/** Bounds the number of stored variants of each URL. */
export interface VariantLimit {
  /**
   * Records that a variant was stored or served.
   *
   * @param key Its key, which begins with the URL.
   * @returns The key of the least recently used variant of the URL, which is to be removed, when there are too many.
   */
  use(url: string, key: string): string | undefined
}

// Of the records themselves, in bytes; the least recently used URL is evicted first.
const maxRecordBytes = 8_000_000
// An upper bound: selections are hashed beyond 256 characters.
const variantBytes = 1_000

/** Creates a bound of variants per URL. */
export function createVariantLimit(maxVariants: number): VariantLimit {
  // The ends of the keys, after the URL; the least recently used first.
  const urls = new LRUCache<string, Set<string>>({
    maxSize: maxRecordBytes,
    // The end of a key keeps all of it in memory.
    sizeCalculation: (variants, url) => (1 + variants.size) * (variantBytes + 2 * url.length),
  })
  return {
    use(url, key) {
      const variants = urls.get(url) ?? new Set()
      const variant = key.slice(url.length)
      const isNew = !variants.delete(variant)
      variants.add(variant)
      if (!isNew) return undefined
      const [oldest] = variants.size > maxVariants ? variants : []
      if (oldest !== undefined) variants.delete(oldest)
      urls.set(url, variants)
      return oldest === undefined ? undefined : url + oldest
    },
  }
}
