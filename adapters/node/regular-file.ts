import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** An opened regular file and the stats of its descriptor. The caller must close it. */
export interface RegularFile {
  handle: FileHandle
  stats: BigIntStats
}

/** Thrown when a path names a symlink, a pipe, a directory or anything else that is not a regular file. */
export class NotRegularFileError extends Error {
  override name = 'NotRegularFileError'
}

// Opening a pipe without a writer would never return, and a link may lead anywhere. Windows has neither flag.
const safely = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
// These are the errors for a symlink (on FreeBSD too), a socket, and a directory that is opened for writing.
const otherTypeCodes = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR'])

/**
 * Opens a file that another process may have replaced. Rejects pipes and devices, because reading them might never end,
 * and does not follow symlinks.
 *
 * @throws NotRegularFileError when it is not a regular file, or the file system's error, such as `ENOENT`.
 */
export async function openRegularFile(path: string, flags = constants.O_RDONLY): Promise<RegularFile> {
  const handle = await open(path, flags | safely).catch((error: NodeJS.ErrnoException) => {
    throw otherTypeCodes.has(error.code ?? '') ? new NotRegularFileError(path, { cause: error }) : error
  })
  try {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) throw new NotRegularFileError(path)
    return { handle, stats }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Reads `length` bytes from a position, or fewer when the file ends earlier. */
export async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let totalRead = 0
  while (totalRead < length) {
    const { bytesRead } = await handle.read(bytes, totalRead, length - totalRead, position + totalRead)
    if (bytesRead === 0) break
    totalRead += bytesRead
  }
  return bytes.subarray(0, totalRead)
}

/**
 * Reads a file synchronously, with the same guards as {@link openRegularFile}. Returns `undefined` when the file is
 * larger than `maxBytes` or not a regular file.
 */
export function readRegularFileSync(path: string, maxBytes: number): Buffer | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | safely)
  try {
    const stats = fstatSync(descriptor)
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(descriptor) : undefined
  } finally {
    closeSync(descriptor)
  }
}
