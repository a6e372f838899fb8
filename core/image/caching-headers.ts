import { parseCacheControl } from '../http/cache-control.js'
import { parseVary } from '../http/vary.js'
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
 * Creates a function that returns the header fields of an image that caches read, as a list. `Cache-Control` is the proxy's own, since only the
 * proxy knows whether the URL has a version, and image services say a year: then a replaced original would not be seen.
 * `Age`, `Date` and `Expires` of the service belong to its own lifetime, and are left out.
 *
 * @param maxAge Seconds for which an image without a version is fresh. Default {@link defaultMaxAge}.
 */
export function createCachingFieldsFactory(maxAge: number = defaultMaxAge) {
  const mutableCacheControl = `public, max-age=${maxAge}, stale-if-error=${staleIfError}`

  return ({ isImmutable, tag }: PlannedImage, headers: ReadHeaders): [name: string, value: string][] => {
    const isStorable = !forbidsStorage(headers.get('Cache-Control'))
    const vary = varyOf(headers.get('Vary'))
    const modified = headers.get('Last-Modified')
    const cacheControl = isImmutable ? immutableCacheControl : mutableCacheControl
    const fields: [string, string][] = [['Cache-Control', isStorable ? cacheControl : 'private, no-store']]
    if (isStorable && tag !== undefined) fields.push(['Cache-Tag', tag])
    if (vary !== undefined) fields.push(['Vary', vary])
    if (modified !== null) fields.push(['Last-Modified', modified])
    return fields
  }
}

/** The service receives no field of a client that it could vary by but `Accept`. */
function varyOf(field: string | null): string | undefined {
  const names = field === 'Accept' ? ['accept'] : parseVary(field)
  if (names === '*') return '*'
  return names.includes('accept') ? 'Accept' : undefined
}

function forbidsStorage(cacheControl: string | null): boolean {
  // Hardly any service says so, and looking for the words costs less than parsing.
  if (cacheControl === null || !/no-store|private/i.test(cacheControl)) return false
  const directives = parseCacheControl(cacheControl)
  return directives.has('no-store') || directives.has('private')
}
