import { parseCacheControl } from '../http/cache-control.js'
import { checkInteger } from '../option-error.js'
import type { ImagePlan } from './planner.js'
import type { UpstreamResponse } from './upstream.js'

/** The plan of an image that is fetched from the service. */
export type PlannedImage = Extract<ImagePlan, { url: string }>

type ReadHeaders = UpstreamResponse['headers']

/** Default of `maxAge`, in seconds. */
export const defaultMaxAge = 300

/** The lifetime of what has a version, as browsers understand it (RFC 8246). */
export const immutableCacheControl = 'public, max-age=31536000, immutable'

/** Seconds for which a cache may use a stored image while the service fails (RFC 5861, section 4). */
const staleIfError = 86_400

/**
 * Creates a function that returns the headers of an image that caches read. `Cache-Control` is the proxy's own, since only the
 * proxy knows whether the URL has a version, and image services say a year: then a replaced original would not be seen.
 * `Age`, `Date` and `Expires` of the service belong to its own lifetime, and are left out.
 *
 * @param maxAge Seconds for which an image without a version is fresh. Default {@link defaultMaxAge}.
 * @throws TypeError when it is not a whole number >= 0.
 */
export function createCachingHeadersFactory(maxAge: number = defaultMaxAge) {
  checkInteger('maxAge', maxAge, 0)
  const mutableCacheControl = `public, max-age=${maxAge}, stale-if-error=${staleIfError}`

  return ({ isImmutable, tag }: PlannedImage, headers: ReadHeaders): Record<string, string> => {
    const isStorable = !forbidsStorage(headers.get('Cache-Control'))
    const vary = headers.get('Vary')
    const modified = headers.get('Last-Modified')
    return {
      'Cache-Control': isStorable ? (isImmutable ? immutableCacheControl : mutableCacheControl) : 'private, no-store',
      ...(isStorable && tag !== undefined && { 'Cache-Tag': tag }),
      ...(vary !== null && { Vary: vary }),
      ...(modified !== null && { 'Last-Modified': modified }),
    }
  }
}

function forbidsStorage(cacheControl: string | null): boolean {
  // Hardly any service says so, and looking for the words costs less than parsing.
  if (cacheControl === null || !/no-store|private/i.test(cacheControl)) return false
  const directives = parseCacheControl(cacheControl)
  return directives.has('no-store') || directives.has('private')
}
