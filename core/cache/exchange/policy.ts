import { initialAgeOf } from '../../http/age.js'
import { type Directives, maxSeconds, parseCacheControl, parseTargeted, secondsOf } from '../../http/cache-control.js'
import { parseHttpDate } from '../../http/dates.js'
import { parseVary } from '../../http/vary.js'
import { hasControlCharacters, type StoredResponse } from '../store/entry.js'

/** What decides whether a response is stored. */
export interface StorageRequest {
  /** Whether the request had `Authorization`. */
  authorized: boolean
  /** Whether the request said `no-store`. */
  noStore: boolean
  /** Whether it had a field that the response does not vary by and an error may be due to. Asked of errors only. */
  isOfClient(): boolean
  status: number
  headers: Headers
  /** Milliseconds since 1970 when the head of the response arrived. */
  now: number
  /** Seconds from the request to the head of the response. */
  delay: number
}

export interface PolicyOptions {
  /** Targeted fields that this cache obeys instead of `Cache-Control`: the first that is present. */
  targets: readonly string[]
  /** Share of the time since `Last-Modified` for which a response without a lifetime is fresh. 0: none. */
  heuristic: number
  /** Whether errors are stored that one client's request may have caused. */
  storeErrors: boolean
}

/** Why a response is not stored. */
export type StorageRefusal =
  | 'request no-store'
  | 'a header that cannot be sent'
  | `status ${number}`
  | 'an error that may be due to the client'
  | `status ${number} without a lifetime`
  | 'must-understand'
  | 'no-store'
  | 'private'
  | 'Vary: *'
  | 'Set-Cookie'
  | 'Authorization'
  | 'no lifetime and no validator'

/** How long a response may be stored and used, or why it is not stored. Times are in seconds. */
export type StoragePlan =
  | { refusal: StorageRefusal; terms?: never; directives?: never; needsConfirmation?: never }
  | {
      terms: StorageTerms
      directives: Directives
      /** Whether it is of use only where the handler confirms it by a 304. */
      needsConfirmation: boolean
      refusal?: never
    }

/** The part of the plan that a stored response keeps. */
export type StorageTerms = Pick<
  StoredResponse,
  | 'initialAge'
  | 'lifetime'
  | 'staleWhileRevalidate'
  | 'staleIfError'
  | 'mustRevalidate'
  | 'noCache'
  | 'allowsAuthorization'
  | 'ttl'
>

// A stale response with a validator is of use too: the handler may confirm it by a 304.
const validationTtl = 86_400
/** Statuses in whose place a stored response may be served (RFC 5861, section 4). */
export const errorStatuses: ReadonlySet<number> = new Set([500, 502, 503, 504])
/** Errors that speak of the URL, or of the service behind the handler, unless they are due to a field of the client. */
const sharedErrors: ReadonlySet<number> = new Set([404, 405, 410, 414, 502, 503, 504])
// Seconds. Frameworks keep the Cache-Control that a route had set before it failed, which was meant for the page.
const maxErrorLifetime = 10
// RFC 9111, section 5.2.2.3: statuses whose caching requirements this cache implements.
const understoodStatuses = new Set([200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 501])
// RFC 9110, section 15.1, without 206.
const heuristicallyCacheable = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501])

/**
 * Decides whether a response to a GET may be stored, and for how long (RFC 9111, sections 3, 3.5 and 4.2; RFC 5861;
 * RFC 9213). Errors that one client's request may have caused are not, unless the options say so, and those of the server for
 * ten seconds at most, whatever they state. Pure.
 *
 * @example
 * planStorage({ status: 200, headers: new Headers({ 'Cache-Control': 's-maxage=60' }), ...request }, options)
 */
