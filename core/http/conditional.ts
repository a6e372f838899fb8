import { parseHttpDate } from './dates.js'
import { matchesEntityTag } from './entity-tag.js'

/**
 * Fields that only the handler can evaluate, unless a stored response answers the request. A stored response answers
 * ranges itself and ignores the others (RFC 9110, sections 13.1.1 and 13.1.4). `If-Range` means nothing without `Range`.
 */
export const handlerFields: readonly string[] = ['range', 'if-match', 'if-unmodified-since']

/** Whether only the handler can answer a request, unless a stored response does: see {@link handlerFields}. */
export function needsHandler(request: Pick<Headers, 'has'>): boolean {
  return handlerFields.some((name) => request.has(name))
}

/** Whether a request may be answered with 304. */
export function isConditional(request: Pick<Headers, 'has'>): boolean {
  return request.has('if-none-match') || request.has('if-modified-since')
}

/** The validators of a response. */
export interface Validators {
  status: number
  etag?: string | undefined
  lastModified?: string | undefined
  date?: string | undefined
}

/**
 * Whether a request is answered with 304 (RFC 9111, section 4.3.2; RFC 9110, section 13.2.2): `If-None-Match` decides
 * when it is there, `If-Modified-Since` otherwise; in the absence of `Last-Modified` by the `Date`. Pure.
 */
export function isNotModified(request: Pick<Headers, 'get'>, validators: Validators): boolean {
  const { status, etag, lastModified, date } = validators
  if (status !== 200) return false
  const ifNoneMatch = request.get('if-none-match')
  if (ifNoneMatch !== null) return etag !== undefined ? matchesEntityTag(ifNoneMatch, etag) : ifNoneMatch.trim() === '*'
  const since = parseHttpDate(request.get('if-modified-since'))
  const modified = parseHttpDate(lastModified ?? date)
  return since !== undefined && modified !== undefined && modified <= since
}

// RFC 9110, section 15.4.5, and what downstream caches need.
const notModifiedFields = new Set([
  'cache-control',
  'cache-status',
  'cache-tag',
  'cdn-cache-control',
  'content-location',
  'date',
  'etag',
  'expires',
  'last-modified',
  'surrogate-key',
  'vary',
])

/** Whether a field belongs in a 304 (RFC 9110, section 15.4.5). */
export function isNotModifiedField(name: string): boolean {
  return notModifiedFields.has(name)
}
