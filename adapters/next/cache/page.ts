import type { CachedValue } from './entry.js'
import { now } from './options.js'

/** Seconds until a page is revalidated (`false`: never), and until it must no longer be served. */
export interface NextCacheControl {
  revalidate: number | false
  expire?: number | undefined
}

/**
 * A page, route or piece of data that Next.js caches, with only the properties read here. `null` means that the page
 * was not found.
 */
export type IncrementalCacheValue = {
  kind: string
  headers?: Record<string, unknown> | undefined
  status?: number | undefined
} | null

/** A value from Next.js, as it is stored. */
export interface StoredNextValue {
  value: IncrementalCacheValue
  cacheControl?: NextCacheControl | undefined
}

/** The result of a handler's `get`. */
export interface CacheHandlerValue extends StoredNextValue {
  /** Milliseconds since the Unix epoch, by this process's clock. */
  lastModified: number
}

/** Returns a value's tags. Next.js passes the tags of data as an argument, and the tags of a page in its headers. */
export function readTags(value: IncrementalCacheValue, tags: readonly string[] = []): string[] {
  const header = value?.headers?.['x-next-cache-tags']
  return [...tags, ...(typeof header === 'string' ? header.split(',').filter(Boolean) : [])]
}

/** Whether the value means "not found": `notFound()`, a route's 404 or 410, or `notFound: true` in the Pages Router. */
export function isNotFound(value: IncrementalCacheValue): boolean {
  // The status of fetched data comes from its source and says nothing about the page.
  return value === null || (value.kind !== 'FETCH' && (value.status === 404 || value.status === 410))
}

/** Returns a lifetime of at most `ttl` seconds. */
export function shorten(cacheControl: NextCacheControl | undefined, ttl: number): NextCacheControl {
  const { revalidate = false, expire = ttl } = cacheControl ?? {}
  return { revalidate: revalidate === false ? ttl : Math.min(revalidate, ttl), expire: Math.min(expire, ttl) }
}

/**
 * Converts a cached value to the result of a handler's `get`. A handler cannot report an entry as stale. A softly
 * purged page therefore gets an old `lastModified`, which makes Next.js serve it once more and revalidate it in the
 * background. Softly purged data is a miss instead. If Next.js got the old data and the function for the new data threw
 * an error, Next.js would render pages with the old data and store them as new.
 *
 * @param canBeStale Whether Next.js reads `cacheControl` from the handler. If not, a softly purged page is also a miss.
 */
export function toHandlerValue({ value: stored, age, purge }: CachedValue, canBeStale: boolean) {
  const { value, cacheControl } = stored as StoredNextValue
  const lastModified = now() - age * 1000
  if (purge === 'none') return { lastModified, value, cacheControl }
  if (!canBeStale || value?.kind === 'FETCH') return null
  return { lastModified: Math.min(lastModified, now() - 2000), value, cacheControl: { ...cacheControl, revalidate: 1 } }
}
