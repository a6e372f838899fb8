import { isStoreEntry, type StoreEntry } from './entry.js'

// Format: length of the head (4 bytes, big-endian), head as JSON, body.
const headStart = 4
const version = 2

/** Encodes an entry as bytes, for a store that keeps bytes. */
export function encodeEntry(entry: StoreEntry): Uint8Array<ArrayBuffer> {
  const body = entry.kind === 'vary' ? new Uint8Array(0) : entry.body
  const head = new TextEncoder().encode(
    JSON.stringify({ version, length: body.length, entry: { ...entry, body: undefined } }),
  )
  const bytes = new Uint8Array(headStart + head.length + body.length)
  new DataView(bytes.buffer).setUint32(0, head.length)
  bytes.set(head, headStart)
  bytes.set(body, headStart + head.length)
  return bytes
}

/**
 * Decodes what {@link encodeEntry} returned. Returns `undefined` for anything else, such as a truncated entry or one of
 * another version. The body is a view of the given bytes.
 *
 * @example decodeEntry(encodeEntry(entry)) // equal to entry
 */
export function decodeEntry(bytes: Uint8Array): StoreEntry | undefined {
  if (bytes.length < headStart || !(bytes.buffer instanceof ArrayBuffer)) return undefined
  const bodyStart = headStart + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  if (bodyStart > bytes.length) return undefined
  const head = parseHead(bytes.subarray(headStart, bodyStart))
  if (head?.version !== version || head.length !== bytes.length - bodyStart) return undefined
  const { entry } = head
  const body = new Uint8Array(bytes.buffer, bytes.byteOffset + bodyStart, bytes.length - bodyStart)
  const stored = entry && entry.kind !== 'vary' ? { ...entry, body } : entry
  return isStoreEntry(stored) ? stored : undefined
}

interface Head {
  version?: unknown
  length?: unknown
  entry?: { kind?: unknown }
}

function parseHead(bytes: Uint8Array): Head | null | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined // not UTF-8, or not JSON
  }
}
