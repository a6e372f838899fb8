import { sameEntityTag } from '../http/conditional.js'
import { secretError } from '../option-error.js'
import { acceptedFormats, negotiatedFormats, normalizeImageAccept } from './formats.js'

/**
 * Returns the secret of the service; `undefined` when there is none.
 *
 * @throws TypeError if a header cannot contain it unchanged, because each request would fail.
 */
export function checkServiceSecret(serviceSecret: string | undefined): string | undefined {
  if (!serviceSecret) return undefined
  // Printable ASCII.
  if (typeof serviceSecret === 'string' && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(serviceSecret)) {
    return serviceSecret
  }
  const expected = 'printable ASCII without white space at its ends'
  throw secretError('serviceSecret', expected, 'a malformed one', 'check for a line break at its end')
}

/** The client's header fields that the image proxy reads, in lower case. */
export const clientFields: readonly string[] = ['accept', 'if-none-match', 'if-modified-since']

/**
 * Returns the headers of a request to the image service: the formats that the client accepts, its conditions, and the secret of the
 * service. No other header of the client is passed on, so the service gets neither the client's cookies nor its authorization.
 *
 * `If-Modified-Since` is left out if there is an `If-None-Match`, which takes precedence (RFC 9110, section 13.1.3). Otherwise imgproxy
 * would treat an original that was replaced by an older file as unchanged.
 *
 * @param client Headers of the client's request.
 * @param serviceSecret Sent as a bearer token.
 * @param ifNoneMatch Default: the client's own.
 */
export function createServiceHeaders(
  client: Headers,
  serviceSecret?: string,
  ifNoneMatch: string | null = client.get('If-None-Match'),
): Record<string, string> {
  const accept = normalizeImageAccept(client.get('Accept'))
  const headers: Record<string, string> = accept ? { Accept: accept } : {}
  const since = client.has('If-None-Match') ? null : client.get('If-Modified-Since')
  if (ifNoneMatch !== null) headers['If-None-Match'] = ifNoneMatch
  if (since !== null) headers['If-Modified-Since'] = since
  if (serviceSecret) headers.Authorization = `Bearer ${serviceSecret}`
  return headers
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
export interface KnownRepresentations {
  /** `If-None-Match` for the service, with the tags that the service itself assigned; `null` if the client has none of them. */
  readonly ifNoneMatch: string | null
  /** Whether the client has the representation with this tag. */
  includes(tag: string): boolean
  /** Returns the tag of the representation that the service has confirmed by a 304 with this `ETag`. */
  confirmed(etag: string | null): string | undefined
}

/**
 * Reads the `If-None-Match` of a client. Representations in a format that the client no longer accepts are left out, since the
 * service would confirm them.
 *
 * @param client Headers of the client's request.
 */
export function readKnownRepresentations(client: Headers): KnownRepresentations {
  const given = client.get('If-None-Match') ?? ''
  const accepted: readonly string[] = acceptedFormats(client.get('Accept'))
  const isRefused = (type: string) => negotiatedFormats.some((each) => each === type) && !accepted.includes(type)
  const known = [...given.matchAll(representationTags)]
    .map(([, tag = '', weak = '', type = '', opaque]) => ({ tag, type, service: `${weak}"${opaque}"` }))
    .filter(({ type }) => !isRefused(type))
  const isAny = given.trim() === '*'
  return {
    ifNoneMatch: isAny ? '*' : [...new Set(known.map(({ service }) => service))].join(', ') || null,
    includes: (tag) => isAny || known.some((each) => sameEntityTag(each.tag, tag)),
    confirmed: (etag) => known.find(({ service }) => etag === null || sameEntityTag(service, etag))?.tag,
  }
}
