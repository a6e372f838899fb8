import { sha256Bytes } from '../crypto.js'
import type { Directives } from '../http/cache-control.js'
import { findHeader, storableHeaders, updateHeaders } from '../http/headers.js'
import { maxTags } from '../tags.js'
import type { StorageTerms } from './policy.js'
import type { Stamp, StoredResponse } from './store/entry.js'

/** The parts of a stored response besides its body. */
export interface StorableHead extends Pick<StoredResponse, 'tags' | 'status' | 'statusText' | 'headers'> {
  terms: StorageTerms
  /** When the head arrived, by `performance.now`. */
  arrived: number
}

// The terms of an error, which is shared but not stored.
const noTerms = { initialAge: 0, lifetime: 0, staleWhileRevalidate: 0, staleIfError: 0, mustRevalidate: true, ttl: 0 }

/**
 * Creates the head that is stored. It has a `Date`, because a recipient adds a missing `Date` (RFC 9110, section
 * 6.6.1).
 */
export function createStorableHead(
  { status, statusText, headers }: Pick<Response, 'status' | 'statusText' | 'headers'>,
  tags: readonly string[],
  terms: StorageTerms = noTerms,
  directives: Directives = new Map(),
): StorableHead {
  const lines = storableHeaders(headers, directives)
  if (findHeader(lines, 'date') === undefined) lines.push(['date', new Date().toUTCString()])
  return { tags, status, statusText, headers: lines, terms, arrived: performance.now() }
}

/**
 * Adds encoded tags that were noted after the head was created. Returns the same head if no tag is new, and `undefined`
 * if there are too many tags.
 */
export function addLateTags(head: StorableHead, noted: readonly string[]): StorableHead | undefined {
  const headTags = new Set(head.tags)
  const tags = [...head.tags, ...noted.filter((tag) => !headTags.has(tag))]
  if (tags.length > maxTags) return undefined
  if (tags.length === head.tags.length) return head
  return { ...head, tags, headers: updateHeaders(head.headers, [['cache-tag', tags.join()]]) }
}

/** Returns the age of a response of which only the head has arrived, in seconds. */
export function ageOf({ terms, arrived }: StorableHead): number {
  return terms.initialAge + (performance.now() - arrived) / 1000
}

/**
 * Creates the entry of a response. The entry has the length of the body and, if the handler set no ETag, a strong ETag
 * from the body's digest. Its age includes the time that the body took to arrive, because a response ages from its head
 * on (RFC 9111, section 4.2.3).
 */
export async function createStoredResponse(
  head: StorableHead,
  stamp: Stamp,
  body: Uint8Array<ArrayBuffer>,
): Promise<StoredResponse> {
  const { terms, arrived, ...responseParts } = head
  const headers = head.headers.filter(([name]) => name !== 'content-length')
  if (head.status !== 204 && head.status !== 205) headers.push(['content-length', String(body.length)])
  const hasGeneratedEtag = head.status === 200 && findHeader(headers, 'etag') === undefined
  if (hasGeneratedEtag) {
    const digest = btoa(String.fromCharCode(...(await sha256Bytes(body)).subarray(0, 16)))
    headers.push(['etag', `"${digest.replace(/={1,2}$/, '')}"`])
  }
  const delay = (performance.now() - arrived) / 1000
  const [initialAge, ttl] = [terms.initialAge + delay, Math.ceil(terms.ttl - delay)]
  return { kind: 'response', ...responseParts, stamp, headers, body, ...terms, initialAge, ttl, hasGeneratedEtag }
}
