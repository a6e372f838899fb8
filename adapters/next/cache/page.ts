import type { CachedValue } from './entry.js'
import { now } from './options.js'

/** Seconds after which a page is revalidated (`false`: never), and after which it may no longer be served. */
export interface NextCacheControl {
  revalidate: number | false
  expire?: number | undefined
}

/** A page, route or piece of data that Next.js caches, as far as it matters here. `null`: a page that was not found. */
export type IncrementalCacheValue = {
  kind: string
  headers?: Record<string, unknown> | undefined
  status?: number | undefined
} | null

/** A value as it is stored. */
export interface StoredPage {
  value: IncrementalCacheValue
  cacheControl?: NextCacheControl | undefined
}

/** The result of a handler's `get`. */
export interface CacheHandlerValue extends StoredPage {
  /** Milliseconds since 1970, by the clock of this process. */
  lastModified: number
}

/** Reads the tags of a value: those of data are passed separately, those of a page are in its headers. */
export function readTags(value: IncrementalCacheValue, tags: readonly string[] = []): string[] {
  const header = value?.headers?.['x-next-cache-tags']
  return [...tags, ...(typeof header === 'string' ? header.split(',').filter(Boolean) : [])]
}

/** Whether there is nothing at an address: `notFound()`, a route's 404 or 410, or `notFound: true` of the Pages Router. */
export function isNotFound(value: IncrementalCacheValue): boolean {
  // The status of data is that of its source.
  return value === null || (value.kind !== 'FETCH' && (value.status === 404 || value.status === 410))
}

/** Returns a lifetime of at most `ttl` seconds. */
export function shorten(cacheControl: NextCacheControl | undefined, ttl: number): NextCacheControl {
  const { revalidate = false, expire = ttl } = cacheControl ?? {}
  return { revalidate: revalidate === false ? ttl : Math.min(revalidate, ttl), expire: Math.min(expire, ttl) }
}

/**
 * Converts a cached value to the result of a handler's `get`. A handler cannot report "stale", so a softly purged page gets a
 * `lastModified` that is too old: Next.js then serves it once more and revalidates in the background. Softly purged data is a
 * miss: when its function throws, Next.js would render pages with the old data, and store them as new ones.
 *
 * @param canBeStale Whether Next.js reads `cacheControl` from the handler. If not, a softly purged page is a miss, too.
 */
export function toHandlerValue({ value: stored, age, purge }: CachedValue, canBeStale: boolean) {
  const { value, cacheControl } = stored as StoredPage
  const lastModified = now() - age * 1000
  if (purge === 'none') return { lastModified, value, cacheControl }
  if (!canBeStale || value?.kind === 'FETCH') return null
  return { lastModified: Math.min(lastModified, now() - 2000), value, cacheControl: { ...cacheControl, revalidate: 1 } }
}
