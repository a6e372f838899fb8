import type { BigIntStats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Purge, PurgeMode, Stamp } from '../../core/cache/index.js'
import { flushDirectory } from './files.js'
import { decodeHead, decodeRecord, digestOf, encodeRecords, recordBytes } from './purge-record.js'

/** A file of purges, read up to some record. The number of a purge is the position of its record. */
export interface PurgeLog {
  /** All that was read, and is on the disk for good. */
  readonly stamp: Stamp
  /** Whether this is the file that somebody has found. */
  isIn(found: BigIntStats | undefined): boolean
  /** Whether there is nothing in it that was not read. */
  isRead(found: BigIntStats): boolean
  /**
   * Reads what is new.
   *
   * @throws when it is broken, or cannot be read or flushed: then nobody knows what is in it.
   */
  readOn(): Promise<void>
  /** Writes a purge. It counts once it was read. */
  append(tags: readonly string[], mode: PurgeMode): Promise<void>
  purgedSince(sequence: number, tags: readonly string[]): Purge
  close(): Promise<void>
}

/**
 * Opens a file of purges.
 *
 * @throws what the file system says, or that it is none.
 */
export async function openPurgeLog(path: string): Promise<PurgeLog> {
  const handle = await open(path, 'a+')
  try {
    // Whoever made it may have been killed before its name was on the disk.
    await flushDirectory(dirname(path))
    return await createPurgeLog(handle)
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function createPurgeLog(handle: FileHandle): Promise<PurgeLog> {
  const { ino, dev } = await handle.stat({ bigint: true })
  const head = decodeHead(await readAt(handle, 0, recordBytes))
  if (!head) throw new Error('the file is no log of purges')
  const { epoch, seed } = head
  const numbers: Record<PurgeMode, Map<string, number>> = { hard: new Map(), soft: new Map() }
  let stamp: Stamp = { epoch, sequence: 0 }

  return {
    get stamp() {
      return stamp
    },
    isIn: (found) => found?.ino === ino && found.dev === dev,
    isRead: ({ size }) => Number(size) === endOf(stamp.sequence),

    async readOn() {
      const { size } = await handle.stat()
      const [start, sequence] = [endOf(stamp.sequence), size / recordBytes - 1]
      if (size < start || !Number.isInteger(sequence)) throw new Error('the log of purges was cut off')
      const bytes = await readAt(handle, start, size - start)
      for (let number = stamp.sequence + 1; number <= sequence; number++) {
        const at = endOf(number - 1) - start
        const record = decodeRecord(seed, bytes.subarray(at, at + recordBytes))
        if (!record) throw new Error('the log of purges is broken')
        numbers[record.mode].set(record.tag, number)
      }
      // A number is given out only once it can never be another purge's: a loss of power takes back what is not flushed.
      if (sequence > stamp.sequence) await handle.datasync()
      stamp = { epoch, sequence }
    },

    append: (tags, mode) => handle.appendFile(encodeRecords(seed, tags, mode)),

    purgedSince(sequence, tags) {
      if (sequence === stamp.sequence) return 'none'
      const digests = tags.map(digestOf)
      const isAbove = (mode: PurgeMode) => digests.some((tag) => (numbers[mode].get(tag) ?? 0) > sequence)
      // A number that was never given out is nobody's.
      if (sequence > stamp.sequence || isAbove('hard')) return 'hard'
      return isAbove('soft') ? 'soft' : 'none'
    },

    close: () => handle.close(),
  }
}

/** Where a record ends, the head being the first. */
function endOf(number: number): number {
  return (number + 1) * recordBytes
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  if (read < length) throw new Error('the log of purges was cut off')
  return bytes
}
