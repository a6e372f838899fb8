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
export interface StoredNextValue {
  value: IncrementalCacheValue
  cacheControl?: NextCacheControl | undefined
}

/** The result of a handler's `get`. */
export interface CacheHandlerValue {
  /** Milliseconds since 1970, by the clock of this process. */
  lastModified: number
  value: IncrementalCacheValue
  cacheControl?: NextCacheControl | undefined
}

const tagsHeader = 'x-next-cache-tags'

// A `lastModified` that is stale for every fetch: `revalidate: false` of a fetch stands for 136 years.
const alwaysStale = -(2 ** 43)

/** Reads the tags of a value: those of data are passed separately, those of a page are in its headers. */
export function readTags(value: IncrementalCacheValue, tags: readonly string[] = []): string[] {
  const header = value?.headers?.[tagsHeader]
  return [...tags, ...(typeof header === 'string' ? header.split(',').filter(Boolean) : [])]
}

/**
 * Converts a cached value to the result of a handler's `get`. A handler cannot report "stale", so a softly purged value gets a
 * `lastModified` that is too old: Next.js then serves it once more and revalidates in the background.
 *
 * @param canBeStale Whether Next.js reads `cacheControl` from the handler. If not, a softly purged value is a miss.
 */
export function toHandlerValue(
  { value: stored, age, purge }: CachedValue,
  canBeStale: boolean,
): CacheHandlerValue | null {
  const { value, cacheControl } = stored as StoredNextValue
  const lastModified = now() - age * 1000
  if (purge === 'none') return { lastModified, value, cacheControl }
  if (!canBeStale) return null
  if (value?.kind === 'FETCH') return { lastModified: alwaysStale, value }
  return { lastModified: Math.min(lastModified, now() - 2000), value, cacheControl: { ...cacheControl, revalidate: 1 } }
}
