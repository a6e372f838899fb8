import { readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { ByteStore } from './byte-store.js'
import { decodeEntry, encodeEntry } from './disk-entry.js'
import { fileNameOf, scanDirectory, sizeOnDisk, writeWhole } from './disk-files.js'
import { type Log, sparingly } from './log.js'

export interface DiskCacheOptions {
  directory: string
  /** Bound of all files together, in bytes. */
  maxBytes: number
  /** Told of what the disk refuses, at most once a minute. */
  log: Log
}

// What a slow disk may hold back in memory; beyond it, pictures are not kept.
const maxPendingBytes = 32 * 1024 * 1024

/**
 * Creates a store of one file per entry that survives restarts. Files are written whole or not at all and carry a
 * checksum: what a crash, a full disk or another program left broken is a miss, and removed. When the bound is
 * reached, what was not used for the longest goes, also across restarts. Several processes may share a directory.
 *
 * @example createDiskCache({ directory: '.cache/images', maxBytes: 1_000_000_000, log: console.error })
 */
export function createDiskCache({ directory, maxBytes, log }: DiskCacheOptions): ByteStore {
  const warn = sparingly(log, 60_000)
  const complain = (error: unknown) => warn('Image cache: the disk refused', { directory, reason: String(error) })
  const remove = (name: string) => rm(join(directory, name), { force: true }).catch(complain)

  const index = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => size,
    dispose: (_, name, reason) => {
      if (reason === 'evict') void remove(name)
    },
  })
  let unscanned = 0
  let pending = 0
  let scanned = scan()

  async function scan() {
    const known = new Set(index.keys())
    for (const { name, size } of await scanDirectory(directory).catch(onScanError)) {
      if (!index.has(name)) index.set(name, size)
      known.delete(name)
    }
    // What another process removed takes no space any more.
    for (const name of known) index.delete(name)
  }

  function onScanError(error: unknown) {
    complain(error)
    return []
  }

  /** Looks for what other processes wrote, once an eighth of the bound was written here. */
  function countWritten(size: number) {
    unscanned += size
    if (unscanned < maxBytes / 8) return
    unscanned = 0
    scanned = scan()
  }

  return {
    async get(key) {
      const name = fileNameOf(key)
      const path = join(directory, name)
      const file = await readFile(path).catch((error) => {
        if (error.code !== 'ENOENT') complain(error)
      })
      const entry = file && decodeEntry(key, file)
      if (!entry) {
        index.delete(name)
        if (file) await remove(name)
        return undefined
      }
      if (index.get(name) === undefined) index.set(name, sizeOnDisk(file.length))
      const now = new Date()
      utimes(path, now, now).catch(() => {}) // recency for the next start; not worth a word when it fails
      return entry
    },

    async set(key, stored) {
      const file = encodeEntry(key, stored)
      const size = sizeOnDisk(file.length)
      if (size > maxBytes || pending + size > maxPendingBytes) return
      const name = fileNameOf(key)
      pending += size
      try {
        await scanned
        index.set(name, size) // makes room first
        await writeWhole(directory, name, file)
        index.set(name, size) // again, since a reader who came too early has struck it off
        countWritten(size)
      } catch (error) {
        index.delete(name)
        complain(error)
      } finally {
        pending -= size
      }
    },
  }
}
