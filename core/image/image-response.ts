import { sameEntityTag } from '../http/conditional.js'
import { parseVary } from '../http/headers.js'
import { createResponse } from '../response-factory.js'
import { securityHeaders } from './errors.js'
import { acceptedFormats, negotiatedFormats } from './formats.js'
import type { PlannedImage } from './plan.js'
import type { UpstreamResponse } from './upstream.js'
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
// Also matches a word within a quoted string. That is safe: the image is then just not stored.
const unstorable = /(?:^|[\s,])(?:no-store|private)(?:$|[\s,=])/i

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
  /**
   * Returns the headers of an image. The `Cache-Control` of the service is not passed on: image services allow caching
   * for a year, so clients would not see a replaced original, and only the proxy knows whether the URL has a version.
   * `stale-if-error` is defined in RFC 5861, `immutable` in RFC 8246. A list is faster to build and send than an object.
   */
  const fieldsOf = ({ planned, upstream: { headers } }: ServiceAnswer, etag: string | undefined): Field[] => {
    const isStorable = !unstorable.test(headers.get('Cache-Control') ?? '')
    const { source, version, tag } = planned
    // The original was replaced before the service had finished reading it.
    const isReplaced =
      version !== undefined && versionOf?.current !== undefined && versionOf.current(source) !== version
    const isImmutable = planned.isImmutable && !isReplaced
    const lifetime = isImmutable ? 'max-age=31536000, immutable' : `max-age=${maxAge}, stale-if-error=86400`
    const fields: [name: string, value: string | null | undefined][] = [
      ['Cache-Control', isStorable ? `public, ${lifetime}` : 'private, no-store'],
      ['Cache-Tag', isStorable ? tag : undefined],
      ['Vary', varyOf(headers.get('Vary'))],
      ['Last-Modified', headers.get('Last-Modified')],
      ['ETag', etag],
      ...securityFields,
    ]
    return fields.filter((field): field is Field => field[1] != null)
  }

  return async (answer) => {
    const { request, known, isConditional, upstream } = answer
    const { status, headers } = upstream
    const isConfirmed = status === 304 && isConditional
    if (status !== 200 && !isConfirmed) return undefined
    const type = isConfirmed ? '' : checkContent(upstream)
    const etag = isConfirmed ? known.confirmed(headers.get('ETag')) : toRepresentationTag(headers.get('ETag'), type)
    // The service may have overlooked its own tag in `If-None-Match`, for example in a list of tags.
    if (isConfirmed || (etag !== undefined && known.includes(etag))) {
      upstream.discard()
      return createResponse(null, { status: 304, headers: fieldsOf(answer, etag) })
    }
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
  const names = parseVary(field)
  if (names === '*') return '*'
  return names.includes('accept') ? 'Accept' : undefined
}

// RFC 9110, section 8.8.3, limited to visible ASCII characters except the quote, because other characters are lost between servers.
const entityTag = /^(W\/)?"([\x21\x23-\x7e]*)"$/
const representationTags = /(?:^|[\s,])((W\/)?"([\w.+-]+):([\x21\x23-\x7e]*)")/g

/**
 * Returns the entity tag of one representation. imgproxy gives all representations of an original the same tag, so the type of
 * the image is put in front. Returns `undefined` for a malformed tag, and for a type that is not an image.
 *
 * @example toRepresentationTag('"5f3-1"', 'image/avif') // '"avif:5f3-1"'
 */
export function toRepresentationTag(etag: string | null, contentType: string | null): string | undefined {
  const [, weak = '', opaque] = entityTag.exec(etag?.trim() ?? '') ?? []
  const [, type] = /^image\/([\w.+-]+)/i.exec(contentType ?? '') ?? []
  return opaque !== undefined && type ? `${weak}"${type.toLowerCase()}:${opaque}"` : undefined
}

/** The representations that a client has, identified by the entity tags of {@link toRepresentationTag}. */
export type KnownRepresentations = ReturnType<typeof readKnownRepresentations>

/**
 * Reads the `If-None-Match` of a client. Leaves out representations in a format that the client no longer accepts: the
 * service would answer 304, and the client would keep showing that format.
 *
 * @param client Headers of the client's request.
 */
export function readKnownRepresentations(client: Headers) {
  const given = client.get('If-None-Match') ?? ''
  const accepted = acceptedFormats(client.get('Accept'))
  const refused: readonly string[] = negotiatedFormats.filter((format) => !accepted.includes(format))
  const known = [...given.matchAll(representationTags)]
    .map(([, tag = '', weak = '', type = '', opaque]) => ({ tag, type, serviceTag: `${weak}"${opaque}"` }))
    .filter(({ type }) => !refused.includes(type))
  const isAny = given.trim() === '*'
  return {
    /**
     * `If-None-Match` for the service, with the tags that the service itself assigned; `null` if the client has no such
     * tag.
     */
    ifNoneMatch: isAny ? '*' : [...new Set(known.map(({ serviceTag }) => serviceTag))].join(', ') || null,
    /** Whether the client has the representation with this tag. */
    includes: (tag: string): boolean => isAny || known.some((each) => sameEntityTag(each.tag, tag)),
    /** Returns the tag of the representation that the service has confirmed by a 304 with this `ETag`. */
    confirmed: (etag: string | null): string | undefined =>
      known.find(({ serviceTag }) => etag === null || sameEntityTag(serviceTag, etag))?.tag,
  }
}
