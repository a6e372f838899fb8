import type { BigIntStats } from 'node:fs'
import { constants, type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ImageFailure, RefusedSource, unknownSource } from '../failure.js'
import type { Original, Place } from './original-source.js'

// Not there, or not a thing that can be read.
const absentCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO', 'EINVAL'])

export interface FileSourceOptions {
  /** Absolute path of the folder that nothing may leave. */
  folder: string
  /** Largest file, in bytes. */
  maxBytes: number
}

/**
 * Creates the source of a folder: regular files only, and only those whose real path lies within the folder's real
 * path, so that neither `..` nor a symlink leads out.
 *
 * @example createFileSource({ folder: '/srv/media', maxBytes: 50_000_000 })('cats/tom.jpg')
 */
export function createFileSource({ folder, maxBytes }: FileSourceOptions): (path: string) => Place {
  return (path) => {
    const file = join(folder, path)
    return {
      kind: 'file',
      freshFor: Number.POSITIVE_INFINITY,
      version: async () => versionOf(file, await stat(file, { bigint: true }).catch(throwAbsent)),
      read: () => readOriginal(folder, file, maxBytes),
    }
  }
}

async function readOriginal(folder: string, file: string, maxBytes: number): Promise<Original> {
  // A pipe without a writer would hold up the open for ever.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(throwAbsent)
  try {
    const before = await handle.stat({ bigint: true })
    const version = versionOf(file, before)
    await checkInside(folder, file, before)
    if (before.size > maxBytes) throw new ImageFailure(422, `The original is larger than ${maxBytes} bytes`)
    const bytes = await readBytes(handle, Number(before.size))
    const after = versionOf(file, await handle.stat({ bigint: true }))
    return { bytes, version: after === version ? version : undefined }
  } finally {
    await handle.close()
  }
}

/** Whether what was opened is what lies within the folder: asked after the open, so that nothing can be swapped. */
async function checkInside(folder: string, file: string, opened: BigIntStats): Promise<void> {
  const [root, real] = await Promise.all([realpath(folder), realpath(file)]).catch(throwAbsent)
  const { dev, ino } = await stat(real, { bigint: true }).catch(throwAbsent)
  const isInside = real.startsWith(root.endsWith(sep) ? root : root + sep)
  if (!isInside || dev !== opened.dev || ino !== opened.ino) throw new RefusedSource(`${file} leads to ${real}`)
}

async function readBytes(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, length)
    if (bytesRead === 0) break // it shrank
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function versionOf(file: string, stats: BigIntStats): string {
  if (!stats.isFile()) throw unknownSource(new Error(`${file} is no file`))
  const { dev, ino, size, mtimeNs, ctimeNs } = stats
  return ['file', file, dev, ino, size, mtimeNs, ctimeNs].join('\n')
}

function throwAbsent(error: NodeJS.ErrnoException): never {
  throw absentCodes.has(error.code ?? '') ? unknownSource(error) : error
}
