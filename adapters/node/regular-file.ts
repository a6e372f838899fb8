import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** An opened regular file with the state of its descriptor. Close it. */
export interface RegularFile {
  handle: FileHandle
  stats: BigIntStats
}

/** The path names a symlink, a pipe, a directory or the like. */
export class NotRegularFileError extends Error {
  override name = 'NotRegularFileError'
}

// Opening a pipe without a writer would never return, and behind a link may be anything. Windows has neither flag.
const safely = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)
// A symlink (on FreeBSD too), a socket, a directory that is opened for writing.
const otherTypeCodes = new Set(['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR'])

/**
 * Opens a file that another process may have replaced: to read a pipe or a device might never end. Follows no symlink.
 *
 * @throws NotRegularFileError when it is not a regular file, and errors of the file system, such as `ENOENT`.
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

/** Reads bytes from a position on: fewer than `length` when the file ends before. */
export async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let read = 0
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

/**
 * Reads a file synchronously, as {@link openRegularFile} opens it. Returns `undefined` for a larger one, and for anything else than a
 * regular file.
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
