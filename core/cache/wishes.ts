import { longest, parseCacheControl, secondsOf } from './directives.js'

/** What a visitor asks of caches (RFC 9111, section 5.2.1). Times are in seconds. */
export interface Wishes {
  readonly noCache: boolean
  readonly noStore: boolean
  readonly onlyIfCached: boolean
  readonly maxAge?: number | undefined
  readonly minFresh?: number | undefined
  readonly maxStale?: number | undefined
}

// Every sensible field is shorter, and reading costs time.
const longestField = 1000

/** What most visitors ask: nothing. */
export const noWishes: Wishes = { noCache: false, noStore: false, onlyIfCached: false }

/**
 * Reads `Cache-Control` and, in its absence, `Pragma: no-cache` (RFC 9111, section 5.4) of a request.
 *
 * @param obey Whether a visitor may have pages rendered anew. When not, `no-cache`, `no-store`, `max-age` and
 *   `min-fresh` are as if they were not there.
 */
export function readWishes(headers: Pick<Headers, 'get'>, obey: boolean): Wishes {
  const field = headers.get('cache-control')
  if (field === null) {
    return obey && /(?:^|,)\s*no-cache\s*(?:,|$)/i.test(headers.get('pragma') ?? '')
      ? { ...noWishes, noCache: true }
      : noWishes
  }
  if (field.length > longestField) return noWishes
  const directives = parseCacheControl(field)
  const maxStale = directives.get('max-stale') === true ? longest : secondsOf(directives, 'max-stale')
  return {
    noCache: obey && directives.has('no-cache'),
    noStore: obey && directives.has('no-store'),
    onlyIfCached: directives.has('only-if-cached'),
    maxAge: obey ? secondsOf(directives, 'max-age') : undefined,
    minFresh: obey ? secondsOf(directives, 'min-fresh') : undefined,
    maxStale,
  }
}
