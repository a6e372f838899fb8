import type { RequestDirectives } from '../http/request-directives.js'
import type { StoredResponse } from './entry.js'
import type { PurgeState } from './tag-index.js'

/**
 * What to do with a stored response:
 * - `fresh`: serve it;
 * - `soft-stale`: serve it, and render anew meanwhile;
 * - `revalidate`: ask the handler first; when that fails, {@link mayServeOnError} decides;
 * - `miss`: as if it were not there.
 */
export type Reuse = 'fresh' | 'soft-stale' | 'revalidate' | 'miss'

/** The part of a stored response that decides about its reuse. */
export type Reusable = Pick<
  StoredResponse,
  'lifetime' | 'staleWhileRevalidate' | 'staleIfError' | 'mustRevalidate' | 'noCache'
>

/**
 * Decides whether a stored response may answer a request (RFC 9111, section 4 and 4.2.4; RFC 5861, section 3). Pure.
 *
 * A hard purge comes before everything, a soft one is only as good as time allows: it never makes an entry live longer.
 *
 * @param age Current age in seconds (RFC 9111, section 4.2.3).
 * @param purge What was purged of its tags since it was rendered.
 * @example decideReuse(entry, noRequestDirectives, 5, 'soft') // 'soft-stale'
 */
export function decideReuse(entry: Reusable, wishes: RequestDirectives, age: number, purge: PurgeState): Reuse {
  if (purge === 'hard') return 'miss'
  if (entry.noCache || wishes.noCache) return 'revalidate'
  const left = entry.lifetime - age
  const { maxAge, minFresh, maxStale } = wishes
  // Not even what is stored in the same millisecond is young enough for max-age=0.
  if (maxAge !== undefined && (age > maxAge || maxAge === 0)) return 'revalidate'
  if (minFresh !== undefined && left < minFresh) return 'revalidate'
  if (left > 0) return purge === 'soft' ? 'soft-stale' : 'fresh'
  if (entry.mustRevalidate) return 'revalidate'
  if (-left < entry.staleWhileRevalidate) return 'soft-stale'
  if (maxStale !== undefined && -left <= maxStale) return purge === 'soft' ? 'soft-stale' : 'fresh'
  return 'revalidate'
}

/**
 * Whether a stored response may be served because asking the handler failed (RFC 5861, section 4). After a soft purge
 * what is fresh by time may. Pure.
 */
export function mayServeOnError(entry: Reusable, age: number, purge: PurgeState): boolean {
  if (purge === 'hard' || entry.noCache) return false
  const left = entry.lifetime - age
  if (left > 0) return true
  return !entry.mustRevalidate && -left < Math.max(entry.staleIfError, entry.staleWhileRevalidate)
}
