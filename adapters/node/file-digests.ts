import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { sep } from 'node:path'
import { LRUCache } from 'lru-cache'

// Milliseconds for which a file counts as unchanged, so that a page with many images asks for each once.
const checkInterval = 1_000
// The default of the embedded service for originals. Anybody can name a film that is in the folder, too.
const maxFileBytes = 50_000_000
// Anybody can name more files than are remembered, again and again: of the time, a twentieth at most goes into reading those.
const pausePerReading = 20
// Opening a pipe would wait for its writer, and a file may be swapped for a link. Windows has neither flag.
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

interface Checked {
  digest: string
  /** Identifies the content without reading it. */
  state: string
  /** Milliseconds of the clock. */
  checkedAt: number
}

/**
 * Creates a function that returns 16 characters of the SHA-256 of a file in a folder; `undefined` for what is none, is over
 * 50 MB, or is led to by a symlink outside of the folder.
 *
 * @param maxFiles Files that are remembered. Beyond it, few are read at a time, and the others have no digest.
 * @param clock Milliseconds of a monotonic clock.
 */
export function createFileDigests(maxFiles: number, clock: () => number = () => performance.now()) {
  const files = new LRUCache<string, Checked>({ max: maxFiles })
  let pausedUntil = 0

  const read = (folder: string, file: string, isNew: boolean): string | undefined => {
    if (!isNew || files.size < maxFiles) return readDigest(folder, file)
    const start = clock()
    if (start < pausedUntil) return undefined
    const digest = readDigest(folder, file)
    pausedUntil = clock() + pausePerReading * (clock() - start)
    return digest
  }

  const digestOf = (folder: string, file: string): string | undefined => {
    const known = files.get(file)
    const now = clock()
    if (known && now - known.checkedAt < checkInterval) return known.digest
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > maxFileBytes) return undefined
    const state = stateOf(stats)
    const digest = known?.state === state ? known.digest : read(folder, file, known === undefined)
    if (digest === undefined) return undefined
    files.set(file, { digest, state, checkedAt: now })
    return digest
  }
  /** Of a file that has not changed since it was read. It reads none: one that is being written changes all the time. */
  const unchanged = (file: string): string | undefined => {
    const known = files.get(file)
    const stats = known && statSync(file, { throwIfNoEntry: false })
    return stats && stateOf(stats) === known?.state ? known.digest : undefined
  }
  return Object.assign(digestOf, { unchanged })
}

function stateOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join()
}

/** Returns the digest of a file whose real path is inside the real path of the folder, read as far as it was when it was opened. */
function readDigest(folder: string, file: string): string | undefined {
  const root = realpathSync(folder)
  const real = realpathSync(file)
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
  const descriptor = openSync(real, openFlags)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > maxFileBytes) return undefined
    const bytes = Buffer.allocUnsafeSlow(stats.size)
    let length = 0
    for (let read = -1; read !== 0 && length < stats.size; length += read) {
      read = readSync(descriptor, bytes, length, stats.size - length, length)
    }
    return createHash('sha256').update(bytes.subarray(0, length)).digest('base64url').slice(0, 16)
  } finally {
    closeSync(descriptor)
  }
}
