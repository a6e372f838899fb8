import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { decodeEntry, decodeHead, encodeHead, type StoreEntry } from '../../core/cache/index.js'

// Layout: 4 bytes magic, 4 bytes version, lengths of key, head and body (32 bits each), creation time (a double, milliseconds
// since 1970; all big-endian), SHA-256 of all but the body, CRC-32 of each block of the body, key, head, body.
const magic = Buffer.from('SWDC')
const version = 4
const fixedEnd = 28
const sumsStart = fixedEnd + 32
const blockBytes = 64 * 1024

/** The content of an entry file. */
export interface DatedEntry {
  entry: StoreEntry
  /** When the entry's age was 0, in milliseconds since 1970. */
  createdAt: number
}

/** A part of a body: `body.subarray(start, end)`. */
export interface BodyPart {
  start: number
  end: number
}

/** Returns bytes of a file from a position on: fewer than `length` when it ends before. */
export type ReadAt = (position: number, length: number) => Promise<Buffer<ArrayBuffer>>

/** Encodes an entry with its key and checksums. */
export function encodeEntryFile(key: string, { entry, createdAt }: DatedEntry): Buffer<ArrayBuffer> {
  const [keyBytes, head] = [Buffer.from(key), encodeHead(entry)]
  const body = entry.kind === 'vary' ? new Uint8Array(0) : entry.body
  const fixed = Buffer.alloc(fixedEnd)
  magic.copy(fixed)
  const lengths = [keyBytes, head, body].map(({ length }) => length)
  for (const [index, number] of [version, ...lengths].entries()) fixed.writeUInt32BE(number, 4 + 4 * index)
  fixed.writeDoubleBE(createdAt, 20)
  const rest = Buffer.concat([blockSums(body), keyBytes, head])
  return Buffer.concat([fixed, checksum(fixed, rest), rest, body])
}

/**
 * Reads an entry from a file with what {@link encodeEntryFile} returned, and of that only what is needed. Resolves to `undefined`
 * for anything else: a file that is truncated, overwritten, of another version or of another key.
 *
 * @param size Of the file, in bytes.
 * @param part Of the body. Default: all of it.
 */
export async function readEntryFile(
  key: string,
  size: number,
  readAt: ReadAt,
  part?: BodyPart,
): Promise<DatedEntry | undefined> {
  let beginning = await readAt(0, Math.min(size, blockBytes))
  const bodyStart = bodyStartOf(beginning, size)
  if (bodyStart === undefined) return undefined
  if (bodyStart > beginning.length) beginning = await readAt(0, bodyStart)
  const file = parseBeginning(key, beginning, bodyStart)
  if (!file) return undefined
  const bodyLength = size - bodyStart
  const start = Math.min(part?.start ?? 0, bodyLength)
  const end = Math.max(start, Math.min(part?.end ?? bodyLength, bodyLength))
  const firstBlock = Math.floor(start / blockBytes)
  const blocks = { start: firstBlock * blockBytes, end: Math.min(Math.ceil(end / blockBytes) * blockBytes, bodyLength) }
  const length = start < end ? blocks.end - blocks.start : 0
  const position = bodyStart + blocks.start
  const isRead = position + length <= beginning.length
  const bytes = isRead ? beginning.subarray(position, position + length) : await readAt(position, length)
  const sums = blockSums(bytes)
  if (bytes.length < length || !sums.equals(file.sums.subarray(4 * firstBlock, 4 * firstBlock + sums.length)))
    return undefined
  const wanted = bytes.subarray(start - blocks.start, end - blocks.start)
  const entry =
    wanted.length === bodyLength
      ? decodeEntry(file.head, bytes)
      : decodeHead(file.head, new Uint8Array(wanted.buffer, wanted.byteOffset, wanted.length))
  return entry && { entry, createdAt: beginning.readDoubleBE(20) }
}

/** Returns the position of the body; `undefined` when the file is none of ours, or has not the length that it says. */
function bodyStartOf(beginning: Buffer, size: number): number | undefined {
  if (beginning.length < sumsStart || !beginning.subarray(0, 4).equals(magic)) return undefined
  if (beginning.readUInt32BE(4) !== version) return undefined
  const [keyLength, headLength, bodyLength] = [8, 12, 16].map((at) => beginning.readUInt32BE(at)) as [
    number,
    number,
    number,
  ]
  const start = sumsStart + 4 * countBlocks(bodyLength) + keyLength + headLength
  return start + bodyLength === size ? start : undefined
}

/** Parses all but the body; `undefined` when it was changed, or is of another key. */
function parseBeginning(key: string, bytes: Buffer, bodyStart: number) {
  if (bytes.length < bodyStart) return undefined
  const sum = bytes.subarray(fixedEnd, sumsStart)
  if (!checksum(bytes.subarray(0, fixedEnd), bytes.subarray(sumsStart, bodyStart)).equals(sum)) return undefined
  const headStart = bodyStart - bytes.readUInt32BE(12)
  const keyStart = headStart - bytes.readUInt32BE(8)
  if (bytes.toString('utf8', keyStart, headStart) !== key) return undefined
  return { sums: bytes.subarray(sumsStart, keyStart), head: bytes.subarray(headStart, bodyStart) }
}

function countBlocks(bodyLength: number): number {
  return Math.ceil(bodyLength / blockBytes)
}

/** Each block has a checksum of its own, so that a part of a body can be verified. */
function blockSums(body: Uint8Array): Buffer {
  const sums = Buffer.alloc(4 * countBlocks(body.length))
  for (let block = 0; 4 * block < sums.length; block++) {
    sums.writeUInt32BE(crc32(body.subarray(block * blockBytes, (block + 1) * blockBytes)), 4 * block)
  }
  return sums
}

function checksum(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
