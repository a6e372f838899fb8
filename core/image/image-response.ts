import { LRUCache } from 'lru-cache'
import { sameEntityTag } from '../http/conditional.js'
import { parseVary } from '../http/headers.js'
import { namedMediaTypes } from '../http/negotiation.js'
import { createResponse } from '../response-factory.js'
import { securityHeaders } from './errors.js'
import { imageFormats, type NegotiatedFormat, negotiatedFormats } from './formats.js'
import type { PlannedImage } from './plan.js'
import type { ImageClient, ServedImage, ServiceFailure, UnchangedImage } from './service.js'
import type { SourceVersion } from './versions.js'

/**
 * Returns the negotiated formats that an `Accept` header names with a weight above 0 (RFC 9110, section 12.5.1), best first.
 * Wildcards do not count: every browser sends `image/*`, including browsers without AVIF support.
 *
 * @example acceptedFormats('image/avif,image/webp;q=0,image/*') // ['avif']
 */
export function acceptedFormats(accept: string | null): readonly NegotiatedFormat[] {
  return accepted.memo(accept ?? '')
}

// Browsers send few different values, and parsing one takes longer than finding a stored image.
const accepted = new LRUCache({
  max: 100,
  memoMethod(accept: string): readonly NegotiatedFormat[] {
    const named = namedMediaTypes(accept)
    return negotiatedFormats.filter((format) => named.has(imageFormats[format].mediaType))
  },
})

/**
 * Returns the `Accept` that is sent to the image service instead of the client's. It is one of eight values, so a cache stores at most
 * eight variants. imgproxy searches for the bare words, and would answer `image/avif;q=0` with AVIF.
 *
 * @example normalizeImageAccept('image/webp,image/png,image/avif;q=0.9') // 'image/avif,image/webp'
 */
export function normalizeImageAccept(accept: string | null): string | null {
  const types = acceptedFormats(accept).map((format) => imageFormats[format].mediaType)
  return types.join() || null
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

/** A visitor, with the entity tags of representations. */
export interface KnownClient extends ImageClient {
  readonly isHead: boolean
  /** Whether the visitor has the representation with this tag. */
  has(tag: string | undefined): boolean
  /** Returns the tag of the representation that the service has confirmed as unchanged, by its own entity tag. */
  confirmed(etag: string | null): string | undefined
}

/**
 * Reads the formats that a visitor accepts and the images that are already there. Representations in a format that the
 * visitor no longer accepts are left out: the service would call them unchanged, and the visitor would keep showing that
 * format.
 */
export function readClient(request: Request, onBodyError: (failure: ServiceFailure) => void): KnownClient {
  const { headers } = request
  const isHead = request.method === 'HEAD'
  const ifNoneMatch = headers.get('If-None-Match')
  const formats = acceptedFormats(headers.get('Accept'))
  const known =
    ifNoneMatch === null
      ? []
      : readTags(
          ifNoneMatch,
          negotiatedFormats.filter((each) => !formats.includes(each)),
        )
  const isAny = ifNoneMatch?.trim() === '*'
  const has = (tag: string | undefined) =>
    tag !== undefined && (isAny || known.some((each) => sameEntityTag(each.tag, tag)))
  return {
    formats,
    etags: isAny ? ['*'] : [...new Set(known.map(({ serviceTag }) => serviceTag))],
    modifiedSince: ifNoneMatch === null ? headers.get('If-Modified-Since') : null,
    needsBody: (etag, type) => !isHead && !has(toRepresentationTag(etag, type)),
    signal: () => request.signal,
    onBodyError,
    isHead,
    has,
    confirmed: (etag) => known.find(({ serviceTag }) => etag === null || sameEntityTag(serviceTag, etag))?.tag,
  }
}

function readTags(ifNoneMatch: string, refused: readonly string[]) {
  return [...ifNoneMatch.matchAll(representationTags)]
    .map(([, tag = '', weak = '', type = '', opaque]) => ({ tag, type, serviceTag: `${weak}"${opaque}"` }))
    .filter(({ type }) => !refused.includes(type))
}

type Field = [name: string, value: string]

const securityFields: readonly Field[] = Object.entries(securityHeaders)

/**
 * Creates the function that creates the response with an image, or the 304 if the visitor already has it.
 *
 * The `Cache-Control` of a service is not passed on: image services allow caching for a year, so visitors would not see a
 * replaced original, and only the proxy knows whether the URL has a version. `stale-if-error` is defined in RFC 5861,
 * `immutable` in RFC 8246.
 *
 * @param maxAge How long an image without a version is fresh, in seconds.
 * @param versionOf Returns the current version of an original.
 */
export function createImageResponder(maxAge: number, versionOf: SourceVersion | undefined) {
  const lifetimeOf = ({ image: { source, version }, isImmutable }: PlannedImage): string => {
    // The original may have been replaced before the service had finished reading it.
    const isReplaced =
      version !== undefined && versionOf?.current !== undefined && versionOf.current(source) !== version
    return isImmutable && !isReplaced ? 'max-age=31536000, immutable' : `max-age=${maxAge}, stale-if-error=86400`
  }

  return (planned: PlannedImage, client: KnownClient, result: ServedImage | UnchangedImage): Response => {
    const { status, lastModified, isUnstorable } = result
    const isServed = status === 200
    const etag = isServed ? toRepresentationTag(result.etag, result.type) : client.confirmed(result.etag)
    const vary = varyOf(result.vary)
    // A list is faster to build and send than an object.
    const fields: Field[] = [['Cache-Control', isUnstorable ? 'private, no-store' : `public, ${lifetimeOf(planned)}`]]
    if (planned.tag !== undefined && !isUnstorable) fields.push(['Cache-Tag', planned.tag])
    if (vary !== undefined) fields.push(['Vary', vary])
    if (lastModified) fields.push(['Last-Modified', lastModified])
    if (etag !== undefined) fields.push(['ETag', etag])
    fields.push(...securityFields)
    // The service may have overlooked its own tag, for example in a list of tags.
    if (!isServed || client.has(etag)) return createResponse(null, { status: 304, headers: fields })
    fields.push(['Content-Type', result.type])
    if (result.length !== undefined) fields.push(['Content-Length', String(result.length)])
    return createResponse(client.isHead ? null : result.body, { headers: fields })
  }
}

/** Reduces `Vary` to `Accept`, the only field of the visitor that can change the image. */
function varyOf(field: string | null): string | undefined {
  if (field === 'Accept') return field
  const names = parseVary(field)
  if (names === '*') return '*'
  return names.includes('accept') ? 'Accept' : undefined
}
