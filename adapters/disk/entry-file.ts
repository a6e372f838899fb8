import { createHash } from 'node:crypto'
import { decodeEntry, encodeEntry, type StoreEntry } from '../../core/cache/index.js'

// Layout: 4 bytes magic, 4 bytes version, lengths of key and entry (32 bits each), creation time (a double, milliseconds
// since 1970; all big-endian), SHA-256 of everything else, key, entry.
const magic = Buffer.from('SWDC')
const version = 2
const headerEnd = 24
const checksumEnd = headerEnd + 32

/** The content of an entry file. */
export interface DatedEntry {
  entry: StoreEntry
  /** When the entry's age was 0, in milliseconds since 1970. */
  createdAt: number
}

/** Encodes an entry with its key and a checksum over both. */
export function encodeEntryFile(key: string, { entry, createdAt }: DatedEntry): Buffer {
  const [keyBytes, entryBytes] = [Buffer.from(key), encodeEntry(entry)]
  const header = Buffer.alloc(headerEnd)
  magic.copy(header)
  header.writeUInt32BE(version, 4)
  header.writeUInt32BE(keyBytes.length, 8)
  header.writeUInt32BE(entryBytes.length, 12)
  header.writeDoubleBE(createdAt, 16)
  return Buffer.concat([header, checksum(header, keyBytes, entryBytes), keyBytes, entryBytes])
}

/**
 * Decodes what {@link encodeEntryFile} returned. Returns `undefined` for anything else: a file that is truncated,
 * overwritten, of another version or of another key.
 */
export function decodeEntryFile(key: string, file: Buffer): DatedEntry | undefined {
  if (file.length < checksumEnd || !file.subarray(0, 4).equals(magic) || file.readUInt32BE(4) !== version)
    return undefined
  const entryStart = checksumEnd + file.readUInt32BE(8)
  if (file.length !== entryStart + file.readUInt32BE(12)) return undefined
  const [header, sum] = [file.subarray(0, headerEnd), file.subarray(headerEnd, checksumEnd)]
  const [keyBytes, entryBytes] = [file.subarray(checksumEnd, entryStart), file.subarray(entryStart)]
  if (!checksum(header, keyBytes, entryBytes).equals(sum) || keyBytes.toString() !== key) return undefined
  const entry = decodeEntry(entryBytes)
  return entry && { entry, createdAt: file.readDoubleBE(16) }
}

function checksum(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
