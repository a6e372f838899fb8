import { readFile, rm, utimes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Store } from '../../core/cache/index.js'
import { describeError } from '../../core/describe-error.js'
import { type Log, throttleLog } from '../../core/log.js'
import { decodeFile, encodeFile } from './entry-file.js'
import { fileNameOf, scanDirectory, sizeOnDisk, writeWhole } from './files.js'
import { checkCount, checkDirectory } from './options.js'
import { createRoom } from './room.js'
import { createTurns } from './turns.js'

export interface DiskStoreOptions {
  /** Folder of the files, made when it is missing. Only files that this store wrote are ever read or removed in it. */
  directory: string
  /** Bound of all files together, in bytes. */
  maxBytes: number
  /** Told of what the disk refuses, each once a minute at most. Default: `console.error`. */
  log?: Log | undefined
  /** Milliseconds since 1970. Default: the system's time. */
  clock?: (() => number) | undefined
}

// What a slow disk may hold back; beyond it, entries are not kept, so that nobody waits for long.
const maxPendingBytes = 32 * 1024 * 1024
const maxPendingWrites = 256
// HTTP counts in whole seconds, and clocks are set by less all the time.
const tolerance = 1_000

/**
 * Creates a store of one file per entry that survives restarts. Files are written whole or not at all and carry a
 * checksum: what a crash, a full disk or another program left broken is a miss, and removed. When the bound is
 * reached, what was not used for the longest goes, also across restarts. Several processes may share a directory; use
 * it with `diskTagIndex` then, and also where entries are to outlive a restart.
 *
 * Only `delete` rejects, when the file cannot be removed. What the disk refuses otherwise is a miss, or not kept.
 *
 * @throws TypeError that names the option when one makes no sense.
 * @example diskStore({ directory: '.cache/pages', maxBytes: 1024 ** 3 })
 */
export function diskStore(options: DiskStoreOptions): Store {
  const { maxBytes, log = console.error, clock = now } = options
  const directory = resolve(checkDirectory(options.directory))
  checkCount('maxBytes', maxBytes, '1024 ** 3')
  const warn = throttleLog(log)
  const complain = (error: unknown) => warn('Disk store: the disk refused', { directory, reason: describeError(error) })

  const inTurn = createTurns()
  const remove = async (name: string) => {
    await rm(join(directory, name), { force: true })
    room.free(name)
  }
  const discard = (name: string) => inTurn(name, () => remove(name).catch(complain))
  const room = createRoom(maxBytes, discard)
  let unscanned = 0
  const pending = { bytes: 0, writes: 0 }

  const scan = async () => {
    unscanned = 0
    const began = Date.now()
    room.correct(await scanDirectory(directory), began)
  }
  // Nobody waits for it: until it is done, what is there already takes space unseen.
  let scanning = scan().catch(complain)
  /** Looks for what other processes wrote, once an eighth of the bound was written here. */
  const countWritten = (size: number) => {
    unscanned += size
    if (unscanned >= maxBytes / 8) scanning = scanning.then(() => (unscanned > 0 ? scan().catch(complain) : undefined))
  }

  const write = async (name: string, file: Buffer) => {
    const size = sizeOnDisk(file.length)
    room.use(name, size) // makes room first
    try {
      await writeWhole(directory, name, file)
      room.use(name, size) // again, since a search that came too early has missed it
      countWritten(size)
    } catch (error) {
      complain(error)
      // What stood there before is not to come back as if it were the latest.
      await remove(name).catch(complain)
    } finally {
      pending.bytes -= size
      pending.writes--
    }
  }

  return {
    async get(key) {
      const name = fileNameOf(key)
      const path = join(directory, name)
      await inTurn.rest(name)
      const file = await readFile(path).catch((error) => {
        if (error.code !== 'ENOENT') complain(error)
      })
      if (!file) {
        room.free(name)
        return undefined
      }
      const kept = decodeFile(key, file)
      const age = kept ? clock() - kept.since : 0
      // What comes from the future was written before the clock was set back, nobody knows how long ago: were it taken
      // for new, a clock that was once a year ahead would keep pages fresh for a year.
      if (!kept || age < -tolerance || age > kept.entry.ttl * 1000) {
        await remove(name).catch(complain)
        return undefined
      }
      const used = new Date()
      // Recency, also for the next start. Where it fails, the file is gone by now.
      utimes(path, used, used).then(
        () => room.use(name, sizeOnDisk(file.length)),
        () => {},
      )
      return { entry: kept.entry, age: Math.max(0, age) / 1000 }
    },

    async set(key, entry, age = 0) {
      const name = fileNameOf(key)
      if (age > entry.ttl || pending.writes >= maxPendingWrites) return discard(name)
      const file = encodeFile(key, { entry, since: clock() - age * 1000 })
      const size = sizeOnDisk(file.length)
      if (size > maxBytes || pending.bytes + size > maxPendingBytes) return discard(name)
      pending.bytes += size
      pending.writes++
      return inTurn(name, () => write(name, file))
    },

    delete(key) {
      const name = fileNameOf(key)
      return inTurn(name, () => remove(name))
    },
  }
}

/**
 * The system's time, but as long as this process lives never earlier than it was: a clock that is set back makes nothing
 * younger then.
 */
function now(): number {
  return Math.max(Date.now(), performance.timeOrigin + performance.now())
}
