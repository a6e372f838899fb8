import { createHash } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbandoned, isTempFile } from './temp-file.js'
import { createDirectory } from './write-file-atomic.js'

/** An entry file in the directory of a store. */
export interface FileInfo {
  name: string
  /** Space that it takes on the disk, in bytes. */
  size: number
  /** When it was last used, in milliseconds since 1970. */
  lastUsed: number
}

const entryFileName = /^[0-9a-f]{64}\.entry$/
const blockBytes = 4096

/** Returns the file name for a key. The store reads and removes only files with such a name. */
export function fileNameOf(key: string): string {
  return `${createHash('sha256').update(key).digest('hex')}.entry`
}

/** Returns the space that a file of so many bytes takes on the disk, in bytes. */
export function sizeOnDisk(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes
}

/**
 * Lists the entry files of a directory. Removes the temporary files that killed processes
 * left behind, and what has the name of an entry but is no regular file, or a larger one than any that was written. Creates
 * the directory when it is missing.
 *
 * @param maxFileBytes Maximum size of an entry file.
 * @param latest Milliseconds since 1970: files that were written or used later are removed. Default: none.
 */
export async function scanDirectory(
  directory: string,
  maxFileBytes: number,
  latest = Number.POSITIVE_INFINITY,
): Promise<FileInfo[]> {
  await createDirectory(directory)
  const entries: FileInfo[] = []
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const isTemp = isTempFile(name)
    if (!isTemp && !entryFileName.test(name)) continue
    const stats = await lstat(path).catch(() => undefined)
    if (!stats || stats.isDirectory()) continue // another process has removed it, or it is not ours
    const lastUsed = Math.max(stats.mtimeMs, stats.atimeMs)
    const isUsable = !isTemp && stats.isFile() && stats.size <= maxFileBytes && lastUsed <= latest
    if (!isUsable) {
      if (!isTemp || isAbandoned(name, stats.mtimeMs)) await rm(path, { force: true })
    } else entries.push({ name, size: sizeOnDisk(stats.size), lastUsed })
  }
  return entries
}
