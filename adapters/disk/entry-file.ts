import { createHash } from 'node:crypto'
import type { StoreEntry } from '../../core/cache/index.js'
import { decodeEntry, encodeHead } from '../../core/cache/internal.js'

// Layout: 4 bytes magic, 4 bytes version, length of the key (32 bits), creation time (a double, milliseconds since 1970; all
// big-endian), SHA-256 of everything else, key, encoded entry.
const magic = Buffer.from('SWDC')
const version = 5
const digestStart = 20
const keyStart = digestStart + 32

/** The content of an entry file. */
export interface DatedEntry {
  entry: StoreEntry
  /** When the entry's age was 0, in milliseconds since 1970. */
  createdAt: number
}

/** Encodes an entry with its key and a digest. */
export function encodeEntryFile(key: string, { entry, createdAt }: DatedEntry): Buffer<ArrayBuffer> {
  const keyBytes = Buffer.from(key)
  const fixed = Buffer.alloc(digestStart)
  magic.copy(fixed)
  fixed.writeUInt32BE(version, 4)
  fixed.writeUInt32BE(keyBytes.length, 8)
  fixed.writeDoubleBE(createdAt, 12)
  const rest = [keyBytes, encodeHead(entry), entry.body]
  return Buffer.concat([fixed, digest(fixed, ...rest), ...rest])
}

/**
 * Decodes what {@link encodeEntryFile} returned. Returns `undefined` for anything else: a file that is truncated, overwritten,
 * of another version or of another key. The body is a view of the given bytes.
 */
export function decodeEntryFile(key: string, file: Buffer<ArrayBuffer>): DatedEntry | undefined {
  if (file.length < keyStart || !file.subarray(0, 4).equals(magic) || file.readUInt32BE(4) !== version) return undefined
  const expected = file.subarray(digestStart, keyStart)
  if (!digest(file.subarray(0, digestStart), file.subarray(keyStart)).equals(expected)) return undefined
  const keyEnd = keyStart + file.readUInt32BE(8)
  if (file.toString('utf8', keyStart, keyEnd) !== key) return undefined
  const entry = decodeEntry(file.subarray(keyEnd))
  return entry && { entry, createdAt: file.readDoubleBE(12) }
}

function digest(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
