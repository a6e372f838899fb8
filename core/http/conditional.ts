import { parseHttpDate } from './dates.js'

/**
 * Request fields that only the handler can evaluate. If a stored response answers the request, ranges are taken from
 * that response, and the other two fields are ignored (RFC 9110, sections 13.1.1 and 13.1.4).
 * `If-Range` means nothing without `Range`.
 */
export const handlerFields: readonly string[] = ['range', 'if-match', 'if-unmodified-since']

/** Whether only the handler can answer a request if no stored response does; see {@link handlerFields}. */
export function needsHandler(request: Pick<Headers, 'has'>): boolean {
  for (const name of handlerFields) if (request.has(name)) return true
  return false
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
 * Whether a request is answered with 304 (RFC 9111, section 4.3.2; RFC 9110, section 13.2.2). If `If-None-Match` is
 * present, it decides; otherwise `If-Modified-Since` does. The latter is compared with `Last-Modified` or, in its
 * absence, with `Date`. Pure.
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

/**
 * Whether the visitor already has this response. The handler cannot know this, because it never receives a visitor's
 * validators.
 */
export function isKnownToVisitor(request: Headers, { status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  const [etag, lastModified] = [headers.get('etag') ?? undefined, headers.get('last-modified') ?? undefined]
  return (etag !== undefined || lastModified !== undefined) && isNotModified(request, { status, etag, lastModified })
}

// RFC 9110, section 15.4.5, and the fields of downstream caches.
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

/**
 * Whether an `If-None-Match` header names an entity tag. The comparison is weak, and `*` matches any tag (RFC 9110,
 * section 13.1.2).
 *
 * @example matchesEntityTag('W/"a", "b"', '"a"') // true
 */
export function matchesEntityTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const opaque = opaqueTag(etag)
  if (opaqueTag(ifNoneMatch) === opaque) return true
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(opaque) ?? false
}

/** Whether two entity tags are equal by weak comparison (RFC 9110, section 8.8.3.2). */
export function sameEntityTag(first: string, second: string): boolean {
  return opaqueTag(first) === opaqueTag(second)
}

function opaqueTag(etag: string): string {
  return etag.trim().replace(/^W\//, '')
}

/** Part of a body: the positions of its first and last byte, counted from 0. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * Selects the part of a body that a request asks for (RFC 9110, section 14.2). The whole body is sent for a malformed
 * range, for an `If-Range` of another representation, and for several ranges, because these can cost more than the
 * whole body. Pure.
 *
 * @param length Length of the whole body, in bytes.
 * @example selectRange(new Headers({ Range: 'bytes=-2' }), { status: 200 }, 10) // { first: 8, last: 9 }
 */
export function selectRange(
  request: Pick<Headers, 'get'>,
  validators: Validators,
  length: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(request.get('range') ?? '') ?? []
  if ((!first && !last) || length === 0) return 'whole'
  const ifRange = request.get('if-range')
  if (ifRange !== null && !isUnchanged(ifRange, validators)) return 'whole'
  if (!first)
    return last && Number(last) > 0 ? { first: Math.max(0, length - Number(last)), last: length - 1 } : 'unsatisfiable'
  if (last && Number(last) < Number(first)) return 'whole'
  if (Number(first) >= length) return 'unsatisfiable'
  return { first: Number(first), last: last ? Math.min(Number(last), length - 1) : length - 1 }
}

/** Whether `If-Range` matches the stored response, by strong validators (RFC 9110, sections 13.1.5 and 8.8.2.2). */
function isUnchanged(ifRange: string, { etag, lastModified, date }: Validators): boolean {
  if (ifRange.includes('"')) return ifRange === etag && !ifRange.startsWith('W/')
  const [modified, sent] = [parseHttpDate(lastModified), parseHttpDate(date)]
  return ifRange === lastModified && modified !== undefined && sent !== undefined && sent - modified >= 1000
}
