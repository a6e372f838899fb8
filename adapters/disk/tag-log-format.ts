import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { PurgeMode } from '../../core/cache/index.js'

// Header and records have one size, a divisor of the 4,096 bytes of a page: where a full disk or a kill cuts off a write,
// it does so between records.
//
//   header: 4 bytes magic, 4 bytes version, 16 bytes epoch, 4 unused bytes, CRC-32
//   record: 1 byte mode, 27 bytes of the SHA-256 of the tag, CRC-32 seeded with that of the header
export const recordBytes = 32
const magic = Buffer.from('SWTL')
const version = 1
const checksumStart = recordBytes - 4
const modeBytes: Record<PurgeMode, number> = { hard: 1, soft: 2 }

/** The header of a tag log. */
export interface TagLogHeader {
  epoch: string
  /** Starts the checksum of each record, so that records of another file do not match. */
  checksumSeed: number
}

/** A purge of several tags at once. */
export interface Purge {
  tags: readonly string[]
  mode: PurgeMode
}

/** One purge of one tag. */
export interface PurgeRecord {
  mode: PurgeMode
  /** See {@link tagDigest}. */
  digest: string
}

/**
 * Encodes the header of a new file.
 *
 * @param epoch 16 bytes as hex.
 */
export function encodeHeader(epoch: string): Buffer {
  const header = Buffer.alloc(recordBytes)
  magic.copy(header)
  header.writeUInt32BE(version, 4)
  header.write(epoch, 8, 'hex')
  return writeChecksum(header, 0)
}

/** Decodes what {@link encodeHeader} returned; `undefined` for anything else. */
export function decodeHeader(bytes: Buffer): TagLogHeader | undefined {
  if (bytes.length !== recordBytes || !bytes.subarray(0, 4).equals(magic)) return undefined
  if (bytes.readUInt32BE(4) !== version || !isChecksumValid(bytes, 0)) return undefined
  return { epoch: bytes.toString('hex', 8, 24), checksumSeed: bytes.readUInt32BE(checksumStart) }
}

/** Encodes purges in their order: one record per tag. */
export function encodeRecords(checksumSeed: number, purges: readonly Purge[]): Buffer {
  const encode = (tag: string, mode: PurgeMode) => {
    const record = Buffer.alloc(recordBytes)
    record[0] = modeBytes[mode]
    record.write(tagDigest(tag), 1, 'latin1')
    return writeChecksum(record, checksumSeed)
  }
  return Buffer.concat(purges.flatMap(({ tags, mode }) => tags.map((tag) => encode(tag, mode))))
}

/** Decodes one record of {@link encodeRecords}; `undefined` for anything else. */
export function decodeRecord(checksumSeed: number, bytes: Buffer): PurgeRecord | undefined {
  if (!isChecksumValid(bytes, checksumSeed)) return undefined
  return { mode: bytes[0] === modeBytes.hard ? 'hard' : 'soft', digest: bytes.toString('latin1', 1, checksumStart) }
}

/** Returns the digest that a record holds for a tag, of the same length for all tags. */
export function tagDigest(tag: string): string {
  return createHash('sha256')
    .update(tag)
    .digest('binary')
    .slice(0, checksumStart - 1)
}

function writeChecksum(bytes: Buffer, seed: number): Buffer {
  bytes.writeUInt32BE(crc32(bytes.subarray(0, checksumStart), seed), checksumStart)
  return bytes
}

function isChecksumValid(bytes: Buffer, seed: number): boolean {
  return crc32(bytes.subarray(0, checksumStart), seed) === bytes.readUInt32BE(checksumStart)
}
