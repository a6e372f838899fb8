import { namedMediaTypes } from '../http/accept.js'
import { sameEntityTag } from '../http/entity-tag.js'
import { negotiatedTypes } from './service-headers.js'

// RFC 9110, section 8.8.3; a visible ASCII character but the quote. Others are lost between servers.
const entityTag = /^(W\/)?"([\x21\x23-\x7e]*)"$/
const representationTags = /(?:^|[\s,])((W\/)?"([\w.+-]+):([\x21\x23-\x7e]*)")/g

/**
 * Returns the entity tag of one representation, from the one that the service gives to all representations of an original,
 * as imgproxy does: the type of the image comes before it. Returns `undefined` for what is no entity tag or no image.
 *
 * @example toRepresentationTag('"5f3-1"', 'image/avif') // '"avif:5f3-1"'
 */
export function toRepresentationTag(etag: string | null, contentType: string | null): string | undefined {
  const [, weak = '', opaque] = entityTag.exec(etag?.trim() ?? '') ?? []
  const [, type] = /^image\/([\w.+-]+)/i.exec(contentType ?? '') ?? []
  return opaque !== undefined && type ? `${weak}"${type.toLowerCase()}:${opaque}"` : undefined
}

/** The representations that a client has, by the entity tags of {@link toRepresentationTag}. */
export interface KnownRepresentations {
  /** `If-None-Match` for the service, whose tags these are; `null` when none of them is the service's. */
  readonly ifNoneMatch: string | null
  /** Whether the client has the representation of a tag. */
  includes(tag: string): boolean
  /** Returns the tag of the representation that the service has confirmed by a 304, whose `ETag` this is. */
  confirmed(etag: string | null): string | undefined
}

const nothingKnown: KnownRepresentations = {
  ifNoneMatch: null,
  includes: () => false,
  confirmed: () => undefined,
}

/**
 * Reads the `If-None-Match` of a client. A representation whose type the client does not accept any more is unknown to it:
 * the service cannot tell that, and would confirm it.
 *
 * @param client Headers of the client's request.
 */
export function readKnownRepresentations(client: Headers): KnownRepresentations {
  const given = client.get('If-None-Match')
  if (given === null) return nothingKnown
  const accepted = namedMediaTypes(client.get('Accept'))
  const known = [...given.matchAll(representationTags)]
    .map(([, tag = '', weak = '', type = '', opaque]) => ({ tag, type, service: `${weak}"${opaque}"` }))
    .filter(({ type }) => !negotiatedTypes.includes(`image/${type}`) || accepted.has(`image/${type}`))
  const isAny = given.trim() === '*'
  return {
    ifNoneMatch: isAny ? '*' : [...new Set(known.map(({ service }) => service))].join(', ') || null,
    includes: (tag) => isAny || known.some((each) => sameEntityTag(each.tag, tag)),
    confirmed: (etag) => known.find(({ service }) => etag === null || sameEntityTag(service, etag))?.tag,
  }
}
