import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { createTempFileName } from './temp-file.js'

// Cached pages may be for a few only, as those behind a login; other users of the machine are not to read them.
export const ownerFile = 0o600
const ownerDirectory = 0o700

/** Creates a directory that only its owner can enter, as well as its missing parents. An existing one stays as it is. */
export async function createDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: ownerDirectory })
}

/**
 * Writes a file completely or not at all: under a temporary name first, then renamed. Only its owner can read it. Creates
 * the directory when it is missing.
 *
 * @param flush Whether the file and its name are on the disk when this resolves. Default `false`: nothing waits for the
 *   disk, and readers must detect what a power failure left behind.
 * @throws the error of the file system; nothing is left behind then.
 */
export async function writeFileAtomic(
  directory: string,
  name: string,
  bytes: Uint8Array,
  flush = false,
): Promise<void> {
  const temporary = join(directory, createTempFileName(name))
  const write = () => writeFile(temporary, bytes, { flag: 'wx', mode: ownerFile, flush })
  try {
    await write().catch(async (error) => {
      if (error.code !== 'ENOENT') throw error
      // The whole directory may have been removed while the site runs, as people do with caches.
      await createDirectory(directory)
      await write()
    })
    await rename(temporary, join(directory, name))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  if (flush) await syncDirectory(directory)
}

/** Whether there was no room for a file: on the disk, or for this user, which libuv has no name for. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errno }: NodeJS.ErrnoException = error
  return code === 'ENOSPC' || code === 'EDQUOT' || errno === -constants.errno.EDQUOT
}

/** Flushes the names in a directory to the disk. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return // cannot open directories
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}
