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
  readonly forAuthorized: boolean
  /** Whether the ETag is one that the cache made, and the handler does not know. */
  readonly madeEtag: boolean
  /** How long it can be of use, counted from the moment it is stored. */
  readonly keepFor: number
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
  readonly keepFor: number
}

export type Stored = StoredResponse | StoredVary

/**
 * Makes an entry of bytes that are no response yet, such as a picture or another cache's value: what is not given says
 * nothing.
 *
 * @example createEntry({ body, keepFor: 3600 })
 */
export function createEntry(given: Pick<StoredResponse, 'body' | 'keepFor'> & Partial<StoredResponse>): StoredResponse {
  return {
    kind: 'response',
    stamp: { epoch: '', sequence: 0 },
    tags: [],
    status: 200,
    statusText: '',
    headers: [],
    initialAge: 0,
    lifetime: 0,
    staleWhileRevalidate: 0,
    staleIfError: 0,
    mustRevalidate: false,
    noCache: false,
    forAuthorized: false,
    madeEtag: false,
    ...given,
  }
}

/** Whether a value from a store is what this cache put there, as far as its shape tells. */
export function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false
  const { kind, ...entry } = value as Record<string, unknown>
  if (typeof entry.keepFor !== 'number') return false
  if (kind === 'vary')
    return typeof entry.generation === 'string' && isTexts(entry.names) && typeof entry.imageAccept === 'boolean'
  return kind === 'response' && isResponse(entry)
}

const numbers = ['status', 'initialAge', 'lifetime', 'staleWhileRevalidate', 'staleIfError'] as const
const flags = ['mustRevalidate', 'noCache', 'forAuthorized', 'madeEtag'] as const

function isResponse(entry: Record<string, unknown>): boolean {
  const stamp = entry.stamp as Partial<Stamp> | null | undefined
  return (
    typeof stamp?.epoch === 'string' &&
    Number.isSafeInteger(stamp.sequence) &&
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

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
