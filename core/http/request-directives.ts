import { maxSeconds, parseCacheControl, secondsOf } from './cache-control.js'

/** What a visitor asks of caches (RFC 9111, section 5.2.1). Times are in seconds. */
export interface RequestDirectives {
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
export const noRequestDirectives: RequestDirectives = { noCache: false, noStore: false, onlyIfCached: false }

/**
 * Reads `Cache-Control` and, in its absence, `Pragma: no-cache` (RFC 9111, section 5.4) of a request.
 *
 * @param obey Whether a visitor may have pages rendered anew. When not, `no-cache`, `no-store`, `max-age` and
 *   `min-fresh` are as if they were not there.
 */
export function parseRequestDirectives(headers: Pick<Headers, 'get'>, obey: boolean): RequestDirectives {
  const field = headers.get('cache-control')
  if (field === null) {
    return obey && /(?:^|,)\s*no-cache\s*(?:,|$)/i.test(headers.get('pragma') ?? '')
      ? { ...noRequestDirectives, noCache: true }
      : noRequestDirectives
  }
  if (field.length > longestField) return noRequestDirectives
  const directives = parseCacheControl(field)
  const maxStale = directives.get('max-stale') === true ? maxSeconds : secondsOf(directives, 'max-stale')
  return {
    noCache: obey && directives.has('no-cache'),
    noStore: obey && directives.has('no-store'),
    onlyIfCached: directives.has('only-if-cached'),
    maxAge: obey ? secondsOf(directives, 'max-age') : undefined,
    minFresh: obey ? secondsOf(directives, 'min-fresh') : undefined,
    maxStale,
  }
}
