import type { Directives } from '../http/cache-control.js'
import { initialAgeOf, maxSeconds, parseCacheControl, parseTargeted, secondsOf } from '../http/cache-control.js'
import { parseHttpDate } from '../http/dates.js'
import { parseVary } from '../http/headers.js'
import type { StoragePlan } from './store/entry.js'

export interface PolicyOptions {
  /** Time at which the head of the response arrived, in milliseconds since 1970. */
  now: number
  /** Seconds from the request to the head of the response. */
  delay: number
  /** Targeted fields. The first field that is present replaces the lifetime in `Cache-Control`. */
  targets: readonly string[]
  /** Whether the key covers a request field. Receives the name in lower case. */
  isCovered: (name: string) => boolean
}

// In seconds. A stale response with a validator is still useful, because the handler may confirm it with a 304.
const validationTtl = 86_400
// Such responses are temporary, or about a part of a page. Their `Cache-Control` does not count, because frameworks
// keep the field that a route had set before it failed.
const unstoredStatuses = new Set([206, 304, 408, 425, 429])

/**
 * Decides whether a response to a GET may be stored, and for how long (RFC 9111, sections 3 and 4.2; RFC 5861; RFC
 * 9213). The response must have a lifetime, or a time for which it may be served stale. Server errors are not stored.
 * Pure.
 *
 * @example
 * planStorage(response, { now: Date.now(), delay: 0, targets: ['CDN-Cache-Control'], isCovered: (name) => name === 'accept' })
 */
export function planStorage(response: Pick<Response, 'status' | 'headers'>, options: PolicyOptions): StoragePlan {
  const { headers } = response
  const general = parseCacheControl(headers.get('cache-control'))
  const targeted = options.targets.map((name) => parseTargeted(headers.get(name))).find(Boolean)
  const directives = targeted ?? general
  const refusal = findRefusal(response, [general, directives], options.isCovered)
  if (refusal) return { refusal }

  const stale = {
    staleWhileRevalidate: secondsOf(directives, 'stale-while-revalidate') ?? 0,
    staleIfError: secondsOf(directives, 'stale-if-error') ?? 0,
  }
  // `s-maxage` implies `proxy-revalidate`, unless another directive explicitly allows stale responses.
  const allowsStale = directives.has('stale-while-revalidate') || directives.has('stale-if-error')
  const isStrict = directives.has('must-revalidate') || directives.has('proxy-revalidate')
  const mustRevalidate = isStrict || (directives.has('s-maxage') && !allowsStale)
  const lifetime = lifetimeOf(headers, options.now, directives, targeted !== undefined)
  const initialAge = initialAgeOf({ headers, ...options })
  const staleTime = mustRevalidate ? 0 : Math.max(stale.staleWhileRevalidate, stale.staleIfError)
  const remaining = lifetime - initialAge
  if (remaining + staleTime <= 0) return { refusal: 'no-lifetime' }
  // A nonce that every visitor knows protects no page (CSP 3, section 7.1).
  if (/'nonce-/i.test(headers.get('content-security-policy') ?? '')) return { refusal: 'nonce' }
  const hasValidator = headers.has('etag') || headers.has('last-modified')
  const ttl = Math.min(Math.ceil(remaining + Math.max(staleTime, hasValidator ? validationTtl : 0)), maxSeconds)
  const terms = { ...stale, lifetime, initialAge, mustRevalidate, ttl }
  return { terms, directives: new Map([...general, ...directives]) }
}

/**
 * @param directiveSets The directives of `Cache-Control`, and the directives that are obeyed instead. Both may forbid
 *   storing.
 */
function findRefusal(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  directiveSets: readonly Directives[],
  isCovered: PolicyOptions['isCovered'],
): string | undefined {
  if (status < 200 || status >= 500 || unstoredStatuses.has(status)) return 'status'
  const isSet = (name: string) => directiveSets.some((directives) => directives.get(name) === true)
  if (isSet('private')) return 'private'
  if (directiveSets.some((directives) => directives.has('no-store'))) return 'no-store'
  // With `no-cache`, the handler would have to confirm the response for each request.
  if (isSet('no-cache')) return 'no-cache'
  if (headers.has('set-cookie')) return 'set-cookie'
  const names = parseVary(headers.get('vary'))
  const uncovered = names === '*' ? '*' : names.find((name) => !isCovered(name))
  return uncovered === undefined ? undefined : `vary-${uncovered.slice(0, 100)}`
}

/**
 * Returns the freshness lifetime in seconds (RFC 9111, section 4.2.1), or 0 if the response does not state a lifetime.
 */
function lifetimeOf(headers: Headers, now: number, directives: Directives, isTargeted: boolean): number {
  const seconds = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age')
  if (seconds !== undefined) return seconds
  // A targeted field replaces Expires, too (RFC 9213, section 2.2).
  const expires = isTargeted ? undefined : parseHttpDate(headers.get('expires'), now)
  // Dates have no fractions of a second.
  const date = parseHttpDate(headers.get('date'), now) ?? Math.floor(now / 1000) * 1000
  return expires === undefined ? 0 : Math.min(Math.max(0, (expires - date) / 1000), maxSeconds)
}
