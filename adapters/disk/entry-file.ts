import { createHash } from 'node:crypto'
import { decodeEntry, encodeEntry, type StoreEntry } from '../../core/cache/index.js'

// A file is: 4 bytes magic, 4 bytes version, lengths of key and entry (32 bits each), milliseconds since 1970 (a double;
// all big-endian), SHA-256 of all the rest, key, entry.
const magic = Buffer.from('SWDC')
const version = 2
const headEnd = 24
const checksumEnd = headEnd + 32

/** What a file holds: an entry, and when it came into being, in milliseconds since 1970. */
export interface Dated {
  entry: StoreEntry
  since: number
}

/** The bytes of a file: the entry, its key and a checksum over all. */
export function encodeFile(key: string, { entry, since }: Dated): Buffer {
  const [name, bytes] = [Buffer.from(key), encodeEntry(entry)]
  const head = Buffer.alloc(headEnd)
  magic.copy(head)
  head.writeUInt32BE(version, 4)
  head.writeUInt32BE(name.length, 8)
  head.writeUInt32BE(bytes.length, 12)
  head.writeDoubleBE(since, 16)
  return Buffer.concat([head, checksum(head, name, bytes), name, bytes])
}

/**
 * Reads what {@link encodeFile} made. `undefined` for everything else: truncated, overwritten, of another version or
 * another key.
 */
export function decodeFile(key: string, file: Buffer): Dated | undefined {
  if (file.length < checksumEnd || !file.subarray(0, 4).equals(magic) || file.readUInt32BE(4) !== version)
    return undefined
  const entryStart = checksumEnd + file.readUInt32BE(8)
  if (file.length !== entryStart + file.readUInt32BE(12)) return undefined
  const [head, sum] = [file.subarray(0, headEnd), file.subarray(headEnd, checksumEnd)]
  const [name, bytes] = [file.subarray(checksumEnd, entryStart), file.subarray(entryStart)]
  if (!checksum(head, name, bytes).equals(sum) || name.toString() !== key) return undefined
  const entry = decodeEntry(bytes)
  return entry && { entry, since: file.readDoubleBE(16) }
}

function checksum(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
