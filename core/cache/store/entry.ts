import type { MaybePromise } from '../../async.js'
import { sha256Bytes } from '../../crypto.js'
import type { Directives } from '../../http/cache-control.js'
import { findHeader, storableHeaders, updateHeaders } from '../../http/headers.js'
import { maxTagsPerResponse } from '../../tags.js'

/**
 * The state of the tag index at one moment. Within an epoch, the sequence number only rises. Epochs have no order: they
 * can only be compared for equality.
 */
export interface Stamp {
  readonly epoch: string
  readonly sequence: number
}

/** How long a response may be used, in seconds. */
export interface StorageTerms {
  /** Age of the response when it was stored: `corrected_initial_age` of RFC 9111, section 4.2.3. */
  readonly initialAge: number
  /** Freshness lifetime: RFC 9111, section 4.2.1. */
  readonly lifetime: number
  /** RFC 5861, section 3. */
  readonly staleWhileRevalidate: number
  /** RFC 5861, section 4. */
  readonly staleIfError: number
  /** Whether the response must not be served stale: `must-revalidate`, `proxy-revalidate`, or implied by `s-maxage`. */
  readonly mustRevalidate: boolean
  /** The age from which the response must not be used any more, not even stale: its content has changed by date. */
  readonly end?: number | undefined
  /** Seconds for which the response can be of use, counted from the moment it is stored. */
  readonly ttl: number
}

/**
 * How long a response may be stored and used, or why it may not be stored: the `detail` of `Cache-Status`. The plan is
 * made from the head of the response alone.
 */
export type StoragePlan =
  | { refusal: string; terms?: never; directives?: never }
  | { terms: StorageTerms; directives: Directives; refusal?: never }

/** A complete response, with all computed values that a later request needs. Times are in seconds. */
export interface StoredResponse extends StorageTerms {
  readonly kind: 'response'
  /** Stamp that was current before the render began. */
  readonly stamp: Stamp
  readonly tags: readonly string[]
  readonly status: number
  readonly statusText: string
  /** Names are in lower case. Hop-by-hop fields and `Age` are left out. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array<ArrayBuffer>
  /** Whether the cache generated the `ETag`, so that the handler does not know it. */
  readonly hasGeneratedEtag: boolean
}

/**
 * Bytes that are not a response, such as an image or another cache's value, with metadata of the code that stores them.
 */
export interface StoredValue {
  readonly kind: 'value'
  /**
   * JSON. The code that stores a value also checks the shape of this metadata, because a store may return an entry of
   * another version.
   */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly body: Uint8Array<ArrayBuffer>
  /** Seconds for which the value can be of use, counted from the moment it is stored. */
  readonly ttl: number
}

export type StoreEntry = StoredResponse | StoredValue

/**
 * Whether a value from a store looks like an entry. Checks only some parts of the entry, because the codec rejects
 * entries of another version.
 */
export function isStoreEntry(value: unknown): value is StoreEntry {
  const entry = value as Partial<StoreEntry> | null | undefined
  if (typeof entry?.ttl !== 'number' || !(entry.body instanceof Uint8Array)) return false
  if (entry.kind === 'value') return typeof entry.metadata === 'object' && entry.metadata !== null
  return entry.kind === 'response' && isStamp(entry.stamp) && Array.isArray(entry.headers) && Array.isArray(entry.tags)
}

/** Whether a value is a {@link Stamp}. */
export function isStamp(value: unknown): value is Stamp {
  const stamp = value as Partial<Stamp> | null | undefined
  return typeof stamp?.epoch === 'string' && Number.isSafeInteger(stamp.sequence)
}

/** The parts of a stored response besides its body. */
export interface StorableHead extends StorageTerms, Pick<StoredResponse, 'tags' | 'status' | 'statusText' | 'headers'> {
  /** When the head arrived, by `performance.now`. */
  arrived: number
}

// The terms of an error, which is shared but not stored.
const noTerms = { initialAge: 0, lifetime: 0, staleWhileRevalidate: 0, staleIfError: 0, mustRevalidate: true, ttl: 0 }

/**
 * Creates the head that is stored. It has a `Date`, because a recipient adds a missing `Date` (RFC 9110, section
 * 6.6.1).
 */
