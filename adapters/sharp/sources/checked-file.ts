import type { BigIntStats } from 'node:fs'
import { constants, type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { BlockedSource, unknownSource } from '../failure.js'

/** An opened file, and what the descriptor says about it. Close it. */
export interface CheckedFile {
  handle: FileHandle
  stats: BigIntStats
}

// Missing, or not a regular file.
const notFoundCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO', 'EINVAL'])
// Opening a pipe without a writer would never return. Windows has neither flag.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a regular file whose real path is inside the real path of a folder. Symlinks are followed before the file is
 * opened and not while it is, and the check is of what was opened: whoever swaps a file or a folder for a symlink in
 * between gets a 404. On Linux the kernel says where an opened file is. Elsewhere its path is resolved once more and the
 * inodes are compared, which a folder that is swapped twice in that moment could still deceive.
 *
 * @throws ImageFailure 404 when there is no such file, or it is outside of the folder.
 */
export async function openInside(folder: string, file: string): Promise<CheckedFile> {
  const [root, real] = await Promise.all([realpath(folder), realpath(file)]).catch(throwNotFound)
  checkInside(file, root, real)
  const handle = await open(real, flags).catch(throwNotFound)
  try {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) throw unknownSource(new Error(`${file} is not a file`))
    checkInside(file, root, (await pathOf(handle)) ?? (await resolveAgain(file, real, stats)))
    return { handle, stats }
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
  throw notFoundCodes.has(error.code ?? '') ? unknownSource(error) : error
}
