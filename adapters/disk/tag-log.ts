import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { PurgeMode, PurgeState, Stamp } from '../../core/cache/index.js'
import { readBytes } from '../node/regular-file.js'
import {
  decodeHeader,
  decodeRecord,
  encodeRecords,
  type Purge,
  recordBytes,
  type TagLogHeader,
  tagDigest,
} from './tag-log-format.js'
import { ownerFile } from './write-file-atomic.js'

/** The content of a tag log, as far as it was read. The sequence number of a purge is the position of its record. */
export interface TagLog {
  /** The position up to which the file was read and flushed to the disk. */
  readonly stamp: Stamp
  /**
   * Whether the file is unchanged since it was read, but for purges of this process that are not acknowledged yet, and no number
   * was asked about that it lacks.
   */
  isCurrent(stats: BigIntStats): boolean
  /**
   * Reads the records that were appended since the last call.
   *
   * @throws when the file is corrupt, or cannot be read or flushed: its content is unknown then.
   */
  readNew(handle: FileHandle): Promise<void>
  /** Whether so many more records fit. */
  hasRoom(records: number): boolean
  /** Appends purges in one write. They take effect once they were read, which flushes them. */
  append(handle: FileHandle, purges: readonly Purge[]): Promise<void>
  /** Call it whatever became of an append. */
  endAppend(): void
  purgedSince(sequence: number, tags: readonly string[]): PurgeState
}

/**
 * Creates a tag log of which only the header was read.
 *
 * @param maxBytes Maximum size of the file; a larger one counts as corrupt.
 */
export function createTagLog({ epoch, checksumSeed }: TagLogHeader, maxBytes: number): TagLog {
  const lastPurges: Record<PurgeMode, Map<string, number>> = { hard: new Map(), soft: new Map() }
  let stamp: Stamp = { epoch, sequence: 0 }
  let lastStats: BigIntStats | undefined
  // What this process has appended, until that is read and flushed: the number that its last record has at least, and how the file
  // is while nothing else was appended.
  let appended: { sequence: number; stats?: BigIntStats } | undefined
  // The highest number that is known to have been given out.
  let highest = 0

  const readNew = async (handle: FileHandle): Promise<void> => {
    const stats = await handle.stat({ bigint: true })
    const [start, end] = [endOf(stamp.sequence), Number(stats.size)]
    const sequence = end / recordBytes - 1
    if (end < endOf(Math.max(highest, appended?.sequence ?? 0)) || !Number.isInteger(sequence))
      throw new Error('tag log is truncated')
    if (end > maxBytes) throw new Error(`tag log is larger than maxBytes, ${maxBytes}`)
    const bytes = await readAt(handle, start, end - start)
    const records = Array.from({ length: sequence - stamp.sequence }, (_, index) => {
      const record = decodeRecord(checksumSeed, bytes.subarray(index * recordBytes, (index + 1) * recordBytes))
      if (!record) throw new Error('tag log is corrupt')
      return record
    })
    // A power failure takes back what is not flushed, and the number could then become that of another purge.
    if (records.length > 0) await handle.datasync()
    for (const [index, { mode, digest }] of records.entries()) lastPurges[mode].set(digest, stamp.sequence + 1 + index)
    stamp = { epoch, sequence }
    highest = Math.max(highest, sequence)
    lastStats = stats
  }

  return {
    get stamp() {
      return stamp
    },
    isCurrent: (stats) =>
      highest <= stamp.sequence && (isSameFile(stats, lastStats) || isSameFile(stats, appended?.stats)),

    readNew,

    hasRoom: (records) => endOf(stamp.sequence + records) <= maxBytes,

    async append(handle, purges) {
      const bytes = encodeRecords(checksumSeed, purges)
      const sequence = stamp.sequence + bytes.length / recordBytes
      await handle.appendFile(bytes)
      const stats = await handle.stat({ bigint: true })
      appended = Number(stats.size) === endOf(sequence) ? { sequence, stats } : { sequence }
    },

    endAppend() {
      appended = undefined
    },

    purgedSince(sequence, tags) {
      if (sequence === stamp.sequence) return 'none'
      const digests = tags.map(tagDigest)
      const wasPurged = (mode: PurgeMode) => digests.some((digest) => (lastPurges[mode].get(digest) ?? 0) > sequence)
      // Numbers are given out once they are flushed: with a lower one, the file has lost records, whose tags nobody knows.
      highest = Math.max(highest, sequence)
      if (sequence > stamp.sequence || wasPurged('hard')) return 'hard'
      return wasPurged('soft') ? 'soft' : 'none'
    },
  }
}

/**
 * Reads the header of a file. The file is part of the epoch, by its inode and when that was created: a copy of an older
 * state lacks purges, so it is another epoch.
 *
 * @throws when the file is not a tag log.
 */
export async function readHeader(handle: FileHandle): Promise<TagLogHeader> {
  const header = decodeHeader(await readAt(handle, 0, recordBytes))
  if (!header) throw new Error('not a tag log')
  const stats = await handle.stat({ bigint: true })
  return { ...header, epoch: [header.epoch, stats.ino, hasBirthTime(stats) ? stats.birthtimeNs : 0].join('-') }
}

/**
 * Changes a new file once more, until its birth time is another than that of its last change: without a birth time, Node
 * returns the latter in its place.
 */
export async function settleBirthTime(handle: FileHandle): Promise<void> {
  for (let attempt = 0; attempt < 5 && !hasBirthTime(await handle.stat({ bigint: true })); attempt++) {
    await delay(5)
    await handle.chmod(ownerFile)
  }
}

const hasBirthTime = ({ birthtimeNs, ctimeNs }: BigIntStats) => birthtimeNs !== ctimeNs

// A write changes size and mtime. The others identify a replaced file, even one that reuses a freed inode number.
const comparedStats = ['size', 'mtimeNs', 'ctimeNs', 'ino', 'dev'] as const

function isSameFile(stats: BigIntStats, known: BigIntStats | undefined): boolean {
  return known !== undefined && comparedStats.every((name) => stats[name] === known[name])
}

/** Returns the offset at which a record ends. The header counts as record 0. */
function endOf(number: number): number {
  return (number + 1) * recordBytes
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = await readBytes(handle, position, length)
  if (bytes.length < length) throw new Error('tag log is truncated')
  return bytes
}
