import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Stamp, TagIndex } from '../../core/cache/index.js'
import { type Log, sparingly } from '../../core/cache/log.js'
import { describeError } from '../../core/describe-error.js'
import { writeWhole } from './files.js'
import { checkCount, checkDirectory } from './options.js'
import { openPurgeLog, type PurgeLog } from './purge-log.js'
import { encodeHead } from './purge-record.js'
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

/** A tag index on the disk. */
export interface DiskTagIndex extends TagIndex {
  stamp(): Stamp | Promise<Stamp>
  purge(...purge: Parameters<TagIndex['purge']>): Promise<void>
  /** Closes the file. It is opened again when it is needed. */
  close(): Promise<void>
}

const fileName = 'tags.log'

/**
 * Creates a tag index in a file, so that what is on the disk can be used after a restart. The processes of one machine
 * may share it: a purge that one was acknowledged is known to all who ask later. A purge is acknowledged once it is on
 * the disk for good; a full disk rejects it.
 *
 * The file only grows, by a record for each tag of a purge; the number of a purge is its record's position. Where a file
 * is broken, missing or full, another one with a new epoch takes its place: that is the only way to begin anew, and it
 * forgets no purge, whoever does it at the same time.
 *
 * @throws TypeError that names the option when one makes no sense.
 * @example
 * const directory = '.cache/pages'
 * const store = diskStore({ directory, maxBytes: 1024 ** 3 })
 * const pages = createResponseCache({ store, tagIndex: diskTagIndex({ directory }) })
 */
export function diskTagIndex(options: DiskTagIndexOptions): DiskTagIndex {
  const { maxPurges = 200_000, log = console.error } = options
  const directory = resolve(checkDirectory(options.directory))
  checkCount('maxPurges', maxPurges, '200_000')
  const path = join(directory, fileName)
  const warn = sparingly(log)
  const turns = createTurns()
  const inTurn = <T>(work: () => Promise<T>) => turns('', work)
  let known: PurgeLog | undefined

  const look = () => statSync(path, { bigint: true, throwIfNoEntry: false })
  const forget = async () => {
    const forgotten = known
    known = undefined
    await forgotten?.close()
  }
  const beginAnew = async (): Promise<PurgeLog> => {
    await forget()
    await writeWhole(directory, fileName, encodeHead(randomBytes(16).toString('hex')), true)
    known = await openPurgeLog(path)
    return known
  }
  const catchUp = async (): Promise<PurgeLog> => {
    const found = look()
    if (!known?.isIn(found)) await forget()
    if (!found) return beginAnew()
    try {
      known ??= await openPurgeLog(path)
      await known.readOn()
      return known
    } catch (error) {
      warn('Disk tag index: begun anew, so all that was stored counts as purged', {
        path,
        reason: describeError(error),
      })
      return beginAnew()
    }
  }
  /** What is in the file at some moment after the call. */
  const current = (): PurgeLog | Promise<PurgeLog> => {
    // Waiting for one of Node's threads would take longer, and seconds while all of them resize pictures.
    const found = look()
    return found && known?.isIn(found) && known.isRead(found) ? known : inTurn(catchUp)
  }

  return {
    stamp() {
      const log = current()
      return log instanceof Promise ? log.then(({ stamp }) => stamp) : log.stamp
    },
    purgedSince({ epoch, sequence }, tags) {
      const judge = (log: PurgeLog) => (epoch === log.stamp.epoch ? log.purgedSince(sequence, tags) : 'hard')
      const log = current()
      return log instanceof Promise ? log.then(judge) : judge(log)
    },
    purge: (tags, mode) =>
      inTurn(async () => {
        const log = await catchUp()
        if (log.stamp.sequence + tags.length > maxPurges) return void (await beginAnew())
        await log.append(tags, mode)
        // Reads and flushes it; or finds a new file in place of the one that was written to, which purges all.
        await catchUp()
      }),
    close: () => inTurn(forget),
  }
}
