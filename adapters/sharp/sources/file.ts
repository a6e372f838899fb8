import type { BigIntStats } from 'node:fs'
import { join } from 'node:path'
import { readBytes } from '../../node/regular-file.js'
import { originalTooLarge } from '../failure.js'
import { createLimiter } from '../pipeline/limiter.js'
import { headBytes } from '../transforms/image-type.js'
import { checkType } from '../transforms/inspect.js'
import { openInside, statInside } from './checked-file.js'
import { createCheckedVersions } from './checked-versions.js'
import type { Original, OriginalSource } from './original-source.js'

export interface FileSourceOptions {
  /** Absolute path of the folder. */
  folder: string
  /** Maximum size of a file, in bytes. */
  maxBytes: number
}

// Also requests that are answered from the cache check their original, for which it is opened; processes may have few
// descriptors.
const maxOpenForVersion = 64
// While a file system hangs, each of them takes memory.
const maxWaitingForVersion = 10_000

/**
 * Creates a function that returns originals in a folder: regular files only, and only those whose real path is inside
 * the folder's real path, so that neither `..` nor a symlink leads out of it.
 *
 * @example createFileSource({ folder: '/srv/media', maxBytes: 50_000_000 })('cats/tom.jpg')
 */
export function createFileSource({ folder, maxBytes }: FileSourceOptions): (path: string) => OriginalSource {
  const limitOpen = createLimiter({ concurrency: maxOpenForVersion, maxQueue: maxWaitingForVersion })
  const checked = createCheckedVersions()
  const checkVersion = async (file: string): Promise<string> => {
    const stats = await statInside(folder, file)
    const version = versionOf(file, stats)
    await checked.add(file, stats, version)
    return version
  }
  return (path) => {
    const file = join(folder, path)
    return {
      origin: undefined,
      group: folder,
      tag: undefined,
      digestTtl: Number.POSITIVE_INFINITY,
      version: (client) => checked.get(file) ?? limitOpen(() => checkVersion(file), client?.signal),
      read: () => readOriginal(folder, file, maxBytes),
    }
  }
}

async function readOriginal(folder: string, file: string, maxBytes: number): Promise<Original> {
  const { handle, stats } = await openInside(folder, file)
  try {
    if (stats.size > maxBytes) throw originalTooLarge(maxBytes)
    const version = versionOf(file, stats)
    // What is no image, such as a film beside the pictures, is not read whole.
    checkType(await readBytes(handle, 0, headBytes))
    const bytes = await readBytes(handle, 0, Number(stats.size))
    const after = versionOf(file, await handle.stat({ bigint: true }))
    return { bytes, version: after === version ? version : undefined }
  } finally {
    await handle.close()
  }
}

function versionOf(file: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return ['file', file, dev, ino, size, mtimeNs, ctimeNs].join('\n')
}
