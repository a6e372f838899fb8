import { randomBytes } from 'node:crypto'
import { constants, lstatSync } from 'node:fs'
import { type FileHandle, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chain, type MaybePromise } from '../../core/async.js'
import type { TagIndex } from '../../core/cache/index.js'
import { describeError, type Log, logError, throttleLog } from '../../core/log.js'
import { checkFunction, checkKnownOptions, integer, type OptionChecks, required } from '../../core/options.js'
import { NotRegularFileError, openRegularFile } from '../node/regular-file.js'
import { checkDirectory } from './options.js'
import { createTagLog, readHeader, settleBirthTime, type TagLog } from './tag-log.js'
import { encodeHeader, type Purge, recordBytes } from './tag-log-format.js'
import { isDiskFull, syncDirectory, writeFileAtomic } from './write-file-atomic.js'

export interface DiskTagIndexOptions {
  /** Directory of the index, created for its owner alone when missing; on a local disk. It may be the directory of the store. */
  directory: string
  /**
   * Maximum size of the file, in bytes: 32 for each tag of each purge. Beyond it the file is reset, and every stored entry
   * is treated as purged, which is logged. From 64. Default 16 MiB: half a million purges, which a process that starts
   * reads in about a second.
   */
  maxBytes?: number | undefined
  /** Receives an error when the file had to be reset, with the reason, once a minute at most. Default: `console.error`. */
  log?: Log | undefined
}

const fileName = 'tags.log'

const checks: OptionChecks<DiskTagIndexOptions> = {
  directory: required(checkDirectory),
  maxBytes: integer(2 * recordBytes),
  log: checkFunction,
}

/**
 * Creates a tag index in a file, so that entries on the disk stay usable after a restart. The processes of one machine
 * may share it: once a purge is acknowledged, every process sees it. A purge is acknowledged once it is flushed to the
 * disk. On a full disk, all entries are treated as purged, which is logged: there is always room for that.
 *
 * The file is append-only, one record per purged tag; the sequence number of a purge is its record's position. A file that
 * is corrupt, missing or full is replaced by a new one with a new epoch. So no purge is lost, even when several processes
 * replace the file or write to the old one at the same time. A copy of the directory, such as an older state that was
 * restored from a backup, is a new epoch, too; but not what is written into the same file again, nor a snapshot of the whole
 * file system: remove `tags.log` then.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const directory = '.cache/pages'
 * const store = diskStore({ directory, maxBytes: 1024 ** 3 })
 * const cache = createResponseCache({ store, tagIndex: diskTagIndex({ directory }) })
 */
