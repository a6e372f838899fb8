import { parseCacheControl } from '../http/cache-control.js'
import { isNotModifiedField, sameEntityTag } from '../http/conditional.js'
import { findHeader, storableHeaders, updateHeaders } from '../http/headers.js'
import { createResponse } from '../response-factory.js'
import type { StoredResponse } from './store/entry.js'

/**
 * Returns the stored page that a handler's 304 confirms, with the headers of the 304, including `Age` and `Set-Cookie`,
 * which are never stored (RFC 9111, section 4.3.4). The page keeps its ETag, but an ETag that the
 * cache generated is generated again.
 */
export function mergeNotModified(stored: StoredResponse, update: Headers): Response {
  const { status, statusText, headers, body, hasGeneratedEtag } = stored
  const keptNames = findHeader(headers, 'etag') === undefined ? ['set-cookie'] : ['set-cookie', 'etag']
  const directives = parseCacheControl(update.get('cache-control'))
  const lines = storableHeaders(update, directives).filter(([name]) => !keptNames.includes(name))
  const merged = new Headers(updateHeaders(headers, lines))
  if (!update.has('date')) merged.set('date', new Date().toUTCString())
  const age = update.get('age')
  if (age !== null) merged.set('age', age)
  if (hasGeneratedEtag) merged.delete('etag')
  for (const cookie of update.getSetCookie()) merged.append('set-cookie', cookie)
  return new Response(body.length === 0 ? null : body, { status, statusText, headers: merged })
}

/**
 * Whether a 304 is about a stored response. A 304 with another ETag may be about another response, which matched
 * `If-Modified-Since`. If the stored response has no `Last-Modified`, only its ETag can have matched.
 */
export function confirmedBy({ headers: storedHeaders }: StoredResponse, headers: Headers): boolean {
  const [etag, received] = [findHeader(storedHeaders, 'etag'), headers.get('etag')]
  if (etag === undefined || received === null || sameEntityTag(etag, received)) return true
  return findHeader(storedHeaders, 'last-modified') === undefined
}

/** Returns the 304 that replaces a response with these headers. */
export function notModifiedOf(headers: Iterable<[name: string, value: string]>): Response {
  const included = [...headers].filter(([name]) => name === 'age' || isNotModifiedField(name))
  return createResponse(null, { status: 304, headers: included })
}
