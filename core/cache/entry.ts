/**
 * What the tag index said before a render began. Epochs are unlike one another and have no order; sequences of one epoch
 * only rise.
 */
export interface Stamp {
  readonly epoch: string
  readonly sequence: number
}

/** A complete response, with everything worked out that a later request needs. Times are in seconds. */
export interface StoredResponse {
  readonly kind: 'response'
  /** What was current before the render began. */
  readonly stamp: Stamp
  readonly tags: readonly string[]
  readonly status: number
  readonly statusText: string
  /** Names in lower case; no hop-by-hop field, no `Age`. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array<ArrayBuffer>
  /** Age when it was stored: RFC 9111, section 4.2.3, `corrected_initial_age`. */
  readonly initialAge: number
  /** Freshness lifetime: RFC 9111, section 4.2.1. */
  readonly lifetime: number
  /** RFC 5861, section 3. */
  readonly staleWhileRevalidate: number
  /** RFC 5861, section 4. */
  readonly staleIfError: number
  /** Never to be served stale: `must-revalidate`, `proxy-revalidate`, or what `s-maxage` implies. */
  readonly mustRevalidate: boolean
  /** Never to be served without asking: `no-cache`. */
  readonly noCache: boolean
  /** Whether it may answer requests with `Authorization` (RFC 9111, section 3.5). */
  readonly allowsAuthorization: boolean
  /** Whether the ETag is one that the cache made, and the handler does not know. */
  readonly hasGeneratedEtag: boolean
  /** How long it can be of use, counted from the moment it is stored. */
  readonly ttl: number
}

/** Stands under a URL whose responses vary; they are under keys of their own (RFC 9111, section 4.1). */
export interface StoredVary {
  readonly kind: 'vary'
  /** Part of the keys of its responses, so that removing this removes them. */
  readonly generation: string
  /** Request fields that select a response, in lower case, sorted. */
  readonly names: readonly string[]
  /** Whether `Accept` only picks between image formats here. */
  readonly imageAccept: boolean
  readonly ttl: number
}

/** Bytes that are no response, such as a picture or another cache's value, with what their owner notes about them. */
export interface StoredValue {
  readonly kind: 'value'
  /** JSON. Its owner checks the shape, since a store may give back what another version wrote. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly body: Uint8Array<ArrayBuffer>
  /** Seconds for which it can be of use, counted from the moment it is stored. */
  readonly ttl: number
}

export type StoreEntry = StoredResponse | StoredVary | StoredValue

/** Whether a value from a store is what this cache put there, as far as its shape tells. */
export function isStored(value: unknown): value is StoreEntry {
  if (typeof value !== 'object' || value === null) return false
  const { kind, ...entry } = value as Record<string, unknown>
  if (typeof entry.ttl !== 'number') return false
  if (kind === 'vary')
    return typeof entry.generation === 'string' && isTexts(entry.names) && typeof entry.imageAccept === 'boolean'
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
    isTexts(entry.tags) &&
    entry.body instanceof Uint8Array &&
    typeof entry.statusText === 'string' &&
    numbers.every((name) => Number.isFinite(entry[name])) &&
    flags.every((name) => typeof entry[name] === 'boolean') &&
    (entry.status as number) >= 200 &&
    (entry.status as number) <= 599 &&
    Array.isArray(entry.headers) &&
    entry.headers.every((header) => isTexts(header) && header.length === 2) &&
    areSendable(entry.headers as [string, string][])
  )
}

function areSendable(headers: [string, string][]): boolean {
  try {
    return new Headers(headers) !== undefined
  } catch {
    return false
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
