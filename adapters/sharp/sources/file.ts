import { type BigIntStats, statSync } from 'node:fs'
import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import { normalizeEscapes } from '../../../core/image/internal.js'
import { createLimiter } from '../../../core/limiter.js'
import { NotRegularFileError, openRegularFile, type RegularFile, readBytes } from '../../node/regular-file.js'
import { blockedSource, rejected, unknownSource } from '../failure.js'
import type { Original, OriginalSource } from './original.js'

// Errors for a path that leads nowhere: part of it is missing or not a folder, its links form a loop, or it is
// malformed.
const notFoundCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'])

/**
 * Creates a function that finds the original of a path. Where prefixes overlap, the longest one wins. A query is ignored.
 *
 * The paths are canonical names under an allowed prefix. The image proxy has checked that each segment decodes to a plain file name.
 *
 * @param folders Path prefixes with their folders.
 * @param maxBytes Maximum size of a file.
 * @example createFileSources([['/media/', './public/media']], 50_000_000)('/media/cats/tom.jpg')
 */
export function createFileSources(
  folders: readonly (readonly [prefix: string, folder: string])[],
  maxBytes: number,
): (source: string) => OriginalSource {
  const routes = folders.map(([prefix, folder]) => ({
    base: normalizeEscapes(new URL(`http://site.invalid${prefix}`).pathname, '').replace(/\/?$/, '/'),
    locate: createFileSource(resolve(folder), maxBytes),
  }))
  routes.sort((a, b) => b.base.length - a.base.length)
  return (source) => {
    const route = routes.find(({ base }) => source.startsWith(base))
    if (!route) throw unknownSource()
    const [path = ''] = source.slice(route.base.length).split('?', 1)
    return route.locate(decodeURIComponent(path))
  }
}

/**
 * Creates a function that returns originals in a folder: only regular files whose real path is inside the folder's real
 * path, so neither `..` nor a symlink leads out of it.
 *
 * @param folder Absolute path of the folder.
 * @param maxBytes Maximum size of a file.
 * @example createFileSource('/srv/media', 50_000_000)('cats/tom.jpg')
 */
export function createFileSource(folder: string, maxBytes: number): (path: string) => OriginalSource {
  // Each check opens its file, and a process may have only a few file descriptors.
  const limitOpen = createLimiter({ concurrency: 64 })
  // For a second after its check, only the stats of a file are compared: the same inode with the same times is the same
  // file (decision 24).
  const checked = new LRUCache<string, string>({ max: 1_000, ttl: 1_000 })

  const checkVersion = async (file: string): Promise<string> => {
    const { handle, stats } = await openInside(folder, file)
    await handle.close()
    const version = versionOf(file, stats)
    checked.set(file, version)
    return version
  }
  const isUnchanged = (file: string, version: string): boolean => {
    try {
      return versionOf(file, statSync(file, { bigint: true })) === version
    } catch {
      return false // the full check reports why
    }
  }
  return (path) => {
    const file = join(folder, path)
    return {
      group: folder,
      tag: undefined,
      digestTtl: Number.POSITIVE_INFINITY,
      version(signal) {
        const version = checked.get(file)
        if (version !== undefined && isUnchanged(file, version)) return version
        return limitOpen(() => checkVersion(file), signal?.())
      },
      read: () => readOriginal(folder, file, maxBytes),
    }
  }
}

async function readOriginal(folder: string, file: string, maxBytes: number): Promise<Original> {
  const { handle, stats } = await openInside(folder, file)
  try {
    if (stats.size > maxBytes) throw rejected(`is larger than ${maxBytes} bytes`)
    const version = versionOf(file, stats)
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

/**
 * Opens a regular file whose real path is inside the real path of a folder. Symlinks are resolved before the file is
 * opened, not while it is opened, and the opened file is checked again: swapping a file or a folder for a symlink in
 * between results in a 404. On Linux the kernel reports the path of an opened file. Elsewhere the path is resolved once
 * more and the inodes are compared; swapping a folder twice at that moment could still deceive this check.
 *
 * @throws ImageFailure 404 when the file does not exist or is outside the folder.
 */
async function openInside(folder: string, file: string): Promise<RegularFile> {
  const [root, real] = await Promise.all([realpath(folder), realpath(file)]).catch(throwNotFound)
  checkInside(file, root, real)
  const opened = await openRegularFile(real).catch(throwNotFound)
  const { handle, stats } = opened
  try {
    checkInside(file, root, (await pathOf(handle)) ?? (await resolveAgain(file, real, stats)))
    return opened
  } catch (error) {
    await handle.close()
    throw error
  }
}

function checkInside(file: string, root: string, real: string): void {
  const isInside = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
  if (!isInside) throw blockedSource(`${file} leads to ${real}`)
}

/** Returns the path of an opened file; `undefined` where the system does not report it, for example without `/proc`. */
async function pathOf(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  return await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
}

async function resolveAgain(file: string, real: string, opened: BigIntStats): Promise<string> {
  const { dev, ino } = await lstat(real, { bigint: true }).catch(throwNotFound)
  const again = await realpath(file).catch(throwNotFound)
  if (dev !== opened.dev || ino !== opened.ino || again !== real) throw blockedSource(`${file} was swapped`)
  return again
}

function throwNotFound(error: NodeJS.ErrnoException): never {
  throw error instanceof NotRegularFileError || notFoundCodes.has(error.code ?? '') ? unknownSource(error) : error
}