export function planStorage(request: StorageRequest, options: PolicyOptions): StoragePlan {
  const { status, headers, authorized } = request
  const { directives, isTargeted } = readDirectives(headers, options.targets)
  const has = (name: string) => directives.has(name)
  const forbidden = findRefusal(request, directives, options)
  if (forbidden) return { refusal: forbidden }

  const allowsAuthorization = isForAuthorized(directives)
  if (authorized && !allowsAuthorization) return { refusal: 'Authorization' }
  const explicit = explicitLifetime(request, directives, isTargeted)
  // With a lifetime of its own, a response of any final status may be stored (RFC 9111, section 3).
  if (explicit === undefined && !has('public') && !heuristicallyCacheable.has(status)) {
    return { refusal: `status ${status} without a lifetime` }
  }

  const isError = errorStatuses.has(status)
  const staleSeconds = (name: string) => (isError ? 0 : (secondsOf(directives, name) ?? 0))
  const stale = {
    staleWhileRevalidate: staleSeconds('stale-while-revalidate'),
    staleIfError: staleSeconds('stale-if-error'),
  }
  // s-maxage implies proxy-revalidate, but an explicit allowance for stale responses overrides that.
  const allowsStale = has('stale-while-revalidate') || has('stale-if-error')
  const mustRevalidate = has('must-revalidate') || has('proxy-revalidate') || (has('s-maxage') && !allowsStale)
  const stated = explicit ?? heuristicLifetime(request, options.heuristic)
  const lifetime = Math.min(stated, isError ? maxErrorLifetime : maxSeconds)
  const initialAge = initialAgeOf(request)
  const hasValidator = headers.has('etag') || headers.has('last-modified')
  const staleTime = mustRevalidate ? 0 : Math.max(stale.staleWhileRevalidate, stale.staleIfError)
  const left = lifetime - initialAge
  const ttl = Math.ceil(left + Math.max(staleTime, hasValidator && !isError ? validationTtl : 0))
  if (ttl <= 0) return { refusal: 'no lifetime and no validator' }
  if (status >= 400 && !options.storeErrors && request.isOfClient()) {
    return { refusal: 'an error that may be due to the client' }
  }
  const noCache = directives.get('no-cache') === true
  return {
    directives,
    needsConfirmation: hasValidator && (noCache || left + staleTime <= 0),
    terms: {
      ...stale,
      lifetime,
      initialAge,
      mustRevalidate,
      noCache,
      allowsAuthorization,
      ttl: Math.min(ttl, maxSeconds),
    },
  }
}

/** Whether a response that is for all may answer a request with `Authorization` (RFC 9111, section 3.5). */
export function allowsAuthorization(headers: Headers, targets: readonly string[]): boolean {
  return isForAuthorized(readDirectives(headers, targets).directives)
}

function isForAuthorized(directives: Directives): boolean {
  return ['public', 's-maxage', 'must-revalidate'].some((name) => directives.has(name))
}

function readDirectives(headers: Headers, targets: readonly string[]): { directives: Directives; isTargeted: boolean } {
  for (const target of targets) {
    const directives = parseTargeted(headers.get(target))
    if (directives) return { directives, isTargeted: true }
  }
  return { directives: parseCacheControl(headers.get('cache-control')), isTargeted: false }
}

function findRefusal(
  { noStore, status, headers }: StorageRequest,
  directives: Directives,
  { storeErrors }: PolicyOptions,
): StorageRefusal | undefined {
  if (noStore) return 'request no-store'
  if (hasControlCharacters(headers)) return 'a header that cannot be sent'
  if (status === 206 || status === 304 || status < 200) return `status ${status}`
  if (status >= 400 && !storeErrors && !sharedErrors.has(status)) return `status ${status}`
  const mustUnderstand = directives.has('must-understand')
  if (mustUnderstand && !understoodStatuses.has(status)) return 'must-understand'
  if (directives.has('no-store') && !mustUnderstand) return 'no-store'
  if (directives.get('private') === true) return 'private'
  if (parseVary(headers.get('vary')) === '*') return 'Vary: *'
  const named = [directives.get('no-cache'), directives.get('private')].filter((value) => typeof value === 'string')
  const excludesCookies = named.some((value) => /(?:^|,)\s*set-cookie\s*(?:,|$)/i.test(value))
  if (headers.has('set-cookie') && !excludesCookies) return 'Set-Cookie'
  return undefined
}

/** The lifetime that a response states, in seconds (RFC 9111, section 4.2.1); `undefined` when it states none. */
function explicitLifetime(request: StorageRequest, directives: Directives, isTargeted: boolean): number | undefined {
  const seconds = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age')
  // A targeted field replaces Expires, too (RFC 9213, section 2.2).
  if (seconds !== undefined || isTargeted || !request.headers.has('expires')) return seconds
  const expires = parseHttpDate(request.headers.get('expires'), request.now) ?? 0
  return Math.max(0, (expires - dateOf(request)) / 1000)
}

/** RFC 9111, section 4.2.2. In seconds. */
function heuristicLifetime(request: StorageRequest, share: number): number {
  const modified = parseHttpDate(request.headers.get('last-modified'), request.now)
  return modified === undefined ? 0 : Math.max(0, ((dateOf(request) - modified) / 1000) * share)
}

/** When the response was made, in milliseconds since 1970, without fractions of a second: dates have none. */
function dateOf({ headers, now }: StorageRequest): number {
  return parseHttpDate(headers.get('date'), now) ?? Math.floor(now / 1000) * 1000
}
