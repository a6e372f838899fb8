import { lstat, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Store, StoreHit } from '../../core/cache/index.js'
import { describeError, type Log, logError, throttleLog } from '../../core/log.js'
import { checkFunction, checkKnownOptions, integer, type OptionChecks, required } from '../../core/options.js'
import { NotRegularFileError } from '../node/regular-file.js'
import { createChanges } from './changes.js'
import { createDiskQuota } from './disk-quota.js'
import { type DatedEntry, decodeEntryFile, encodeEntryFile } from './entry-file.js'
import { createEntryReader, NoRoomError } from './entry-reader.js'
import { checkDirectory } from './options.js'
import { createRemovals } from './removals.js'
import { createRetryOnFullDisk } from './retry-on-full-disk.js'
import { fileNameOf, sizeOnDisk } from './scan-directory.js'
import { createScans } from './scans.js'
import { readInThread } from './threads.js'
import { createUsageMarks } from './usage-marks.js'
import { createWallClock } from './wall-clock.js'
import { writeFileAtomic } from './write-file-atomic.js'

export interface DiskStoreOptions {
  /** Directory of the files, created when missing. Only files that this store wrote are read or removed in it. */
  directory: string
  /** Bound of all files together, in bytes. From 1. */
  maxBytes: number
  /** Receives errors of the file system, once a minute at most. Default: `console.error`. */
  log?: Log | undefined
  /** Returns milliseconds since 1970. Default: the system clock. */
  clock?: (() => number) | undefined
}

// Bounds of the writes that wait for a slow disk, and so of memory: entries beyond them are dropped, and no file is larger.
const maxPendingBytes = 32 * 1024 * 1024
const maxPendingWrites = 256
// Milliseconds.
const longestMakingRoom = 1_000

const checks: OptionChecks<DiskStoreOptions> = {
  directory: required(checkDirectory),
  maxBytes: required(integer(1)),
  log: checkFunction,
  clock: checkFunction,
}

/**
 * Creates a store with one file per entry, which survives restarts. Files are written atomically and carry a checksum:
 * a file that a crash, a full disk or another program left broken is a miss, and is removed. Beyond `maxBytes` the least
 * recently used entries are evicted, also across restarts. Several processes may share a directory; use it with
 * `diskTagIndex` then, and also where entries should outlive a restart. Files (0600) and the directories that it creates
 * (0700) are for their owner alone, so these processes run as one user.
 *
 * Only `delete` rejects, when the file cannot be removed. Any other error of the disk makes a miss or drops the entry.
 *
 * @throws TypeError that names the invalid option.
 * @example diskStore({ directory: '.cache/pages', maxBytes: 1024 ** 3 })
 */
