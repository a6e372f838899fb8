// @ts-expect-error the package has no types of its own that can be read without Node's
import CachePolicy from 'http-cache-semantics'
import { initialAgeOf } from '../http/age.js'
import { type Directives, maxSeconds, parseCacheControl, parseTargeted, secondsOf } from '../http/cache-control.js'
import { parseHttpDate } from '../http/dates.js'
import { parseVary } from '../http/vary.js'
import type { StoredResponse } from './entry.js'

/** What of a response decides about its storage. */
export interface Exchange {
  /** Whether the request bore `Authorization`. */
  authorized: boolean
  /** Whether the request said `no-store`. */
  noStore: boolean
  status: number
  headers: Headers
  /** Milliseconds since 1970 when the head of the response came. */
  now: number
  /** Seconds from the request to the head of the response. */
  delay: number
}

export interface PolicyOptions {
  /** Targeted fields that this cache obeys instead of `Cache-Control`, the first that is there. */
  targets: readonly string[]
  /** Share of the time since `Last-Modified` for which a response without explicit lifetime is fresh. 0: none. */
  heuristic: number
}

/** How long a response may be kept and used; or why it is not stored. Times are in seconds. */
export type StoragePlan =
  | { refusal: string; terms?: never; directives?: never }
  | { terms: Terms; directives: Directives; refusal?: never }

/** What a stored response keeps of the plan. */
export type Terms = Pick<
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

// What has a validator is of use when it is stale, too: the handler may say 304.
const validationTtl = 86_400
// RFC 9111, section 5.2.2.3: those whose caching requirements this cache implements.
const understood = new Set([200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 501])

interface Policy {
  storable(): boolean
  maxAge(): number
}

/**
 * Decides whether a response to a GET may be stored, and for how long (RFC 9111, sections 3, 3.5 and 4.2; RFC 5861;
 * RFC 9213). http-cache-semantics does the arithmetic of the lifetime; it is given only fields that were read strictly
 * before. Pure.
 *
 * @example
 * planStorage({ status: 200, headers: new Headers({ 'Cache-Control': 's-maxage=60' }), ...exchange }, options)
 */
export function planStorage(exchange: Exchange, options: PolicyOptions): StoragePlan {
  const { status, headers, authorized } = exchange
  const targeted = readTargeted(headers, options.targets)
  const directives = targeted ?? parseCacheControl(headers.get('cache-control'))
  const forbidden = findRefusal(exchange, directives)
  if (forbidden) return { refusal: forbidden }

  const policy = consult(exchange, directives, targeted !== undefined, options.heuristic)
  if (!policy.storable()) return { refusal: authorized ? 'Authorization' : `status ${status} without a lifetime` }

  const has = (name: string) => directives.has(name)
  const stale = {
    staleWhileRevalidate: secondsOf(directives, 'stale-while-revalidate') ?? 0,
    staleIfError: secondsOf(directives, 'stale-if-error') ?? 0,
  }
  // s-maxage implies proxy-revalidate; but who says how long stale is welcome means it.
  const isWelcome = has('stale-while-revalidate') || has('stale-if-error')
  const mustRevalidate = has('must-revalidate') || has('proxy-revalidate') || (has('s-maxage') && !isWelcome)
  const lifetime = Math.min(policy.maxAge(), maxSeconds)
  const initialAge = initialAgeOf(exchange)
  const isValidatable = headers.has('etag') || headers.has('last-modified')
  const extra = mustRevalidate ? 0 : Math.max(stale.staleWhileRevalidate, stale.staleIfError)
  const ttl = Math.ceil(lifetime - initialAge + Math.max(extra, isValidatable ? validationTtl : 0))
  if (ttl <= 0) return { refusal: 'no lifetime and no validator' }
  return {
    directives,
    terms: {
      ...stale,
      lifetime,
      initialAge,
      mustRevalidate,
      noCache: directives.get('no-cache') === true,
      allowsAuthorization: has('public') || has('s-maxage') || has('must-revalidate'),
      ttl: Math.min(ttl, maxSeconds),
    },
  }
}

function readTargeted(headers: Headers, targets: readonly string[]): Directives | undefined {
  for (const target of targets) {
    const directives = parseTargeted(headers.get(target))
    if (directives) return directives
  }
  return undefined
}

function findRefusal({ noStore, status, headers }: Exchange, directives: Directives): string | undefined {
  if (noStore) return 'request no-store'
  if (status === 206 || status === 304 || status < 200) return `status ${status}`
  const mustUnderstand = directives.has('must-understand')
  if (mustUnderstand && !understood.has(status)) return 'must-understand'
  if (directives.has('no-store') && !mustUnderstand) return 'no-store'
  if (directives.get('private') === true) return 'private'
  if (parseVary(headers.get('vary')) === '*') return 'Vary: *'
  const named = [directives.get('no-cache'), directives.get('private')].filter((value) => typeof value === 'string')
  const isKeptBack = named.some((value) => /(?:^|,)\s*set-cookie\s*(?:,|$)/i.test(value))
  if (headers.has('set-cookie') && !isKeptBack) return 'Set-Cookie'
  return undefined
}

function consult(
  { status, headers, authorized, now }: Exchange,
  directives: Directives,
  targeted: boolean,
  heuristic: number,
): Policy {
  const date = parseHttpDate(headers.get('date'), now) ?? now
  const clean: Record<string, string> = { date: new Date(date).toUTCString() }
  const lifetime = (name: string) => {
    const seconds = secondsOf(directives, name)
    return seconds === undefined ? [] : [`${name}=${seconds}`]
  }
  const kept = [...lifetime('max-age'), ...lifetime('s-maxage')]
  for (const name of ['public', 'must-revalidate']) if (directives.has(name)) kept.push(name)
  if (kept.length > 0) clean['cache-control'] = kept.join(', ')
  // A targeted field replaces Expires, too (RFC 9213, section 2.2).
  if (!targeted && headers.has('expires')) {
    const expires = parseHttpDate(headers.get('expires'), now)
    clean.expires = new Date(Math.max(0, expires ?? 0)).toUTCString()
  }
  const modified = parseHttpDate(headers.get('last-modified'), now)
  if (modified !== undefined && heuristic > 0) clean['last-modified'] = new Date(modified).toUTCString()

  const isExplicit = kept.some((each) => each.includes('=')) || 'expires' in clean || directives.has('public')
  const request = { method: 'GET', url: '', headers: authorized ? { authorization: 'yes' } : {} }
  // With a lifetime of its own any final status may be stored (RFC 9111, section 3).
  const response = { status: isExplicit ? 200 : status, headers: clean }
  return new CachePolicy(request, response, { shared: true, cacheHeuristic: heuristic, immutableMinTimeToLive: 0 })
}
