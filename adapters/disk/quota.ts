import { lstat, opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { entryFileName, isDiskFull, tempFileName, writeFileAtomic } from './file.js'

export interface DiskQuotaOptions {
  directory: string
  /** Maximum size of all files together, in bytes on the disk. */
  maxBytes: number
  /** Maximum size of one file, in bytes on the disk. A larger file is removed, because this store did not write it. */
  maxFileBytes: number
  /** Called with the error when a file cannot be removed to make room. */
  onError: (error: unknown) => void
  /** Called when the disk is full before the quota is reached. */
  onDiskFull: () => void
}

interface EntryFile {
  name: string
  /** Space that it takes on the disk, in bytes. */
  size: number
  /** Milliseconds since 1970. */
  lastUsed: number
}

const blockBytes = 4096
// A temporary file that is older, in milliseconds, is from a process that was killed.
const maxWriteTime = 60_000

/** Returns the space that a file takes on the disk, in bytes. */
export function sizeOnDisk(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / blockBytes)) * blockBytes
}

/**
 * Keeps the entry files of a directory within a maximum size by removing the least recently used files first. Never
 * call its asynchronous functions concurrently.
 */
export function createDiskQuota({ directory, maxBytes, maxFileBytes, onError, onDiskFull }: DiskQuotaOptions) {
  const evicted: string[] = []
  const createFiles = () =>
    new LRUCache<string, EntryFile>({
      maxSize: maxBytes,
      sizeCalculation: ({ size }) => size,
      dispose: (_, name, reason) => reason === 'evict' && evicted.push(name),
    })
  let files = createFiles()
  let writtenSinceScan = 0

  const removeFile = (name: string) => rm(join(directory, name), { force: true })
  const removeEvicted = async () => {
    for (const name of evicted.splice(0)) await removeFile(name).catch(onError)
  }
  /**
   * Returns the size and last use of a file if it is an entry. Removes temporary files of killed processes, and files
   * with the name of an entry that are too large or special, such as symlinks.
   */
  const inspect = async (name: string): Promise<EntryFile | undefined> => {
    const isTemp = tempFileName.test(name)
    if (!isTemp && !entryFileName.test(name)) return undefined
    const stats = await lstat(join(directory, name)).catch(() => undefined)
    if (!stats || stats.isDirectory()) return undefined
    const size = sizeOnDisk(stats.size)
    const lastUsed = Math.max(stats.mtimeMs, files.peek(name)?.lastUsed ?? 0)
    if (!isTemp && stats.isFile() && size <= maxFileBytes) return { name, size, lastUsed }
    if (!isTemp || Date.now() - stats.mtimeMs > maxWriteTime) await removeFile(name).catch(onError)
    return undefined
  }
  const scan = async () => {
    writtenSinceScan = 0
    const names = await opendir(directory).catch((error) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const entryFiles: EntryFile[] = []
    for await (const { name } of names) {
      const file = await inspect(name)
      if (file) entryFiles.push(file)
    }
    files = createFiles()
    for (const file of entryFiles.sort((a, b) => a.lastUsed - b.lastUsed)) files.set(file.name, file)
    await removeEvicted()
  }

  return {
    /** Finds the files of earlier runs and other processes, and evicts files until all files together fit. */
    scan,
    /** Returns the space that all known files take on the disk, in bytes. */
    bytes: () => files.calculatedSize,
    /** Marks a file as the most recently used. */
    touch(name: string): void {
      const file = files.get(name)
      if (file) file.lastUsed = Date.now()
    },
    /** Removes a file if it exists. */
    async remove(name: string): Promise<void> {
      await removeFile(name)
      files.delete(name)
    },
    /** Makes room and writes a file. If the disk is full, evicts at least as many bytes, and tries once more. */
    async write(name: string, bytes: Buffer): Promise<void> {
      const size = sizeOnDisk(bytes.length)
      writtenSinceScan += size
      if (writtenSinceScan > maxBytes / 8) await scan()
      files.set(name, { name, size, lastUsed: Date.now() })
      await removeEvicted()
      const path = join(directory, name)
      await writeFileAtomic(path, bytes).catch(async (error) => {
        if (!isDiskFull(error)) throw error
        onDiskFull()
        const bound = files.calculatedSize - size
        while (files.size > 1 && files.calculatedSize > bound) files.pop()
        await removeEvicted()
        await writeFileAtomic(path, bytes)
      })
    },
  }
}
