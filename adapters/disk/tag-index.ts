import { type BigIntStats, constants, lstatSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { chain, coalesceReads, type MaybePromise } from '../../core/async.js'
import type { TagIndex } from '../../core/cache/index.js'
import { describeError, type Log, logError, throttleLog } from '../../core/log.js'
import { checkFunction, checkKnownOptions, integer, type OptionChecks, required } from '../../core/options.js'
import { NotRegularFileError, openRegularFile, readBytes } from '../node/regular-file.js'
import { checkDirectory, isDiskFull, syncDirectory, writeFileAtomic } from './file.js'
import { createHeader, createTagLog, endOf, type Purge, recordBytes, type TagLog } from './tag-log.js'

export interface DiskTagIndexOptions {
  /**
   * Directory of the index, on a local disk; may be the store's directory. Created if missing, with access only for
   * its owner.
   */
  directory: string
  /**
   * Maximum size of the file, in bytes: 32 for each tag of each purge. When it is exceeded, the file is reset, every
   * stored entry is treated as purged, and this is logged. At least 64. Default 16 MiB: half a million purges, which a
   * starting process reads in about a second.
   */
  maxBytes?: number | undefined
  /**
   * Receives an error, with the reason, when the file had to be reset; at most once a minute. Default:
   * `console.error`.
   */
  log?: Log | undefined
}

const checks: OptionChecks<DiskTagIndexOptions> = {
  directory: required(checkDirectory),
  maxBytes: integer(2 * recordBytes),
  log: checkFunction,
}

/**
 * Creates a tag index in a file, so that entries on the disk stay usable after a restart. The processes of one machine
 * may share it: once a purge is acknowledged, every process sees it. A purge is acknowledged once it is flushed to the
 * disk.
 *
 * The file is append-only, one record per purged tag; the sequence number of a purge is the position of its record. A
 * file that is missing, corrupt or full, or that cannot be appended to, is replaced by an empty file with a new epoch:
 * every stored entry is then treated as purged. No purge is lost this way, even when several processes replace the file
 * at the same time. After restoring an older copy of the directory, remove `tags.log`, because it lacks later purges.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const directory = '.cache/pages'
 * const store = diskStore({ directory, maxBytes: 1024 ** 3 })
 * const cache = createResponseCache({ store, tagIndex: diskTagIndex({ directory }) })
 */
export function diskTagIndex(options: DiskTagIndexOptions): TagIndex {
  const call = "diskTagIndex({ directory: '.cache/pages' })"
  const { maxBytes = 16 * 1024 * 1024, log = logError } = checkKnownOptions(options, checks, call)
  const path = join(resolve(options.directory), 'tags.log')
  const warn = throttleLog(log)
  const file = createTagLogFile(path, maxBytes, (error) =>
    warn('Disk tag index: tag log reset; every stored entry is treated as purged', {
      path,
      reason: describeError(error),
    }),
  )
  const waiting: Purge[] = []
  // Calls during an update share the next update, because the current one may already have read the file.
  const update = coalesceReads(() => file.update(waiting.splice(0)))
  /**
   * Returns the content of the file at some moment after the call. It may lack purges that are not acknowledged yet.
   */
  const current = (): MaybePromise<TagLog> => file.findCurrent() ?? update(path)

  return {
    stamp: () => chain(current(), ({ stamp }) => stamp),
    purgedSince({ epoch, sequence }, tags) {
      const answer = (tagLog: TagLog) => (tagLog.stamp.epoch === epoch ? tagLog.purgedSince(sequence, tags) : 'hard')
      return chain(current(), (tagLog) => {
        if (tagLog.stamp.epoch !== epoch || sequence <= tagLog.stamp.sequence) return answer(tagLog)
        // Another process has already seen a later purge. This process may still be flushing it, or the file has lost
        // records.
        tagLog.highest = Math.max(tagLog.highest, sequence)
        return chain(update(path), answer)
      })
    },
    purgeAge: (tags) => chain(current(), (tagLog) => Math.max(0, Date.now() - tagLog.purgedAt(tags))),
    async purge(tags, mode) {
      waiting.push({ tags: [...tags], mode })
      await update(path)
    },
  }
}

/**
 * Returns functions that read a tag log file and append to it. Call `update` again only after the previous call has
 * settled.
 *
 * @param maxBytes Maximum size of the file.
 * @param onReset Called with the reason when the file has to be replaced by an empty one with a new epoch.
 */
function createTagLogFile(path: string, maxBytes: number, onReset: (error: unknown) => void) {
  let tagLog: TagLog | undefined
  // The file's stats when it was last read, or after an append if no other process had appended in the meantime.
  let lastStats: BigIntStats | undefined

  const reset = async (error: NodeJS.ErrnoException): Promise<void> => {
    lastStats = undefined
    if (error.code !== 'ENOENT') onReset(error)
    await writeFileAtomic(path, createHeader(), true)
  }
  /** Reads and flushes new records. Rejects when the file is unusable. */
  const readNewRecords = async (handle: FileHandle): Promise<TagLog> => {
    const stats = await handle.stat({ bigint: true })
    const size = Number(stats.size)
    const openedLog = createTagLog(await readBytes(handle, 0, recordBytes), Number(stats.birthtimeMs))
    if (tagLog?.stamp.epoch !== openedLog.stamp.epoch) {
      tagLog = openedLog
      // The process that created the file may have been killed before its name was flushed.
      await syncDirectory(dirname(path))
    }
    const start = endOf(tagLog.stamp.sequence)
    const isTruncated = size < Math.max(start, endOf(tagLog.highest)) || size % recordBytes > 0
    if (isTruncated) throw new Error('tag log is truncated')
    if (size > maxBytes) throw new Error(`tag log is larger than maxBytes, ${maxBytes}`)
    const bytes = await readBytes(handle, start, size - start)
    // Another process may just have truncated the file, because its disk is full.
    if (bytes.length < size - start) throw new Error('tag log is truncated')
    // The records of other processes are flushed before their numbers are used: a power failure could undo them, and
    // other purges could then get the same numbers.
    if (bytes.length > 0) await handle.datasync()
    tagLog.add(bytes, Number(stats.mtimeMs))
    lastStats = stats
    return tagLog
  }
  /** Opens the file and reads it. A file that is missing or unusable is replaced first. */
  const openAndRead = async (mayReset = true): Promise<{ handle: FileHandle; current: TagLog }> => {
    let handle: FileHandle | undefined
    try {
      handle = (await openRegularFile(path, constants.O_RDWR | constants.O_APPEND)).handle
      return { handle, current: await readNewRecords(handle) }
    } catch (error) {
      await handle?.close()
      const { code } = error as NodeJS.ErrnoException
      const isUnusable = handle || code === 'ENOENT' || error instanceof NotRegularFileError
      if (!isUnusable || !mayReset) throw error
      await reset(error as Error)
      return openAndRead(false)
    }
  }
  /** Appends purges. If that fails, or another process has replaced the file, the new epoch purges everything. */
  const append = async (handle: FileHandle, current: TagLog, purges: readonly Purge[]): Promise<void> => {
    const bytes = current.encode(purges)
    const end = endOf(current.stamp.sequence) + bytes.length
    if (end > maxBytes) return reset(new Error(`tag log is full: maxBytes is ${maxBytes}`))
    try {
      await handle.appendFile(bytes)
      const stats = await handle.stat({ bigint: true })
      if (Number(stats.size) < end) throw new Error('tag log is truncated')
      // Reads need not wait for the flush, because the purges are not acknowledged yet.
      if (Number(stats.size) === end) lastStats = stats
      await readNewRecords(handle)
    } catch (error) {
      // The file is emptied, because the new one needs its disk space.
      if (isDiskFull(error)) await handle.truncate()
      await reset(error as Error)
    }
  }

  return {
    /**
     * Returns the content if the file has not changed. It may lack purges of this process that are not acknowledged
     * yet.
     */
    findCurrent(): TagLog | undefined {
      // The call is synchronous, because waiting for Node's thread pool takes longer: even seconds, if all of its
      // threads are resizing images.
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
      return stats && lastStats && isSameFile(stats, lastStats) ? tagLog : undefined
    },
    /** Reads the file, and then appends purges in one write and one flush. */
    async update(purges: readonly Purge[]): Promise<TagLog> {
      const { handle, current } = await openAndRead()
      try {
        if (purges.length > 0) await append(handle, current, purges)
        return current
      } finally {
        await handle.close()
      }
    },
  }
}

// A write changes the size and the times. A new file in the old one's place has another inode number, or other times if
// the number is reused.
const comparedStats = ['size', 'mtimeNs', 'ctimeNs', 'ino', 'dev'] as const

function isSameFile(stats: BigIntStats, lastStats: BigIntStats): boolean {
  return comparedStats.every((name) => stats[name] === lastStats[name])
}
