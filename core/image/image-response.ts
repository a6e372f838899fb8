import { parseCacheControl } from '../http/cache-control.js'
import { parseVary } from '../http/negotiation.js'
import { createResponse } from '../response-factory.js'
import { securityHeaders } from './errors.js'
import type { PlannedImage } from './plan.js'
import type { UpstreamResponse } from './service.js'
import { type KnownRepresentations, toRepresentationTag } from './service-request.js'
import type { SourceVersion } from './versions.js'

/** The image service's response, together with the request that led to it. */
export interface ServiceAnswer {
  request: Request
  planned: PlannedImage
  known: KnownRepresentations
  /** Whether the request to the service was conditional. */
  isConditional: boolean
  upstream: UpstreamResponse
}

/** Thrown when the service sends something that is not an image. The message says why. */
export class NotAnImageError extends Error {
  override name = 'NotAnImageError'
}

/** Default of `maxAge`, in seconds. */
export const defaultMaxAge = 300

type Field = [name: string, value: string]

const securityFields: readonly Field[] = Object.entries(securityHeaders)
// A single media type. Commas are not allowed, because they join repeated headers.
const imageType = /^image\/[\w.+-]+(?:\s*;[^,]*)?$/i
// The codings that every `fetch` decodes. With any other coding, or a list that includes `identity`, the body stays encoded, and
// caches would store it as if it were an image.
const decodedCodings = /^(?:identity|(?:(?:x-)?gzip|deflate|br)(?:\s*,\s*(?:(?:x-)?gzip|deflate|br))*)?$/i

/**
 * Creates a function that converts the service's response to the response for the client: a 200, or a 304 if the client already
 * has the image. The function resolves to `undefined` if the service responds with an error.
 *
 * @param maxAge How long an image without a version is fresh, in seconds.
 * @param versionOf Returns the current version of an original.
 */
export function createImageResponder(
  maxAge: number = defaultMaxAge,
  versionOf?: SourceVersion,
): (answer: ServiceAnswer) => Promise<Response | undefined> {
  /** Whether the URL has a version, but the original was replaced before the service had finished reading it. */
  const isReplaced = ({ source, version }: PlannedImage): boolean =>
    version !== undefined && versionOf?.current !== undefined && versionOf.current(source) !== version

  /**
   * Returns the caching and security headers. The `Cache-Control` of the service is not passed on: image services allow caching
   * for a year, so clients would not see a replaced original, and only the proxy knows whether the URL has a version.
   * `stale-if-error` is defined in RFC 5861, `immutable` in RFC 8246. A list is faster to build and send than an object.
   */
  const fieldsOf = ({ planned, upstream: { headers } }: ServiceAnswer, etag: string | undefined): Field[] => {
    const isStorable = !forbidsStorage(headers.get('Cache-Control'))
    const isImmutable = planned.isImmutable && !isReplaced(planned)
    const cacheControl = isImmutable ? 'max-age=31536000, immutable' : `max-age=${maxAge}, stale-if-error=86400`
    const vary = varyOf(headers.get('Vary'))
    const modified = headers.get('Last-Modified')
    const fields: Field[] = [['Cache-Control', isStorable ? `public, ${cacheControl}` : 'private, no-store']]
    if (isStorable && planned.tag !== undefined) fields.push(['Cache-Tag', planned.tag])
    if (vary !== undefined) fields.push(['Vary', vary])
    if (modified !== null) fields.push(['Last-Modified', modified])
    if (etag !== undefined) fields.push(['ETag', etag])
    fields.push(...securityFields)
    return fields
  }
  const createNotModified = (answer: ServiceAnswer, etag: string | undefined): Response => {
    answer.upstream.discard()
    return createResponse(null, { status: 304, headers: fieldsOf(answer, etag) })
  }

  return async (answer) => {
    const { request, known, isConditional, upstream } = answer
    const { status, headers } = upstream
    if (status === 304 && isConditional) return createNotModified(answer, known.confirmed(headers.get('ETag')))
    if (status !== 200) return undefined
    const type = checkContent(upstream)
    const etag = toRepresentationTag(headers.get('ETag'), type)
    // The service may have overlooked its own tag in `If-None-Match`, for example in a list of tags.
    if (etag !== undefined && known.includes(etag)) return createNotModified(answer, etag)
    if (request.method === 'HEAD') upstream.discard()
    const body = request.method === 'HEAD' ? null : await upstream.openBody()
    if (body === undefined) throw new NotAnImageError('empty body')
    // If `fetch` decoded the body, `Content-Length` no longer matches it.
    const length = headers.has('Content-Encoding') ? null : headers.get('Content-Length')
    const fields = fieldsOf(answer, etag)
    fields.push(['Content-Type', type])
    if (length !== null && /^\d+$/.test(length)) fields.push(['Content-Length', length])
    return createResponse(body, { headers: fields })
  }
}

/**
 * Checks that the response is an image and that `fetch` has decoded it.
 *
 * @returns The media type.
 */
function checkContent({ headers, discard }: UpstreamResponse): string {
  const type = headers.get('Content-Type') ?? ''
  const coding = headers.get('Content-Encoding') ?? ''
  if (imageType.test(type) && decodedCodings.test(coding)) return type
  discard()
  if (imageType.test(type)) throw new Error(`Content-Encoding: expected none, got '${coding.slice(0, 100)}'`)
  throw new NotAnImageError(`Content-Type: expected an image, got '${type.slice(0, 100)}'`)
}

/** Reduces `Vary` to `Accept`, the only forwarded request header that can change the image. */
function varyOf(field: string | null): string | undefined {
  const names = field === 'Accept' ? ['accept'] : parseVary(field)
  if (names === '*') return '*'
  return names.includes('accept') ? 'Accept' : undefined
}

function forbidsStorage(cacheControl: string | null): boolean {
  // Few services send these directives, and searching for the words is faster than parsing the header.
  if (cacheControl === null || !/no-store|private/i.test(cacheControl)) return false
  const directives = parseCacheControl(cacheControl)
  return directives.has('no-store') || directives.has('private')
}
