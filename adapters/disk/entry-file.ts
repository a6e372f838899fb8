import { createHash } from 'node:crypto'
import { decodeEntry, decodeHead, encodeHead, type StoreEntry } from '../../core/cache/index.js'

// Layout: 4 bytes magic, 4 bytes version, lengths of key, head and body (32 bits each), creation time (a double, milliseconds
// since 1970; all big-endian), SHA-256 of all but the body, SHA-256 of the body, key, head, body.
const magic = Buffer.from('SWDC')
const version = 3
const fixedEnd = 28
const bodySumStart = fixedEnd + 32
const keyStart = bodySumStart + 32
// A digest of more is made on another thread.
const maxSyncBytes = 64 * 1024

/** The content of an entry file. */
export interface DatedEntry {
  entry: StoreEntry
  /** When the entry's age was 0, in milliseconds since 1970. */
  createdAt: number
}

/** Encodes an entry with its key and checksums. */
export function encodeEntryFile(key: string, { entry, createdAt }: DatedEntry): Buffer {
  const [keyBytes, head] = [Buffer.from(key), encodeHead(entry)]
  const body = entry.kind === 'vary' ? new Uint8Array(0) : entry.body
  const fixed = Buffer.alloc(fixedEnd)
  magic.copy(fixed)
  const lengths = [keyBytes, head, body].map(({ length }) => length)
  for (const [index, number] of [version, ...lengths].entries()) fixed.writeUInt32BE(number, 4 + 4 * index)
  fixed.writeDoubleBE(createdAt, 20)
  const rest = Buffer.concat([checksum(body), keyBytes, head])
  return Buffer.concat([fixed, checksum(fixed, rest), rest, body])
}

/**
 * Decodes what {@link encodeEntryFile} returned. Resolves to `undefined` for anything else: a file that is truncated,
 * overwritten, of another version or of another key.
 */
export async function decodeEntryFile(key: string, file: Buffer<ArrayBuffer>): Promise<DatedEntry | undefined> {
  const parts = parseFile(key, file, file.length)
  if (!parts) return undefined
  const body = file.subarray(parts.bodyStart)
  const isSmall = body.length <= maxSyncBytes
  const sum = isSmall ? checksum(body) : Buffer.from(await crypto.subtle.digest('SHA-256', body))
  const entry = sum.equals(parts.bodySum) ? decodeEntry(parts.head, body) : undefined
  return entry && { entry, createdAt: parts.createdAt }
}

/**
 * Decodes an entry without its body from the beginning of a file. Returns `undefined` as {@link decodeEntryFile} does, and when more
 * of the file is needed.
 *
 * @param size Of the file, in bytes.
 */
export function decodeHeadFile(key: string, start: Buffer, size: number): DatedEntry | undefined {
  const parts = parseFile(key, start, size)
  const entry = parts && decodeHead(parts.head)
  return entry && { entry, createdAt: parts.createdAt }
}

function parseFile(key: string, start: Buffer, size: number) {
  if (start.length < keyStart || !start.subarray(0, 4).equals(magic) || start.readUInt32BE(4) !== version)
    return undefined
  const headStart = keyStart + start.readUInt32BE(8)
  const bodyStart = headStart + start.readUInt32BE(12)
  if (bodyStart > start.length || size !== bodyStart + start.readUInt32BE(16)) return undefined
  const sum = start.subarray(fixedEnd, bodySumStart)
  const isIntact = checksum(start.subarray(0, fixedEnd), start.subarray(bodySumStart, bodyStart)).equals(sum)
  if (!isIntact || start.toString('utf8', keyStart, headStart) !== key) return undefined
  return {
    bodySum: start.subarray(bodySumStart, keyStart),
    head: start.subarray(headStart, bodyStart),
    bodyStart,
    createdAt: start.readDoubleBE(20),
  }
}

function checksum(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
