import { createHash } from 'node:crypto'
import type { StoredBytes } from './byte-store.js'

// A file is: 4 bytes magic, 4 bytes version, lengths of meta and body (32 bits each, big-endian), SHA-256 of all the
// rest, meta as JSON, body.
const magic = Buffer.from('SWDC')
const version = 1
const lengthsEnd = 16
const headerEnd = lengthsEnd + 32

/** The bytes of a cache file: the entry, its key and a checksum over both. */
export function encodeEntry(key: string, { meta, body }: StoredBytes): Buffer {
  const json = Buffer.from(JSON.stringify({ key, meta }))
  const header = Buffer.alloc(headerEnd)
  magic.copy(header)
  header.writeUInt32BE(version, 4)
  header.writeUInt32BE(json.length, 8)
  header.writeUInt32BE(body.length, 12)
  checksum(header, json, body).copy(header, lengthsEnd)
  return Buffer.concat([header, json, body])
}

/**
 * Reads what {@link encodeEntry} made. `undefined` for everything else: truncated, overwritten, of another version or
 * another key.
 */
export function decodeEntry(key: string, file: Buffer): StoredBytes | undefined {
  if (file.length < headerEnd || !file.subarray(0, 4).equals(magic) || file.readUInt32BE(4) !== version)
    return undefined
  const bodyStart = headerEnd + file.readUInt32BE(8)
  if (file.length !== bodyStart + file.readUInt32BE(12)) return undefined
  const json = file.subarray(headerEnd, bodyStart)
  const body = file.subarray(bodyStart)
  if (!checksum(file, json, body).equals(file.subarray(lengthsEnd, headerEnd))) return undefined
  // The checksum is right, so this is what encodeEntry wrote.
  const entry = JSON.parse(json.toString()) as { key: string; meta: StoredBytes['meta'] }
  return entry.key === key ? { meta: entry.meta, body } : undefined
}

function checksum(header: Uint8Array, json: Uint8Array, body: Uint8Array): Buffer {
  return createHash('sha256').update(header.subarray(0, lengthsEnd)).update(json).update(body).digest()
}