export function diskStore(options: DiskStoreOptions): Store {
  const {
    maxBytes,
    log = logError,
    clock: now,
  } = checkKnownOptions(options, checks, "diskStore({ directory: '.cache/pages', maxBytes: 1024 ** 3 })")
  const directory = resolve(options.directory)
  const warn = throttleLog(log)
  const logFailure = (error: unknown) =>
    warn('Disk store: disk I/O failed', { directory, reason: describeError(error) })

  const readEntry = createEntryReader(maxPendingBytes)
  // What waits to be written, or is being written, by name.
  const files = new Map<string, Buffer<ArrayBuffer>>()
  const pending = { bytes: 0, writes: 0 }
  const changes = createChanges()
  const quota = createDiskQuota(maxBytes, (name) => {
    files.delete(name)
    removals.add(name)
  })
  const forget = (name: string) => {
    if (!files.has(name)) quota.remove(name)
  }
  const remove = async (name: string) => {
    await rm(join(directory, name), { force: true })
    forget(name)
  }
  const isThere = (name: string) => {
    const stats = readInThread(() => lstat(join(directory, name)))
    return stats.then(() => true).catch((error) => error.code !== 'ENOENT')
  }
  const removals = createRemovals({ changes, remove, isThere, isKept: quota.has, onError: logFailure })
  const removeNow = (name: string) => removals.remove(name, files.delete(name))
  // Nobody waits for it: the disk may stall. And what is written anew needs no removal.
  const removeUnusable = (name: string) => void (files.has(name) || removals.remove(name).catch(logFailure))
  const discard = (name: string) =>
    removeNow(name)
      .catch(logFailure)
      .then(() => false) // nothing is stored
  const makeRoom = () => {
    if (!quota.shrink()) return undefined
    warn('Disk store: the disk is full, entries are evicted; lower maxBytes or free space', { directory, maxBytes })
    return removals.run(longestMakingRoom)
  }
  const withRoom = createRetryOnFullDisk(makeRoom)
  const marks = createUsageMarks(directory, changes)
  const scans = createScans({
    directory,
    changes,
    quota,
    maxBytes,
    maxFileBytes: maxPendingBytes,
    waiting: () => [...files].map(([name, file]) => ({ name, size: sizeOnDisk(file.length) })),
    isRemoved: removals.has,
    onError: logFailure,
  })
  const clock = createWallClock({ now, onSetBack: () => scans.removeFuture() })

  const write = async (name: string, file: Buffer<ArrayBuffer>) => {
    const size = sizeOnDisk(file.length)
    quota.touch(name, size) // evicts first
    try {
      await removals.settled(name)
      await changes.run(async () => {
        await removals.run() // what it has evicted
        const isWanted = () => files.get(name) === file // not replaced, removed or evicted meanwhile
        const isWritten = await withRoom(async () => {
          if (isWanted()) await writeFileAtomic(directory, name, file)
          return isWanted()
        })
        if (!isWritten) return
        quota.touch(name, size) // again: a scan may have run before the file was there
        scans.countWritten(size)
      })
      return quota.has(name)
    } catch (error) {
      logFailure(error)
      // The previous entry must not come back as if it were the latest.
      return files.get(name) === file ? await discard(name) : quota.has(name)
    } finally {
      if (files.get(name) === file) files.delete(name)
      pending.bytes -= size
      pending.writes--
    }
  }

  const toHit = ({ entry, createdAt }: DatedEntry): StoreHit | undefined => {
    // Were an entry from the future taken for new, a clock that was once a year ahead would keep pages fresh for a year.
    if (clock.isOfEarlierTime(createdAt)) return undefined
    const age = Math.max(0, clock.now() - createdAt) / 1000
    return age > entry.ttl ? undefined : { entry, age }
  }

  const read = async (key: string, name: string): Promise<StoreHit | undefined> => {
    const file = await readEntry(key, join(directory, name)).catch((error) => {
      if (error instanceof NotRegularFileError) removeUnusable(name)
      else if (error.code === 'ENOENT') forget(name)
      else if (!(error instanceof NoRoomError)) logFailure(error)
    })
    if (!file) return undefined
    const hit = file.stored && toHit(file.stored)
    if (!hit) return removeUnusable(name)
    const touch = () => quota.touch(name, sizeOnDisk(file.size))
    if (quota.has(name)) touch()
    // Of another process. By then it may have been written here, with another size, or evicted.
    marks.mark(name, () => quota.has(name) || removals.has(name) || touch())
    return hit
  }

  return {
    async get(key) {
      const name = fileNameOf(key)
      const file = files.get(name)
      if (!file) return removals.has(name) ? undefined : await read(key, name)
      const stored = decodeEntryFile(key, file)
      return stored && toHit(stored)
    },

    async set(key, entry, age = 0) {
      const name = fileNameOf(key)
      if (age > entry.ttl) return await discard(name)
      // Without room, the previous entry stays: it may be just what was rendered again, since there was no room for reading it either.
      if (pending.writes >= maxPendingWrites) return false
      const file = encodeEntryFile(key, { entry, createdAt: clock.now() - age * 1000 })
      const size = sizeOnDisk(file.length)
      if (size > Math.min(maxBytes, maxPendingBytes)) return await discard(name)
      if (pending.bytes + size > maxPendingBytes) return false
      pending.bytes += size
      pending.writes++
      files.set(name, file)
      return await write(name, file)
    },

    delete: (key) => removeNow(fileNameOf(key)),
  }
}
