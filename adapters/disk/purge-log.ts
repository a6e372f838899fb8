import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { PurgeMode, PurgeState, Stamp } from '../../core/cache/index.js'
import { decodeHead, decodeRecord, digestOf, encodeRecords, type Head, recordBytes } from './purge-record.js'

/** What is known of a file of purges. The number of a purge is the position of its record. */
export interface PurgeLog {
  /** All that was read, and is on the disk for good. */
  readonly stamp: Stamp
  /** Whether a file that was found is as it was when it was read. */
  isRead(found: BigIntStats): boolean
  /**
   * Reads what is new.
   *
   * @throws when the file is broken, or cannot be read or flushed: then nobody knows what is in it.
   */
  readOn(handle: FileHandle): Promise<void>
  /** Writes a purge. It counts once it was read. */
  append(handle: FileHandle, tags: readonly string[], mode: PurgeMode): Promise<void>
  purgedSince(sequence: number, tags: readonly string[]): PurgeState
}

/** Creates what is known of a file of which nothing but the head was read. */
export function createPurgeLog({ epoch, seed }: Head): PurgeLog {
  const numbers: Record<PurgeMode, Map<string, number>> = { hard: new Map(), soft: new Map() }
  let stamp: Stamp = { epoch, sequence: 0 }
  let seen: BigIntStats | undefined

  return {
    get stamp() {
      return stamp
    },
    // Any write changes the first two. The others tell another file, even one that was given the number of a removed one.
    isRead: (found) => signs.every((sign) => found[sign] === seen?.[sign]),

    async readOn(handle) {
      const stats = await handle.stat({ bigint: true })
      const [start, end] = [endOf(stamp.sequence), Number(stats.size)]
      const sequence = end / recordBytes - 1
      if (end < start || !Number.isInteger(sequence)) throw new Error('the log of purges was cut off')
      const bytes = await readAt(handle, start, end - start)
      for (let number = stamp.sequence + 1; number <= sequence; number++) {
        const at = endOf(number - 1) - start
        const record = decodeRecord(seed, bytes.subarray(at, at + recordBytes))
        if (!record) throw new Error('the log of purges is broken')
        numbers[record.mode].set(record.tag, number)
      }
      // A number is given out only once it can never be another purge's: a loss of power takes back what is not flushed.
      if (sequence > stamp.sequence) await handle.datasync()
      stamp = { epoch, sequence }
      seen = stats
    },

    append: (handle, tags, mode) => handle.appendFile(encodeRecords(seed, tags, mode)),

    purgedSince(sequence, tags) {
      if (sequence === stamp.sequence) return 'none'
      const digests = tags.map(digestOf)
      const isAbove = (mode: PurgeMode) => digests.some((tag) => (numbers[mode].get(tag) ?? 0) > sequence)
      // A number that was never given out is nobody's.
      if (sequence > stamp.sequence || isAbove('hard')) return 'hard'
      return isAbove('soft') ? 'soft' : 'none'
    },
  }
}

/** @throws when the file has none. */
export async function readHead(handle: FileHandle): Promise<Head> {
  const head = decodeHead(await readAt(handle, 0, recordBytes))
  if (!head) throw new Error('the file is no log of purges')
  return head
}

const signs = ['size', 'mtimeNs', 'ctimeNs', 'ino', 'dev'] as const

/** Where a record ends, the head being the first. */
function endOf(number: number): number {
  return (number + 1) * recordBytes
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read)
    if (bytesRead === 0) throw new Error('the log of purges was cut off')
    read += bytesRead
  }
  return bytes
}
