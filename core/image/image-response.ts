import { parseCacheControl } from '../http/cache-control.js'
import { parseVary } from '../http/negotiation.js'
import { createResponse } from '../response-factory.js'
import { securityHeaders } from './errors.js'
import type { PlannedImage } from './plan.js'
import type { UpstreamResponse } from './service.js'
import { type KnownRepresentations, toRepresentationTag } from './service-request.js'
import type { SourceVersion } from './versions.js'

/** The answer of the service, and the request that it answers. */
export interface ServiceAnswer {
  request: Request
  planned: PlannedImage
  known: KnownRepresentations
  /** Whether the service was asked with a condition. */
  isConditional: boolean
  upstream: UpstreamResponse
}

/** The service sent something that is no image; the message says how so. */
export class NotAnImageError extends Error {
  override name = 'NotAnImageError'
}

/** Default of `maxAge`, in seconds. */
export const defaultMaxAge = 300

type Field = [name: string, value: string]

const securityFields: readonly Field[] = Object.entries(securityHeaders)
// One media type: two header lines are joined by a comma.
const imageType = /^image\/[\w.+-]+(?:\s*;[^,]*)?$/i
// The codings that every `fetch` decodes. Others are passed on undecoded, also a list with `identity`, and would be stored as an image.
const decodedCodings = /^(?:identity|(?:(?:x-)?gzip|deflate|br)(?:\s*,\s*(?:(?:x-)?gzip|deflate|br))*)?$/i

/**
 * Creates the function that turns an answer of the service into the response for the client: a 200, or a 304 when the client has the
 * image already. Returns `undefined` for an error of the service.
 *
 * @param maxAge Seconds for which an image without a version is fresh.
 * @param versionOf Returns the current versions of originals.
 */
export function createImageResponder(
  maxAge: number = defaultMaxAge,
  versionOf?: SourceVersion,
): (answer: ServiceAnswer) => Promise<Response | undefined> {
  /** Whether the original of a URL with a version was replaced before or while the service read it. */
  const isReplaced = ({ source, version }: PlannedImage): boolean =>
    version !== undefined && versionOf?.current !== undefined && versionOf.current(source) !== version

  /**
   * The fields that caches read. `Cache-Control` is the proxy's own: only the proxy knows whether the URL has a version, and image
   * services say a year, in which a replaced original would not be seen. `stale-if-error` is RFC 5861, `immutable` RFC 8246.
   * A list, which takes less time to build and send than an object.
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
    // The service may not have recognized its tag, in a list for instance.
    if (etag !== undefined && known.includes(etag)) return createNotModified(answer, etag)
    if (request.method === 'HEAD') upstream.discard()
    const body = request.method === 'HEAD' ? null : await upstream.openBody()
    if (body === undefined) throw new NotAnImageError('empty body')
    // A body that `fetch` has decoded has another length than the header states.
    const length = headers.has('Content-Encoding') ? null : headers.get('Content-Length')
    const fields = fieldsOf(answer, etag)
    fields.push(['Content-Type', type])
    if (length !== null && /^\d+$/.test(length)) fields.push(['Content-Length', length])
    return createResponse(body, { headers: fields })
  }
}

/**
 * Checks that an answer is an image, in no coding that `fetch` leaves undecoded.
 *
 * @returns Its media type.
 */
function checkContent({ headers, discard }: UpstreamResponse): string {
  const type = headers.get('Content-Type') ?? ''
  const coding = headers.get('Content-Encoding') ?? ''
  if (imageType.test(type) && decodedCodings.test(coding)) return type
  discard()
  if (imageType.test(type)) throw new Error(`Content-Encoding: expected none, got '${coding.slice(0, 100)}'`)
  throw new NotAnImageError(`Content-Type: expected an image, got '${type.slice(0, 100)}'`)
}

/** `Accept` is the only field of a client that the service gets, so the only one to vary by. */
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
