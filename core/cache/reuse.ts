import { noRequestDirectives, type RequestDirectives } from '../http/cache-control.js'
import type { Page } from './page.js'
import type { StoredResponse } from './store/entry.js'
import type { PurgeState } from './tags/tag-index.js'

/**
 * How a stored response is used:
 * - `fresh`: serve it;
 * - `stale-while-revalidate`: serve it, and render a new one in the background;
 * - `revalidate`: ask the handler first; if it fails, {@link mayServeOnError} decides;
 * - `miss`: treat it as absent.
 */
export type Reuse = 'fresh' | 'stale-while-revalidate' | 'revalidate' | 'miss'

/** The part of a stored response that determines its reuse. */
export type ReuseTerms = Pick<
  StoredResponse,
  'lifetime' | 'staleWhileRevalidate' | 'staleIfError' | 'mustRevalidate' | 'end'
>

/**
 * Decides whether a stored response may answer a request (RFC 9111, sections 4 and 4.2.4; RFC 5861, section 3). Pure.
 *
 * A hard purge overrides everything. A soft purge can only shorten the life of a response, never extend it.
 *
 * @param age Current age in seconds (RFC 9111, section 4.2.3).
 * @param purge The strongest purge of the response's tags since its render.
 * @example decideReuse(entry, noRequestDirectives, 5, 'soft') // 'stale-while-revalidate'
 */
export function decideReuse(terms: ReuseTerms, directives: RequestDirectives, age: number, purge: PurgeState): Reuse {
  if (purge === 'hard') return 'miss'
  if (directives.noCache || hasEnded(terms, age)) return 'revalidate'
  const remaining = terms.lifetime - age
  const { maxAge, minFresh, maxStale } = directives
  // max-age=0 asks for revalidation, even of a response that was stored in the same millisecond.
  if (maxAge !== undefined && (age > maxAge || maxAge === 0)) return 'revalidate'
  if (minFresh !== undefined && remaining < minFresh) return 'revalidate'
  if (remaining > 0) return purge === 'soft' ? 'stale-while-revalidate' : 'fresh'
  if (terms.mustRevalidate) return 'revalidate'
  if (-remaining < terms.staleWhileRevalidate) return 'stale-while-revalidate'
  if (maxStale !== undefined && -remaining <= maxStale) return purge === 'soft' ? 'stale-while-revalidate' : 'fresh'
  return 'revalidate'
}

/** Whether the date has passed from which a response must not be used. */
export function hasEnded({ end }: Pick<ReuseTerms, 'end'>, age: number): boolean {
  return end !== undefined && age >= end
}

/**
 * Whether a response may also answer the requests that waited for its render. A response that is stale from the start
 * may do so if it allows `stale-while-revalidate`. The `max-age` and `min-fresh` of these requests do not count,
 * because renders of their own would have the same result. Pure.
 */
export function mayShare(terms: ReuseTerms, age: number): boolean {
  const reuse = decideReuse(terms, noRequestDirectives, age, 'none')
  return reuse === 'fresh' || reuse === 'stale-while-revalidate'
}

/**
 * Whether a stored response may be served because the handler failed (RFC 5861, section 4). After a soft purge, a
 * response may be served if its lifetime is not over. Pure.
 */
export function mayServeOnError(terms: ReuseTerms, age: number, purge: PurgeState): boolean {
  if (purge === 'hard' || hasEnded(terms, age)) return false
  const remaining = terms.lifetime - age
  if (remaining > 0) return true
  return !terms.mustRevalidate && -remaining < Math.max(terms.staleIfError, terms.staleWhileRevalidate)
}

/** Returns the stored response of a page if it may be served in place of an error (RFC 5861, section 4). */
export function respondStaleIfError({ cached, age, purge, request }: Page): Response | undefined {
  if (!cached || !mayServeOnError(cached.entry, age, purge)) return undefined
  return cached.respond(request, { age, detail: 'stale-if-error' })
}
