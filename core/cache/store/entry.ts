import { findHeader } from '../../http/headers.js'
import { isFieldName } from '../../http/vary.js'

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
  /** Whether it must not be served without revalidation: `no-cache`. */
  readonly noCache: boolean
  /** Whether it may answer requests with `Authorization` (RFC 9111, section 3.5). */
  readonly allowsAuthorization: boolean
  /** Whether the cache generated the `ETag`, so that the handler does not know it. */
  readonly hasGeneratedEtag: boolean
  /** Seconds for which it can be of use, counted from the moment it is stored. */
  readonly ttl: number
}

/** Stored under a URL whose responses vary; they are stored under keys of their own (RFC 9111, section 4.1). */
export interface StoredVary {
  readonly kind: 'vary'
  /** Part of the keys of its responses: without this record they cannot be found. */
  readonly generation: string
  /** Request fields that select a response, in lower case, sorted. */
  readonly names: readonly string[]
  /** Seconds for which it can be of use, counted from the moment it is stored. */
  readonly ttl: number
}

/** Bytes that are no response, such as an image or another cache's value, with metadata of their owner. */
export interface StoredValue {
  readonly kind: 'value'
  /** JSON. Its owner checks the shape, since a store may return what another version wrote. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly body: Uint8Array<ArrayBuffer>
  /** Seconds for which it can be of use, counted from the moment it is stored. */
  readonly ttl: number
}

export type StoreEntry = StoredResponse | StoredVary | StoredValue

/** Whether a value from a store has the shape of an entry. */
export function isStoreEntry(value: unknown): value is StoreEntry {
  if (typeof value !== 'object' || value === null) return false
  const { kind, ...entry } = value as Record<string, unknown>
  if (typeof entry.ttl !== 'number') return false
  if (kind === 'vary') return typeof entry.generation === 'string' && isNameList(entry.names)
  if (kind === 'value') return isRecord(entry.metadata) && entry.body instanceof Uint8Array
  return kind === 'response' && isResponse(entry)
}

/** Whether a value is a {@link Stamp}. */
export function isStamp(value: unknown): value is Stamp {
  return isRecord(value) && typeof value.epoch === 'string' && Number.isSafeInteger(value.sequence)
}

const numbers = ['status', 'initialAge', 'lifetime', 'staleWhileRevalidate', 'staleIfError'] as const
const flags = ['mustRevalidate', 'noCache', 'allowsAuthorization', 'hasGeneratedEtag'] as const

function isResponse(entry: Record<string, unknown>): boolean {
  return (
    isStamp(entry.stamp) &&
    isStringList(entry.tags) &&
    entry.body instanceof Uint8Array &&
    typeof entry.statusText === 'string' &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(entry.statusText) &&
    numbers.every((name) => Number.isFinite(entry[name])) &&
    flags.every((name) => typeof entry[name] === 'boolean') &&
    (entry.status as number) >= 200 &&
    (entry.status as number) <= 599 &&
    Array.isArray(entry.headers) &&
    entry.headers.every((header) => isStringList(header) && header.length === 2) &&
    areValidHeaders(entry.headers as [string, string][])
  )
}

// RFC 9110, section 5.5: not in a field value. `Headers` accepts them, Node refuses to send them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const controlCharacters = /[\x00-\x08\x0a-\x1f\x7f]/

function isNameList(value: unknown): boolean {
  return isStringList(value) && value.every(isFieldName)
}

/** Whether any value has a character that no header can be sent with. */
export function hasControlCharacters(headers: Iterable<readonly [string, string]>): boolean {
  for (const [, value] of headers) if (controlCharacters.test(value)) return true
  return false
}

function areValidHeaders(headers: [string, string][]): boolean {
  try {
    return new Headers(headers) !== undefined && !hasControlCharacters(headers)
  } catch {
    return false
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

const maxTextBytes = 64 * 1024
const textTypes = /^(?:text\/|application\/(?:json|javascript|xml|[\w.+-]+\+(?:json|xml))|image\/svg)/i

/** Whether a body is sent as a string: the quickest way for short text, since some servers send it without a stream. */
export function isText({ body, headers }: Pick<StoredResponse, 'body' | 'headers'>): boolean {
  if (body.length > maxTextBytes || findHeader(headers, 'content-encoding') !== undefined) return false
  return textTypes.test(findHeader(headers, 'content-type') ?? '')
}

/** Whether an entry is the one that a response was stored as. */
export function isSameResponse(
  entry: StoreEntry | undefined,
  { stamp, initialAge, headers }: Pick<StoredResponse, 'stamp' | 'initialAge' | 'headers'>,
): entry is StoredResponse {
  if (entry?.kind !== 'response' || entry.initialAge !== initialAge) return false
  return JSON.stringify([entry.stamp, entry.headers]) === JSON.stringify([stamp, headers])
}