export function createStorableHead(response: Response, tags: readonly string[], plan: StoragePlan): StorableHead {
  const { status, statusText, headers } = response
  const { terms = noTerms, directives = new Map() } = plan
  const lines = storableHeaders(headers, directives)
  if (findHeader(lines, 'date') === undefined) lines.push(['date', new Date().toUTCString()])
  return { ...terms, tags, status, statusText, headers: lines, arrived: performance.now() }
}

/**
 * Adds encoded tags that were noted after the head was created. Returns the same head if no tag is new, and `undefined`
 * if there are too many tags.
 */
export function addLateTags(head: StorableHead, noted: readonly string[]): StorableHead | undefined {
  const headTags = new Set(head.tags)
  const tags = [...head.tags, ...noted.filter((tag) => !headTags.has(tag))]
  if (tags.length > maxTagsPerResponse) return undefined
  if (tags.length === head.tags.length) return head
  return { ...head, tags, headers: updateHeaders(head.headers, [['cache-tag', tags.join()]]) }
}

/** Returns the age of a response of which only the head has arrived, in seconds. */
export function ageOf({ initialAge, arrived }: StorableHead): number {
  return initialAge + (performance.now() - arrived) / 1000
}

/**
 * Creates the entry of a response. The entry has the length of the body and, if the handler set no ETag, a strong ETag
 * from the body's digest. Its age includes the time that the body took to arrive, because a response ages from its head
 * on (RFC 9111, section 4.2.3).
 */
export async function createStoredResponse(head: StorableHead, stamp: Stamp, body: Uint8Array<ArrayBuffer>) {
  const { arrived, ...parts } = head
  const headers = head.headers.filter(([name]) => name !== 'content-length')
  if (head.status !== 204 && head.status !== 205) headers.push(['content-length', String(body.length)])
  const hasGeneratedEtag = head.status === 200 && findHeader(headers, 'etag') === undefined
  if (hasGeneratedEtag) {
    const digest = btoa(String.fromCharCode(...(await sha256Bytes(body)).subarray(0, 16)))
    headers.push(['etag', `"${digest.replace(/={1,2}$/, '')}"`])
  }
  const ttl = Math.ceil(head.ttl - (performance.now() - arrived) / 1000)
  return { ...parts, kind: 'response' as const, stamp, headers, body, initialAge: ageOf(head), ttl, hasGeneratedEtag }
}

const maxTextBytes = 64 * 1024
const textTypes = /^(?:text\/|application\/(?:json|javascript|xml|[\w.+-]+\+(?:json|xml))|image\/svg)/i

/**
 * Whether a body is sent as a string: the fastest way for short text, because some servers send a string without a
 * stream.
 */
export function isText({ body, headers }: Pick<StoredResponse, 'body' | 'headers'>): boolean {
  if (body.length > maxTextBytes || findHeader(headers, 'content-encoding') !== undefined) return false
  return textTypes.test(findHeader(headers, 'content-type') ?? '')
}

/** An entry that a store has found. */
export interface StoreHit {
  entry: StoreEntry
  /** Seconds since the entry was set, by the store's own clock: one clock for all processes that share the store. */
  age: number
}

/**
 * Keeps entries by key, within its own bounds. It may evict any entry at any time, and may drop an entry after
 * `entry.ttl` seconds; it must never return a partial entry. It may answer synchronously or with a promise. Errors and
 * timeouts count as misses.
 */
export interface Store {
  get(key: string): MaybePromise<StoreHit | undefined>
  /**
   * @param age Seconds that the entry has already spent in another store. Default 0.
   * @returns `false` if the entry was not stored: then the store may still have the previous entry, which may be purged
   *   or out of date. `undefined` counts as `true`.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most stores of users return nothing
  set(key: string, entry: StoreEntry, age?: number): MaybePromise<boolean | void>
  delete(key: string): MaybePromise<void>
  /** Whether entries outlive the process, and so the release that stored them. Default `false`. */
  readonly isDurable?: boolean
  /** Returns the bytes that all entries take. Default: the store does not know. */
  bytes?(): number
  /** Lists all entries, in any order. Default: the store cannot list them. */
  entries?(): Iterable<readonly [key: string, entry: StoreEntry]>
}
