import { isStoreEntry, type StoreEntry } from './entry.js'

// Format: length of the head (4 bytes, big-endian), head as JSON, body.
const headStart = 4
const version = 2

/** Encodes an entry as bytes, for a store that keeps bytes. */
export function encodeEntry(entry: StoreEntry): Uint8Array<ArrayBuffer> {
  const [head, body] = [encodeHead(entry), bodyOf(entry)]
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

/** Encodes an entry without its body, for a store that keeps these apart. */
export function encodeHead(entry: StoreEntry): Uint8Array<ArrayBuffer> {
  const json = JSON.stringify({ version, length: bodyOf(entry).length, entry: { ...entry, body: undefined } })
  const head = new TextEncoder().encode(json)
  const bytes = new Uint8Array(headStart + head.length)
  new DataView(bytes.buffer).setUint32(0, head.length)
  bytes.set(head, headStart)
  return bytes
}

/**
 * Decodes what {@link encodeEntry} returned. Returns `undefined` for anything else, such as a truncated entry or one of
 * another version. The body is a view of the given bytes.
 *
 * @param body Of a store that keeps it apart from what {@link encodeHead} returned.
 * @example decodeEntry(encodeEntry(entry)) // equal to entry
 */
export function decodeEntry(bytes: Uint8Array, body?: Uint8Array): StoreEntry | undefined {
  const head = parseHead(bytes)
  const content = head && (body ?? bytes.subarray(head.end))
  if (!content || !(content.buffer instanceof ArrayBuffer) || head.length !== content.length) return undefined
  return withBody(head, new Uint8Array(content.buffer, content.byteOffset, content.length))
}

/**
 * Decodes the head of an entry, which more bytes may follow.
 *
 * @param part What is known of the body. Default: nothing.
 */
export function decodeHead(bytes: Uint8Array, part?: Uint8Array<ArrayBuffer>): StoreEntry | undefined {
  const head = parseHead(bytes)
  return head && withBody(head, part ?? new Uint8Array(0))
}

function bodyOf(entry: StoreEntry): Uint8Array {
  return entry.kind === 'vary' ? new Uint8Array(0) : entry.body
}

function withBody({ entry }: Head, body: Uint8Array<ArrayBuffer>): StoreEntry | undefined {
  const stored = entry && entry.kind !== 'vary' ? { ...entry, body } : entry
  return isStoreEntry(stored) ? stored : undefined
}

interface Head {
  /** Of the body. */
  length?: unknown
  entry?: { kind?: unknown }
}

function parseHead(bytes: Uint8Array): (Head & { end: number }) | undefined {
  if (bytes.length < headStart) return undefined
  const end = headStart + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  if (end > bytes.length) return undefined
  try {
    const head = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(headStart, end)))
    return head?.version === version ? { ...head, end } : undefined
  } catch {
    return undefined // not UTF-8, or not JSON
  }
}
