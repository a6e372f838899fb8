import { withCacheStatus } from '../../http/cache-status.js'
import { isNotModified, isNotModifiedField } from '../../http/conditional.js'
import type { ResponseHead } from './store-response.js'

// The handler never receives the validators of a client, since what it renders may be stored.

/** Whether the client that asked has this response already, which is for all. */
export function isKnownToClient(
  request: Headers,
  { status, headers }: Pick<ResponseHead, 'status' | 'headers'>,
): boolean {
  const etag = headers.get('etag') ?? undefined
  const lastModified = headers.get('last-modified') ?? undefined
  if (etag === undefined && lastModified === undefined) return false
  return isNotModified(request, { status, etag, lastModified })
}

/** Returns the 304 in place of a response that is for all. */
export function notModifiedOf(headers: Headers, cacheStatus: string): Response {
  const included = [...headers].filter(([name]) => name === 'age' || isNotModifiedField(name))
  return withCacheStatus(new Response(null, { status: 304, headers: included }), cacheStatus)
}

/**
 * Whether the client that asked has exactly this response, which is for this visitor alone. By the ETag only: a page may be another
 * one for the next visitor, or after a login, though it was not modified since.
 */
export function hasSameEtag(request: Headers, { status, headers }: Response): boolean {
  const etag = headers.get('etag')
  return etag !== null && request.has('if-none-match') && isNotModified(request, { status, etag })
}

// They describe the body, which a 304 has not.
const bodyFields = /^content-(?:digest|encoding|language|length|md5|range|type)$|^repr-digest$|^transfer-encoding$/

/** Returns the 304 in place of a response that is for this visitor alone, with all that is for him, such as a cookie. */
export function toNotModified({ headers }: Response): Response {
  const kept = [...headers].filter(([name]) => !bodyFields.test(name))
  return new Response(null, { status: 304, headers: kept })
}
