import { joinBytes } from '../../http/body.js'
import { isStoreEntry, type StoreEntry } from './entry.js'

// Format: length of the head (4 bytes, big-endian), head as JSON, body. The version changes with the shape of entries.
const headStart = 4
const version = 4

/** Encodes an entry as bytes, for a store that keeps bytes. */
export function encodeEntry(entry: StoreEntry): Uint8Array<ArrayBuffer> {
  return joinBytes([encodeHead(entry), entry.body])
}

/** Encodes an entry without its body, for a store that writes the body behind it without a copy. */
export function encodeHead(entry: StoreEntry): Uint8Array<ArrayBuffer> {
  const json = JSON.stringify({ version, length: entry.body.length, entry: { ...entry, body: undefined } })
  const head = new TextEncoder().encode(json)
  const length = new Uint8Array(headStart)
  new DataView(length.buffer).setUint32(0, head.length)
  return joinBytes([length, head])
}

/**
 * Decodes the result of {@link encodeEntry}. Returns `undefined` for other bytes, such as a truncated entry or an entry
 * of another version. The body is a view of the given bytes.
 *
 * @example decodeEntry(encodeEntry(entry)) // equal to entry
 */
export function decodeEntry(bytes: Uint8Array): StoreEntry | undefined {
  if (bytes.length < headStart) return undefined
  const end = headStart + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const content = bytes.subarray(end)
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
