import { now } from './options.js'
import type { IncrementalCacheValue, NextCacheControl } from './value.js'

const statuses: readonly unknown[] = [404, 410]

/** Whether a value says that there is nothing at an address: `notFound()`, or a route's 404 or 410. */
export function isNotFound(value: IncrementalCacheValue): boolean {
  // `null` is `notFound: true` of the Pages Router. The status of data is that of its source.
  return value === null || (value.kind !== 'FETCH' && statuses.includes(value.status))
}

/** Bounds what is stored of addresses where there is nothing, since anybody can make them up. */
export interface NotFoundLimit {
  /** Seconds for which a not-found page is kept. */
  readonly ttl: number
  /** Counts a not-found page that is to be stored. Returns `false` when it is one too many. */
  allow(): boolean
  /** Shortens the lifetime of a not-found page. */
  shorten(cacheControl: NextCacheControl | undefined): NextCacheControl
}

export interface NotFoundOptions {
  /**
   * Maximum lifetime of a page that says "not found" (404 or 410), in seconds; 0: it is not stored. Anybody can make up
   * addresses, and Next.js gives each such page the lifetime of its route, often a year. Default 60.
   */
  negativeTtl?: number | undefined
  /** Maximum number of not-found pages that one instance stores per `negativeTtl`; others are rendered. Default 1,000. */
  maxNegativeEntries?: number | undefined
}

/**
 * Creates the limit.
 *
 * @throws TypeError that names the invalid option.
 */
export function createNotFoundLimit({
  negativeTtl: ttl = 60,
  maxNegativeEntries = 1_000,
}: NotFoundOptions): NotFoundLimit {
  let windowEnds = 0
  let count = 0
  return {
    ttl,
    allow() {
      if (now() >= windowEnds) {
        windowEnds = now() + ttl * 1000
        count = 0
      }
      return ttl > 0 && count++ < maxNegativeEntries
    },
    shorten: ({ revalidate, expire = ttl } = { revalidate: false }) => ({
      revalidate: revalidate === false ? ttl : Math.min(revalidate, ttl),
      expire: Math.min(expire, ttl),
    }),
  }
}
