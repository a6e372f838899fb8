import { randomBytes } from 'node:crypto'
import { constants, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { PurgeMode, TagIndex } from '../../core/cache/index.js'
import { describeError } from '../../core/describe-error.js'
import { type Log, throttleLog } from '../../core/log.js'
import { chain, type MaybePromise } from '../../core/maybe-promise.js'
import { flushDirectory, writeWhole } from './files.js'
import { checkCount, checkDirectory } from './options.js'
import { createPurgeLog, type PurgeLog, readHead } from './purge-log.js'
import { decodeHead, encodeHead, type Head } from './purge-record.js'
import { createTurns } from './turns.js'

export interface DiskTagIndexOptions {
  /** Folder of the index, made when it is missing; on a disk of this machine. It may be that of the store. */
  directory: string
  /**
   * Most purges that are remembered, each tag of one counted. Beyond it the file begins anew, and all that was stored
   * counts as purged. Default 200,000: 6.4 MB.
   */
  maxPurges?: number | undefined
  /** Told when the index had to begin anew, once a minute at most. Default: `console.error`. */
  log?: Log | undefined
}

const fileName = 'tags.log'

/**
 * Creates a tag index in a file, so that what is on the disk can be used after a restart. The processes of one machine
 * may share it: a purge that one was acknowledged is known to all who ask later. A purge is acknowledged once it is on
 * the disk for good; a full disk rejects it.
 *
 * The file only grows, by a record for each tag of a purge; the number of a purge is its record's position. Where a file
 * is broken, missing or full, another one takes its place. Since it has a new epoch, no purge is forgotten by that,
 * whoever else does it or writes to the old one at the same time.
 *
 * @throws TypeError that names the option when one makes no sense.
 * @example
 * const directory = '.cache/pages'
 * const store = diskStore({ directory, maxBytes: 1024 ** 3 })
 * const pages = createResponseCache({ store, tagIndex: diskTagIndex({ directory }) })
 */
export function diskTagIndex(options: DiskTagIndexOptions): TagIndex {
  const { maxPurges = 200_000, log = console.error } = options
  const directory = resolve(checkDirectory(options.directory))
  checkCount('maxPurges', maxPurges, '200_000')
  const path = join(directory, fileName)
  const warn = throttleLog(log)
  const turns = createTurns()
  const inTurn = <T>(work: () => Promise<T>) => turns('', work)
  let known: PurgeLog | undefined

  /** Gives all that was stored up to a new epoch. */
  const beginAnew = async (): Promise<PurgeLog> => {
    const head = encodeHead(randomBytes(16).toString('hex'))
    await writeWhole(directory, fileName, head, true)
    known = createPurgeLog(decodeHead(head) as Head)
    return known
  }
  /** Reads what is new; `undefined` when nobody can know what is in the file. */
  const readOn = async (handle: FileHandle): Promise<PurgeLog | undefined> => {
    try {
      const head = await readHead(handle)
      if (known?.stamp.epoch !== head.epoch) {
        known = createPurgeLog(head)
        // Whoever made the file may have been killed before its name was on the disk.
        await flushDirectory(directory)
      }
      await known.readOn(handle)
      return known
    } catch (error) {
      warn('Disk tag index: begun anew, so all that was stored counts as purged', {
        path,
        reason: describeError(error),
      })
      return undefined
    }
  }
  /**
   * Opens the file that is there now, and purges what there is to purge. Should another take its place meanwhile, then
   * with a new epoch: what was written to this one is purged all the same.
   */
  const visit = async (purge?: { tags: readonly string[]; mode: PurgeMode }): Promise<PurgeLog> => {
    const handle = await open(path, constants.O_RDWR | constants.O_APPEND).catch((error) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (!handle) return beginAnew()
    try {
      const log = await readOn(handle)
      if (!log) return await beginAnew()
      if (!purge) return log
      if (log.stamp.sequence + purge.tags.length > maxPurges) return await beginAnew()
      await log.append(handle, purge.tags, purge.mode)
      return (await readOn(handle)) ?? (await beginAnew())
    } finally {
      await handle.close()
    }
  }
  /** What is in the file at some moment after the call. */
  const current = (): MaybePromise<PurgeLog> => {
    // Waiting for one of Node's threads would take longer, and seconds while all of them resize pictures.
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found && known?.isRead(found) ? known : inTurn(() => visit())
  }

  return {
    stamp: () => chain(current(), ({ stamp }) => stamp),
    purgedSince: ({ epoch, sequence }, tags) =>
      chain(current(), (log) => (epoch === log.stamp.epoch ? log.purgedSince(sequence, tags) : 'hard')),
    purge: (tags, mode) => inTurn(() => visit({ tags, mode })).then(() => {}),
  }
}
