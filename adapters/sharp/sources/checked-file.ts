import type { BigIntStats } from 'node:fs'
import * as fs from 'node:fs'
import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { promisify } from 'node:util'
import { NotRegularFileError, openRegularFile, type RegularFile } from '../../node/regular-file.js'
import { BlockedSource, unknownSource } from '../failure.js'

// A path that leads nowhere: a part of it is missing or no folder, its links form a loop, or it is malformed.
const notFoundCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'])

// Linux: a descriptor that only says which file it is, so that opening it has no effect. It has no name in Node
// (https://man7.org/linux/man-pages/man2/open.2.html; the value is the same on all architectures of Node).
const O_PATH = 0o10000000
// With plain descriptors instead of handles, this takes half the processor time. Every request for an image needs it.
const descriptors = {
  open: promisify(fs.open),
  stat: promisify(fs.fstat),
  close: promisify(fs.close),
  readlink: promisify(fs.readlink),
  realpath: promisify(fs.realpath.native),
}

/**
 * Returns what {@link openInside} says about a file, without opening it for reading where the system can do that.
 *
 * @throws ImageFailure 404 when there is no such file, or it is outside of the folder.
 */
export async function statInside(folder: string, file: string): Promise<BigIntStats> {
  return (process.platform === 'linux' && (await statByDescriptor(folder, file))) || (await statOpened(folder, file))
}

/** Returns `undefined` where the kernel does not say where an opened file is, as without `/proc`. */
async function statByDescriptor(folder: string, file: string): Promise<BigIntStats | undefined> {
  const root = descriptors.realpath(folder)
  root.catch(() => {}) // awaited below, unless there is no file
  const descriptor = await descriptors.open(file, O_PATH).catch(throwNotFound)
  try {
    const [stats, real] = await Promise.all([
      descriptors.stat(descriptor, { bigint: true }),
      descriptors.readlink(`/proc/self/fd/${descriptor}`).catch(() => undefined),
    ])
    if (real === undefined) return undefined
    checkInside(file, await root.catch(throwNotFound), real)
    if (!stats.isFile()) throw unknownSource(new Error(`${file} is not a file`))
    return stats
  } finally {
    await descriptors.close(descriptor)
  }
}

async function statOpened(folder: string, file: string): Promise<BigIntStats> {
  const { handle, stats } = await openInside(folder, file)
  await handle.close()
  return stats
}

/**
 * Opens a regular file whose real path is inside the real path of a folder. Symlinks are followed before the file is
 * opened and not while it is, and the check is of what was opened: whoever swaps a file or a folder for a symlink in
 * between gets a 404. On Linux the kernel says where an opened file is. Elsewhere its path is resolved once more and the
 * inodes are compared, which a folder that is swapped twice in that moment could still deceive.
 *
 * @throws ImageFailure 404 when there is no such file, or it is outside of the folder.
 */
export async function openInside(folder: string, file: string): Promise<RegularFile> {
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
  if (!isInside) throw new BlockedSource(`${file} leads to ${real}`)
}

/** Returns the path of an opened file; `undefined` where the system does not say, as without `/proc`. */
async function pathOf(handle: FileHandle): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  return await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
}

async function resolveAgain(file: string, real: string, opened: BigIntStats): Promise<string> {
  const { dev, ino } = await lstat(real, { bigint: true }).catch(throwNotFound)
  const again = await realpath(file).catch(throwNotFound)
  if (dev !== opened.dev || ino !== opened.ino || again !== real) throw new BlockedSource(`${file} was swapped`)
  return again
}

function throwNotFound(error: NodeJS.ErrnoException): never {
  throw error instanceof NotRegularFileError || notFoundCodes.has(error.code ?? '') ? unknownSource(error) : error
}
