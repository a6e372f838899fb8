import type { BigIntStats } from 'node:fs'
import { constants, type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { BlockedSource, originalTooLarge, unknownSource } from '../failure.js'
import type { Original, OriginalSource } from './original-source.js'

// Missing, or not a regular file.
const notFoundCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO', 'EINVAL'])

export interface FileSourceOptions {
  /** Absolute path of the folder. */
  folder: string
  /** Maximum size of a file, in bytes. */
  maxBytes: number
}

/**
 * Creates a function that returns originals in a folder: regular files only, and only those whose real path is inside
 * the folder's real path, so that neither `..` nor a symlink leads out of it.
 *
 * @example createFileSource({ folder: '/srv/media', maxBytes: 50_000_000 })('cats/tom.jpg')
 */
export function createFileSource({ folder, maxBytes }: FileSourceOptions): (path: string) => OriginalSource {
  return (path) => {
    const file = join(folder, path)
    return {
      kind: 'file',
      digestTtl: Number.POSITIVE_INFINITY,
      version: async () => versionOf(file, await stat(file, { bigint: true }).catch(throwNotFound)),
      read: () => readOriginal(folder, file, maxBytes),
    }
  }
}

async function readOriginal(folder: string, file: string, maxBytes: number): Promise<Original> {
  // Opening a pipe without a writer would never return.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(throwNotFound)
  try {
    const before = await handle.stat({ bigint: true })
    const version = versionOf(file, before)
    await checkInside(folder, file, before)
    if (before.size > maxBytes) throw originalTooLarge(maxBytes)
    const bytes = await readBytes(handle, Number(before.size))
    const after = versionOf(file, await handle.stat({ bigint: true }))
    return { bytes, version: after === version ? version : undefined }
  } finally {
    await handle.close()
  }
}

/** Checks that the opened file is inside the folder: after it was opened, so that it cannot be swapped in between. */
async function checkInside(folder: string, file: string, opened: BigIntStats): Promise<void> {
  const [root, real] = await Promise.all([realpath(folder), realpath(file)]).catch(throwNotFound)
  const { dev, ino } = await stat(real, { bigint: true }).catch(throwNotFound)
  const isInside = real.startsWith(root.endsWith(sep) ? root : root + sep)
  if (!isInside || dev !== opened.dev || ino !== opened.ino) throw new BlockedSource(`${file} leads to ${real}`)
}

async function readBytes(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, length)
    if (bytesRead === 0) break // the file was truncated
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function versionOf(file: string, stats: BigIntStats): string {
  if (!stats.isFile()) throw unknownSource(new Error(`${file} is not a file`))
  const { dev, ino, size, mtimeNs, ctimeNs } = stats
  return ['file', file, dev, ino, size, mtimeNs, ctimeNs].join('\n')
}

function throwNotFound(error: NodeJS.ErrnoException): never {
  throw notFoundCodes.has(error.code ?? '') ? unknownSource(error) : error
}
