import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { PurgeMode } from '../../core/cache/index.js'

// Head and records are of one size, a divisor of the 4,096 bytes of a page: what a full disk or a kill cuts off in the
// middle of a write, it cuts off between records.
//
//   head:   4 bytes magic, 4 bytes version, 16 bytes epoch, 4 bytes of nothing, CRC-32
//   record: 1 byte mode, 27 bytes of the SHA-256 of the tag, CRC-32 that begins with the one of the head
export const recordBytes = 32
const magic = Buffer.from('SWTL')
const version = 1
const sumStart = recordBytes - 4
const codes: Record<PurgeMode, number> = { hard: 1, soft: 2 }

/** What is known of a file by its head. */
export interface Head {
  epoch: string
  /** Begins the checksum of each record, so that those of another file are none. */
  seed: number
}

/** One purge of one tag. */
export interface PurgeRecord {
  mode: PurgeMode
  /** See {@link digestOf}. */
  tag: string
}

/** The head of a new file. @param epoch 16 bytes as hex. */
export function encodeHead(epoch: string): Buffer {
  const head = Buffer.alloc(recordBytes)
  magic.copy(head)
  head.writeUInt32BE(version, 4)
  head.write(epoch, 8, 'hex')
  return sign(head, 0)
}

/** Reads what {@link encodeHead} made; `undefined` for everything else. */
export function decodeHead(bytes: Buffer): Head | undefined {
  const isHead = bytes.length === recordBytes && bytes.subarray(0, 4).equals(magic) && bytes.readUInt32BE(4) === version
  if (!isHead || !isSigned(bytes, 0)) return undefined
  return { epoch: bytes.toString('hex', 8, 24), seed: bytes.readUInt32BE(sumStart) }
}

/** The records of a purge. */
export function encodeRecords(seed: number, tags: readonly string[], mode: PurgeMode): Buffer {
  const records = tags.map((tag) => {
    const record = Buffer.alloc(recordBytes)
    record[0] = codes[mode]
    record.write(digestOf(tag), 1, 'latin1')
    return sign(record, seed)
  })
  return Buffer.concat(records)
}

/** Reads one of what {@link encodeRecords} made; `undefined` for everything else. */
export function decodeRecord(seed: number, bytes: Buffer): PurgeRecord | undefined {
  if (!isSigned(bytes, seed)) return undefined
  return { mode: bytes[0] === codes.hard ? 'hard' : 'soft', tag: bytes.toString('latin1', 1, sumStart) }
}

/** What stands for a tag: of the same length for all. */
export function digestOf(tag: string): string {
  return createHash('sha256')
    .update(tag)
    .digest('binary')
    .slice(0, sumStart - 1)
}

function sign(bytes: Buffer, seed: number): Buffer {
  bytes.writeUInt32BE(crc32(bytes.subarray(0, sumStart), seed), sumStart)
  return bytes
}

function isSigned(bytes: Buffer, seed: number): boolean {
  return crc32(bytes.subarray(0, sumStart), seed) === bytes.readUInt32BE(sumStart)
}
