import { join, resolve } from 'node:path'
import type { Store } from '../../core/cache/index.js'
import { createLimiter } from '../../core/limiter.js'
import { describeError, type Log, logError, throttleLog } from '../../core/log.js'
import { checkFunction, checkKnownOptions, integer, type OptionChecks, required } from '../../core/options.js'
import { NotRegularFileError } from '../node/regular-file.js'
import { checkDirectory, decodeEntryFile, encodeEntryFile, fileNameOf, readAndMark } from './file.js'
import { createDiskQuota, sizeOnDisk } from './quota.js'

export interface DiskStoreOptions {
  /** Directory of the files, created if missing. The store reads and removes only its own files in it. */
  directory: string
  /** Maximum size of all files together, in bytes. At least 1. */
  maxBytes: number
  /** Receives file system errors, at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}

// These limit the memory for changes that wait for a slow disk. Entries beyond them are not stored, and no file is
// larger than the limit in bytes.
const maxPendingBytes = 32 * 1024 * 1024
const maxPendingChanges = 10_000

const checks: OptionChecks<DiskStoreOptions> = {
  directory: required(checkDirectory),
  maxBytes: required(integer(1)),
  log: checkFunction,
}

/**
 * Creates a store with one file per entry, which survives restarts. Files are written atomically and carry a checksum:
 * a file left broken by a crash, a full disk or another program is a miss, and is removed. When `maxBytes` is exceeded
 * or the disk is full, the least recently used entries are evicted, even those from before a restart. Several processes
 * may share a directory. Use the store with `diskTagIndex` if they do, or if entries should survive a restart. Only the
 * owner can access the files (0600) and created directories (0700), so the processes must run as the same user.
 *
 * Only `delete` rejects, when the file cannot be removed. Any other disk error causes a miss or drops the entry.
 *
 * @throws TypeError that names the invalid option.
 * @example diskStore({ directory: '.cache/pages', maxBytes: 1024 ** 3 })
 */
export function diskStore(options: DiskStoreOptions): Store {
  const call = "diskStore({ directory: '.cache/pages', maxBytes: 1024 ** 3 })"
  const { maxBytes, log = logError } = checkKnownOptions(options, checks, call)
  const directory = resolve(options.directory)
  const warn = throttleLog(log)
  const logFailure = (error: unknown) =>
    warn('Disk store: disk I/O failed', { directory, reason: describeError(error) })
  const onDiskFull = () =>
    warn('Disk store: the disk is full, entries are evicted; lower maxBytes or free space', { directory, maxBytes })
  const maxFileBytes = Math.min(maxBytes, maxPendingBytes)
  const quota = createDiskQuota({ directory, maxBytes, maxFileBytes, onError: logFailure, onDiskFull })

  // Runs the changes of the directory one at a time, in the order of the calls.
  const limitChanges = createLimiter({ concurrency: 1 })
  // The last change of each file, until it is on the disk: the new content, or `undefined` for a removal.
  const pending = new Map<string, { file: Buffer | undefined; done: Promise<void> }>()
  let pendingBytes = 0
  const change = (name: string, file: Buffer | undefined, work: () => Promise<void>): Promise<void> => {
    if (pending.size >= maxPendingChanges) return Promise.reject(new Error('too many changes wait for the disk'))
    const done = limitChanges(work).finally(() => {
      if (pending.get(name)?.done === done) pending.delete(name)
    })
    pending.set(name, { file, done })
    return done
  }
  const remove = (name: string): Promise<void> => {
    const pendingChange = pending.get(name)
    return pendingChange && !pendingChange.file ? pendingChange.done : change(name, undefined, () => quota.remove(name))
  }
  /** Removes an unusable file, unless it is about to be replaced. */
  const discard = async (name: string) => {
    if (!pending.has(name)) await remove(name).catch(logFailure)
  }
  const read = async (name: string) => {
    try {
      return await readAndMark(join(directory, name), maxFileBytes)
    } catch (error) {
      if (error instanceof NotRegularFileError) void discard(name)
      else if ((error as NodeJS.ErrnoException).code !== 'ENOENT') logFailure(error)
      return undefined
    }
  }
  limitChanges(() => quota.scan()).catch(logFailure)

  return {
    isDurable: true,
    async get(key) {
      const name = fileNameOf(key)
      const pendingChange = pending.get(name)
      const file = pendingChange ? pendingChange.file : await read(name)
      if (!file) return undefined
      const stored = decodeEntryFile(name, file)
      const age = stored ? (Date.now() - stored.createdAt) / 1000 : Number.NaN
      // An entry from more than a second in the future is dropped: the clock was wrong then, or is wrong now.
      if (!stored || age < -1 || age > stored.entry.ttl) return void discard(name)
      quota.touch(name)
      return { entry: stored.entry, age: Math.max(0, age) }
    },

    async set(key, entry, age = 0) {
      const name = fileNameOf(key)
      const file = encodeEntryFile(name, entry, Date.now() - age * 1000)
      const size = sizeOnDisk(file.length)
      if (age > entry.ttl || size > maxFileBytes) {
        await remove(name).catch(logFailure)
        return false
      }
      if (pendingBytes + size > maxFileBytes) return false
      pendingBytes += size
      try {
        await change(name, file, () => quota.write(name, file))
        return true
      } catch (error) {
        logFailure(error)
        await discard(name) // the previous entry must not come back as if it were the latest
        return false
      } finally {
        pendingBytes -= size
      }
    },

    delete: (key) => remove(fileNameOf(key)),
    bytes: () => quota.bytes(),
  }
}
