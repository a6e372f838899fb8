import { maxSeconds, parseCacheControl, secondsOf } from './cache-control.js'

/** What a request's `Cache-Control` asks of caches (RFC 9111, section 5.2.1). Times are in seconds. */
export interface RequestDirectives {
  readonly noCache: boolean
  readonly noStore: boolean
  readonly onlyIfCached: boolean
  readonly maxAge?: number | undefined
  readonly minFresh?: number | undefined
  readonly maxStale?: number | undefined
}

// Real fields are shorter, and parsing takes time.
const maxFieldLength = 1000

/** The directives of a request without any. */
export const noRequestDirectives: RequestDirectives = { noCache: false, noStore: false, onlyIfCached: false }

/**
 * Parses the `Cache-Control` of a request or, in its absence, `Pragma: no-cache` (RFC 9111, section 5.4).
 *
 * @param honor Whether clients may force a new render: if not, `no-cache`, `no-store`, `max-age` and `min-fresh` are
 *   ignored.
 */
export function parseRequestDirectives(headers: Pick<Headers, 'get'>, honor: boolean): RequestDirectives {
  const field = headers.get('cache-control')
  if (field === null) {
    return honor && /(?:^|,)\s*no-cache\s*(?:,|$)/i.test(headers.get('pragma') ?? '')
      ? { ...noRequestDirectives, noCache: true }
      : noRequestDirectives
  }
  if (field.length > maxFieldLength) return noRequestDirectives
  const directives = parseCacheControl(field)
  const maxStale = directives.get('max-stale') === true ? maxSeconds : secondsOf(directives, 'max-stale')
  return {
    noCache: honor && directives.has('no-cache'),
    noStore: honor && directives.has('no-store'),
    onlyIfCached: directives.has('only-if-cached'),
    maxAge: honor ? secondsOf(directives, 'max-age') : undefined,
    minFresh: honor ? secondsOf(directives, 'min-fresh') : undefined,
    maxStale,
  }
}
