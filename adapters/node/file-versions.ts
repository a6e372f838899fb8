import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import { createSourceMatcher, type SourceFolders, type SourceVersion } from '../../core/image/index.js'
import { checkOptions, optionError } from '../../core/option-error.js'

// Milliseconds for which a file counts as unchanged, so that a page with many images asks for each once.
const checkInterval = 1_000
const maxFiles = 10_000
// The default of the embedded service for originals. Anybody can name a film that is in the folder, too.
const maxFileBytes = 50_000_000
// Opening a pipe would wait for its writer, and a file may be swapped for a link. Windows has neither flag.
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

interface Checked {
  digest: string
  /** Identifies the content without reading it. */
  state: string
  /** Milliseconds of `performance.now()`. */
  checkedAt: number
}

/**
 * Creates a function that returns the version of the images in folders: 16 characters of the SHA-256 of the content, so all
 * servers with the same files write the same URLs. A file is read when it is first named and after it has changed, and looked at
 * once a second at most; both block, since URLs are written synchronously. URLs, missing files, files over 50 MB and those that
 * a symlink leads to outside of the folder have no version.
 *
 * @param sources The sources of `createImages`: path prefixes with their folders.
 * @throws TypeError for a prefix that matches nothing.
 * @example createImages({ sources, service: sharpService(), version: fileVersions(sources) })
 */
export function fileVersions(sources: SourceFolders): SourceVersion {
  const folders = Object.entries(checkOptions(sources, 'sources'))
    .filter(([, folder]) => typeof folder === 'string')
    .map(([prefix, folder]) => ({
      prefix,
      isUnder: createSourceMatcher([prefix]),
      depth: prefix.split('/').filter(Boolean).length,
      folder: resolve(folder as string),
    }))
    .sort((a, b) => b.depth - a.depth)
  if (folders.length === 0) {
    throw optionError('sources', "one or more folders, such as { '/media/': './media' }", sources)
  }
  const files = new LRUCache<string, Checked>({ max: maxFiles })

  const digestOf = (folder: string, file: string): string | undefined => {
    const known = files.get(file)
    const now = performance.now()
    if (known && now - known.checkedAt < checkInterval) return known.digest
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > maxFileBytes) return undefined
    const state = stateOf(stats)
    const digest = known?.state === state ? known.digest : readDigest(folder, file)
    if (digest === undefined) return undefined
    files.set(file, { digest, state, checkedAt: now })
    return digest
  }

  const versionOf = (source: string): string | undefined => {
    const route = source.startsWith('/') ? folders.find(({ isUnder }) => isUnder(source)) : undefined
    if (!route) return undefined
    const [path = ''] = source.split('?', 1)
    try {
      const segments = path.split('/').filter(Boolean).slice(route.depth).map(decodeURIComponent)
      return digestOf(route.folder, join(route.folder, ...segments))
    } catch {
      return undefined // a malformed escape, or a file that cannot be read: the service says why
    }
  }
  return Object.assign(versionOf, { prefixes: folders.map(({ prefix }) => prefix) })
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
