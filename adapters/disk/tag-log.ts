import { createHash, randomFillSync } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { PurgeMode, PurgeState, Stamp } from '../../core/cache/index.js'

// Header and records have the same size, a divisor of the 4,096 bytes of a page: a write that is cut off by a full disk
// or a kill ends between records.
//
//   header: 8 bytes magic with version, 16 bytes epoch, 4 unused bytes, CRC-32
//   record: 1 byte mode, 27 bytes of the SHA-256 of the tag, CRC-32 seeded with that of the header
export const recordBytes = 32
const magic = 'SWTL0002'
const checksumStart = recordBytes - 4
const modeBytes: Record<PurgeMode, number> = { hard: 1, soft: 2 }

/** A purge of several tags at once. */
export interface Purge {
  tags: readonly string[]
  mode: PurgeMode
}

/** The content of a file, as far as it was read. The sequence number of a purge is the position of its record. */
export type TagLog = ReturnType<typeof createTagLog>

/**
 * Creates a tag log whose records have not been read yet.
 *
 * @param began When the file was created, in milliseconds since 1970. Earlier purges may be lost.
 * @throws Error when the file does not have the header of a tag log.
 */
export function createTagLog(header: Buffer, began: number) {
  if (header.toString('latin1', 0, magic.length) !== magic || !hasChecksum(header, 0)) throw new Error('not a tag log')
  const seed = header.readUInt32BE(checksumStart)
  const times = new Map<string, number>()
  const lastPurges = { hard: new Map<string, number>(), soft: new Map<string, number>() }
  let stamp: Stamp = { epoch: header.toString('hex', magic.length, magic.length + 16), sequence: 0 }

  return {
    /** Epoch of the file, and number of the last record that was read. */
    get stamp() {
      return stamp
    },
    /** The highest number that is known to have been assigned. A file with fewer records has lost some. */
    highest: 0,
    /** Encodes purges in order, with one record per tag. */
    encode(purges: readonly Purge[]): Buffer {
      const encodeRecord = (tag: string, mode: PurgeMode) => {
        const record = Buffer.alloc(recordBytes, modeBytes[mode])
        record.write(digestOf(tag), 1, 'latin1')
        return writeChecksum(record, seed)
      }
      return Buffer.concat(purges.flatMap(({ tags, mode }) => tags.map((tag) => encodeRecord(tag, mode))))
    },
    /**
     * Adds the records that follow the records read so far. Throws when they do not belong to this file.
     *
     * @param time When the last of them was written, at the latest, in milliseconds since 1970.
     */
    add(bytes: Buffer, time: number): void {
      const count = bytes.length / recordBytes
      const records = Array.from({ length: count }, (_, index) => bytes.subarray(endOf(index - 1), endOf(index)))
      if (!records.every((record) => hasChecksum(record, seed))) throw new Error('tag log is corrupt')
      let { epoch, sequence } = stamp
      for (const record of records) {
        const mode = record[0] === modeBytes.hard ? 'hard' : 'soft'
        const digest = record.toString('latin1', 1, checksumStart)
        lastPurges[mode].set(digest, ++sequence)
        times.set(digest, time)
      }
      stamp = { epoch, sequence }
    },
    /** Returns when any of the tags was last purged, at the latest, in milliseconds since 1970. */
    purgedAt: (tags: readonly string[]) => Math.max(began, ...tags.map((tag) => times.get(digestOf(tag)) ?? 0)),
    /** Returns the strongest purge of any of the tags after a sequence number. */
    purgedSince(sequence: number, tags: readonly string[]): PurgeState {
      if (sequence === stamp.sequence) return 'none'
      const digests = tags.map(digestOf)
      const wasPurged = (mode: PurgeMode) => digests.some((digest) => (lastPurges[mode].get(digest) ?? 0) > sequence)
      if (wasPurged('hard')) return 'hard'
      return wasPurged('soft') ? 'soft' : 'none'
    },
  }
}

/** Returns the offset at which a record ends. The header counts as record 0. */
export function endOf(sequence: number): number {
  return (sequence + 1) * recordBytes
}

/** Creates the header of a new file, which starts a new epoch. */
export function createHeader(): Buffer {
  const header = Buffer.alloc(recordBytes)
  header.write(magic)
  return writeChecksum(randomFillSync(header, magic.length, 16), 0)
}

function digestOf(tag: string): string {
  return createHash('sha256')
    .update(tag)
    .digest()
    .toString('latin1', 0, checksumStart - 1)
}

function writeChecksum(bytes: Buffer, seed: number): Buffer {
  bytes.writeUInt32BE(crc32(bytes.subarray(0, checksumStart), seed), checksumStart)
  return bytes
}

function hasChecksum(bytes: Buffer, seed: number): boolean {
  return crc32(bytes.subarray(0, checksumStart), seed) === bytes.readUInt32BE(checksumStart)
}
