import type { MaybePromise } from '../../async.js'
import { findHeader } from '../../http/headers.js'

/**
 * The state of the tag index at one moment. Sequences of one epoch only rise; epochs are merely different from one another
 * and have no order.
 */
export interface Stamp {
  readonly epoch: string
  readonly sequence: number
}

/** A complete response, with everything computed that a later request needs. Times are in seconds. */
export interface StoredResponse {
  readonly kind: 'response'
  /** Stamp that was current before the render began. */
  readonly stamp: Stamp
  readonly tags: readonly string[]
  readonly status: number
  readonly statusText: string
  /** Names in lower case; no hop-by-hop fields, no `Age`. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array<ArrayBuffer>
  /** Age when it was stored: `corrected_initial_age` of RFC 9111, section 4.2.3. */
  readonly initialAge: number
  /** Freshness lifetime: RFC 9111, section 4.2.1. */
  readonly lifetime: number
  /** RFC 5861, section 3. */
  readonly staleWhileRevalidate: number
  /** RFC 5861, section 4. */
  readonly staleIfError: number
  /** Whether it must not be served stale: `must-revalidate`, `proxy-revalidate`, or implied by `s-maxage`. */
  readonly mustRevalidate: boolean
  /** Whether the cache generated the `ETag`, so that the handler does not know it. */
  readonly hasGeneratedEtag: boolean
  /** Seconds for which it can be of use, counted from the moment it is stored. */
  readonly ttl: number
}

/** Bytes that are no response, such as an image or another cache's value, with metadata of their owner. */
export interface StoredValue {
  readonly kind: 'value'
  /** JSON. Its owner checks the shape, since a store may return an entry of another version. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly body: Uint8Array<ArrayBuffer>
  /** Seconds for which it can be of use, counted from the moment it is stored. */
  readonly ttl: number
}

export type StoreEntry = StoredResponse | StoredValue

/** Whether a value from a store looks like an entry. Its parts are those that were stored: the codec has a version for that. */
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

const maxTextBytes = 64 * 1024
const textTypes = /^(?:text\/|application\/(?:json|javascript|xml|[\w.+-]+\+(?:json|xml))|image\/svg)/i

/** Whether a body is sent as a string: the quickest way for short text, since some servers send it without a stream. */
export function isText({ body, headers }: Pick<StoredResponse, 'body' | 'headers'>): boolean {
  if (body.length > maxTextBytes || findHeader(headers, 'content-encoding') !== undefined) return false
  return textTypes.test(findHeader(headers, 'content-type') ?? '')
}

/** An entry that a store has found. */
export interface StoreHit {
  entry: StoreEntry
  /** Seconds since the entry was set, by the store's own clock, which all processes that share the store agree on. */
  age: number
}

/**
 * Keeps entries by key, within bounds of its own. It may evict any entry at any time, and may drop one after `entry.ttl`
 * seconds; it must never return a partial one. It may answer synchronously or with a promise. An error and a timeout count as a miss.
 */
export interface Store {
  get(key: string): MaybePromise<StoreHit | undefined>
  /**
   * @param age Seconds that the entry has already spent in another store. Default 0.
   * @returns `false` when the entry was not stored, so that the previous one may still be there, which may be purged or out of
   *   date. Nothing stands for `true`.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most stores of users return nothing
  set(key: string, entry: StoreEntry, age?: number): MaybePromise<boolean | void>
  delete(key: string): MaybePromise<void>
}