export function diskTagIndex(options: DiskTagIndexOptions): TagIndex {
  const { maxBytes = 16 * 1024 * 1024, log = logError } = checkKnownOptions(
    options,
    checks,
    "diskTagIndex({ directory: '.cache/pages' })",
  )
  const directory = resolve(options.directory)
  const path = join(directory, fileName)
  const warn = throttleLog(log)
  let latest: TagLog | undefined
  // While purges are being written, and not while they are flushed.
  let writing: Promise<unknown> | undefined

  /** Replaces the file by an empty one with a new epoch: every stored entry is then treated as purged. */
  const reset = async (): Promise<TagLog> => {
    await writeFileAtomic(directory, fileName, encodeHeader(randomBytes(16).toString('hex')), true)
    const { handle } = await openRegularFile(path)
    try {
      await settleBirthTime(handle)
      latest = createTagLog(await readHeader(handle), maxBytes)
      return latest
    } finally {
      await handle.close()
    }
  }
  const logReset = (error: unknown) =>
    warn('Disk tag index: tag log reset; every stored entry is treated as purged', {
      path,
      reason: describeError(error),
    })
  /** Reads new records; rejects when the file is unusable. */
  const readNew = async (handle: FileHandle): Promise<TagLog> => {
    const header = await readHeader(handle)
    if (latest?.stamp.epoch !== header.epoch) {
      latest = createTagLog(header, maxBytes)
      // The process that created the file may have been killed before its name was flushed.
      await syncDirectory(directory)
    }
    await latest.readNew(handle)
    return latest
  }
  /** Opens the current file and reads it. Without a handle, it was reset. */
  const openAndRead = async (): Promise<{ tagLog: TagLog; handle?: FileHandle }> => {
    const file = await openRegularFile(path, constants.O_RDWR | constants.O_APPEND).catch((error) => {
      if (error instanceof NotRegularFileError) logReset(error)
      else if (error.code !== 'ENOENT') throw error
    })
    if (!file) return { tagLog: await reset() }
    const { handle } = file
    try {
      return { tagLog: await readNew(handle), handle }
    } catch (error) {
      await handle.close()
      logReset(error)
      return { tagLog: await reset() }
    }
  }
  /** On a full disk there is no room for a purge, but there is for all of them: without the file, nothing that is stored is served. */
  const purgeAll = async (error: unknown): Promise<void> => {
    logReset(error)
    await rm(path, { force: true })
    await syncDirectory(directory)
    await reset().catch((error) =>
      warn('Disk tag index: no room for a tag log', { path, reason: describeError(error) }),
    )
  }
  /**
   * Appends purges to a file that was read, in one write and one flush. If another process replaces the file meanwhile,
   * the new epoch purges what was written here as well.
   */
  const append = async (tagLog: TagLog, handle: FileHandle, purges: readonly Purge[]): Promise<void> => {
    if (purges.length === 0) return
    if (tagLog.hasRoom(purges.reduce((sum, { tags }) => sum + tags.length, 0))) {
      try {
        const written = tagLog.append(handle, purges)
        writing = written.catch(() => {})
        await written
      } catch (error) {
        if (!isDiskFull(error)) throw error
        return await purgeAll(error)
      } finally {
        writing = undefined
      }
      if (await readNew(handle).catch(logReset)) return
    } else logReset(new Error(`tag log is full: maxBytes is ${maxBytes}`))
    await reset()
  }

  const end = (tagLog: TagLog, handle: FileHandle) => {
    tagLog.endAppend()
    return handle.close()
  }

  // Turns at the file, one after the other. What arrives during one waits for the next, since that one may have read the
  // file before: so all that waits shares one read, one write and one flush. Reads do not wait for the purges of their turn.
  let lastTurn: Promise<unknown> = Promise.resolve()
  let nextTurn: { purges: Purge[]; read: Promise<TagLog>; purged: Promise<void> } | undefined
  const joinTurn = () => {
    if (nextTurn) return nextTurn
    const purges: Purge[] = []
    const opened = lastTurn.then(() => {
      nextTurn = undefined
      return openAndRead()
    })
    const read = opened.then(({ tagLog }) => tagLog)
    const purged = opened.then(({ tagLog, handle }) =>
      handle ? append(tagLog, handle, purges).finally(() => end(tagLog, handle)) : undefined,
    )
    lastTurn = Promise.allSettled([read, purged])
    nextTurn = { purges, read, purged }
    return nextTurn
  }
  const findCurrent = (): TagLog | undefined => {
    // Synchronous: waiting for Node's thread pool takes longer, and seconds while all its threads resize images.
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats && latest?.isCurrent(stats) ? latest : undefined
  }
  const read = (): MaybePromise<TagLog> => findCurrent() ?? joinTurn().read
  /** Returns the content of the file at some moment after the call, but for purges that are not acknowledged yet. */
  const current = (): MaybePromise<TagLog> => findCurrent() ?? writing?.then(read) ?? joinTurn().read

  return {
    stamp: () => chain(current(), ({ stamp }) => stamp),
    purgedSince: ({ epoch, sequence }, tags) =>
      chain(current(), (tagLog) => (epoch === tagLog.stamp.epoch ? tagLog.purgedSince(sequence, tags) : 'hard')),
    purge(tags, mode) {
      const { purges, purged } = joinTurn()
      purges.push({ tags: [...tags], mode })
      return purged
    },
  }
}
