import { createHash } from 'node:crypto'
import { lstat, opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Changes } from './changes.js'
import { isAbandoned, isTempFile } from './temp-file.js'
import { readInThread } from './threads.js'
import { createDirectory } from './write-file-atomic.js'

/** An entry file in the directory of a store. */
export interface FileInfo {
  name: string
  /** Space that it takes on the disk, in bytes. */
  size: number
  /** When it was last used, in milliseconds since 1970. */
  lastUsed: number
}

export interface ScanOptions {
  changes: Changes
  /** Maximum size of an entry file. */
  maxFileBytes: number
  /** Milliseconds since 1970: files that were written or used later are removed. Default: none. */
  latest?: number | undefined
  /** Called with the error where a file cannot be removed. */
  onError: (error: unknown) => void
}

const entryFileName = /^[0-9a-f]{64}\.entry$/
const blockBytes = 4096
// Names that are read at once: of a million, that would hold up everything else for half a second.
const namesPerRead = 1024

/** Returns the file name for a key. The store reads and removes only files with such a name. */
export function fileNameOf(key: string): string {
  return `${createHash('sha256').update(key).digest('hex')}.entry`
}

/** Returns the space that a file of so many bytes takes on the disk, in bytes. */
export function sizeOnDisk(bytes: number): number {
  return Math.ceil(bytes / blockBytes) * blockBytes
}

/**
 * Lists the entry files of a directory. Removes the temporary files that killed processes left behind, and what has the name of an
 * entry but is no regular file, or of no size that was ever written: a power failure leaves empty ones. Creates the directory when
 * it is missing.
 */
export async function scanDirectory(directory: string, options: ScanOptions): Promise<FileInfo[]> {
  const { changes, maxFileBytes, latest = Number.POSITIVE_INFINITY, onError } = options
  await changes.run(() => createDirectory(directory))
  const entries: FileInfo[] = []
  for await (const name of listNames(directory)) {
    const path = join(directory, name)
    const isTemp = isTempFile(name)
    if (!isTemp && !entryFileName.test(name)) continue
    const stats = await readInThread(() => lstat(path)).catch(() => undefined)
    if (!stats || stats.isDirectory()) continue // another process has removed it, or it is not ours
    const lastUsed = Math.max(stats.mtimeMs, stats.atimeMs)
    const isEntry = !isTemp && stats.isFile() && stats.size > 0 && stats.size <= maxFileBytes
    if (!isEntry || lastUsed > latest) {
      if (isTemp && !isAbandoned(name, stats.mtimeMs)) continue
      const removeUnlessReplaced = async () => {
        const found = await lstat(path).catch(() => undefined)
        if (found?.ino === stats.ino) await rm(path, { force: true })
      }
      await changes.run(removeUnlessReplaced).catch(onError)
    } else entries.push({ name, size: sizeOnDisk(stats.size), lastUsed })
  }
  return entries
}

async function* listNames(directory: string): AsyncGenerator<string> {
  const names = await readInThread(() => opendir(directory, { bufferSize: namesPerRead }))
  try {
    const read = () => readInThread(() => names.read())
    for (let entry = await read(); entry; entry = await read()) yield entry.name
  } finally {
    await readInThread(() => names.close())
  }
}
