import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { sep } from 'node:path'
import { LRUCache } from 'lru-cache'

// Milliseconds for which a file counts as unchanged, so that a page with many images asks for each once.
const checkInterval = 1_000
// The default of the embedded service for originals. Anybody can name a film that is in the folder, too.
const maxFileBytes = 50_000_000
// Milliseconds. What strangers can have read goes into a second, and then into a twentieth of the time.
const maxReadingTime = 1_000
const readingShare = 1 / 20
// Opening a pipe would wait for its writer, and a file may be swapped for a link. Windows has neither flag.
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

interface Checked {
  /** `undefined` when it could not be read. */
  digest: string | undefined
  /** Identifies the content without reading it. */
  state: string
  /** Milliseconds of the clock. */
  checkedAt: number
}

/** Returns 16 characters of the SHA-256 of a file in a folder. */
export interface FileDigests {
  /** `undefined` for what is none, is over 50 MB, or is led to by a symlink outside of the folder. */
  (folder: string, file: string): string | undefined
  /** The same for a file that a stranger has named: `undefined`, too, when too many that were not read yet were named lately. */
  requested(folder: string, file: string): string | undefined
  /** Of a file that has not changed since it was read. It reads none. */
  unchanged(file: string): string | undefined
}

/**
 * Creates a function that returns the digests of files. Of files that change, as one that is being written does all the
 * time, and of those beyond `maxFiles`, few are read at a time, and the others have no digest meanwhile.
 *
 * @param maxFiles Files that are remembered.
 * @param clock Milliseconds of a monotonic clock.
 */
export function createFileDigests(maxFiles: number, clock: () => number = () => performance.now()): FileDigests {
  const files = new LRUCache<string, Checked>({ max: maxFiles })
  let readingTime = maxReadingTime // that is left
  let leftAt = clock()

  const hasReadingTime = (now: number): boolean => {
    readingTime = Math.min(maxReadingTime, readingTime + (now - leftAt) * readingShare)
    leftAt = now
    return readingTime > 0
  }

  const find = (folder: string, file: string, isRequested: boolean): string | undefined => {
    const known = files.get(file)
    const now = clock()
    if (known && now - known.checkedAt < checkInterval) return known.digest
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > maxFileBytes) return undefined
    const state = stateOf(stats)
    if (known?.digest !== undefined && known.state === state) {
      known.checkedAt = now
      return known.digest
    }
    const isLimited = known !== undefined || isRequested || files.size >= maxFiles
    if (isLimited && !hasReadingTime(now)) return undefined
    const digest = readDigest(folder, file)
    const checkedAt = clock()
    if (isLimited) readingTime -= checkedAt - now
    files.set(file, { digest, state, checkedAt })
    return digest
  }
  const unchanged = (file: string): string | undefined => {
    const known = files.get(file)
    const stats = known && statSync(file, { throwIfNoEntry: false })
    return stats && stateOf(stats) === known?.state ? known.digest : undefined
  }
  return Object.assign((folder: string, file: string) => find(folder, file, false), {
    requested: (folder: string, file: string) => find(folder, file, true),
    unchanged,
  })
}

function stateOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join()
}

function readDigest(folder: string, file: string): string | undefined {
  try {
    return digestInside(folder, file)
  } catch {
    return undefined // the service says why
  }
}

/** Returns the digest of a file whose real path is inside the real path of the folder, read as far as it was when it was opened. */
function digestInside(folder: string, file: string): string | undefined {
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
