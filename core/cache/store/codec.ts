import { isStoreEntry, type StoreEntry } from './entry.js'

// Format: length of the head (4 bytes, big-endian), head as JSON, body. The version changes with the shape of entries.
const headStart = 4
const version = 4

/** Encodes an entry as bytes, for a store that keeps bytes. */
export function encodeEntry(entry: StoreEntry): Uint8Array<ArrayBuffer> {
  const head = encodeHead(entry)
  const bytes = new Uint8Array(head.length + entry.body.length)
  bytes.set(head)
  bytes.set(entry.body, head.length)
  return bytes
}

/** Encodes an entry without its body, for a store that keeps head and body apart. */
export function encodeHead(entry: StoreEntry): Uint8Array<ArrayBuffer> {
  const json = JSON.stringify({ version, length: entry.body.length, entry: { ...entry, body: undefined } })
  const head = new TextEncoder().encode(json)
  const bytes = new Uint8Array(headStart + head.length)
  new DataView(bytes.buffer).setUint32(0, head.length)
  bytes.set(head, headStart)
  return bytes
}

/**
 * Decodes the result of {@link encodeEntry}. Returns `undefined` for other bytes, such as a truncated entry or an entry
 * of another version. The body is a view of the given bytes.
 *
 * @param body The body, if the store keeps it apart from the head that {@link encodeHead} encoded.
 * @example decodeEntry(encodeEntry(entry)) // equal to entry
 */
export function decodeEntry(bytes: Uint8Array, body?: Uint8Array): StoreEntry | undefined {
  if (bytes.length < headStart) return undefined
  const end = headStart + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const content = body ?? bytes.subarray(end)
  if (end > bytes.length || !(content.buffer instanceof ArrayBuffer)) return undefined
  try {
    const head = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(headStart, end)))
    if (head?.version !== version || head.length !== content.length) return undefined
    const entry = { ...head.entry, body: new Uint8Array(content.buffer, content.byteOffset, content.length) }
    return isStoreEntry(entry) ? entry : undefined
  } catch {
    return undefined // not UTF-8, or not JSON
  }
}
