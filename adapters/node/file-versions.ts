import { createHash } from 'node:crypto'
import { realpathSync, type Stats, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { SourceFolders, SourceVersion } from '../../core/image/index.js'
import { createSourceMatcher } from '../../core/image/internal.js'
import { optionError } from '../../core/option-error.js'
import { checkOptions } from '../../core/options.js'
import { readRegularFileSync } from './regular-file.js'

interface KnownFile {
  folder: string
  file: string
  /** Identifies the content without reading it. */
  state: string
  version: string | undefined
  /** In milliseconds of a monotonic clock. */
  checkedAt: number
}

/**
 * Creates a function that returns the version of an image in a folder: 16 characters of the SHA-256 of the content, so
 * all servers with the same files write the same URLs. A file is read when it is first used and after each change, and
 * is checked for changes at most once a second. Both block the thread, because URLs are written synchronously. URLs,
 * missing files, files over 50 MB and symlinks out of the folder have no version.
 *
 * @param sources The sources of `createImages`: path prefixes with their folders.
 * @throws TypeError for a prefix that matches nothing.
 * @example createImages({ sources, service: sharpService(), version: fileVersions(sources) })
 */
export function fileVersions(sources: SourceFolders): SourceVersion {
  const folders = Object.entries(checkOptions(sources, 'sources', "write fileVersions({ '/media/': './media' })"))
    .filter(([, folder]) => typeof folder === 'string')
    .map(([prefix, folder]) => ({
      prefix,
      isUnder: createSourceMatcher([prefix]),
      depth: prefix.split('/').filter(Boolean).length,
      folder: resolve(folder as string),
    }))
    .sort((a, b) => b.depth - a.depth)
  if (folders.length === 0) throw optionError('sources', "folders, such as { '/media/': './media' }", sources)
  // The map has up to 100,000 files, with some 300 bytes of memory each.
  const files = new LRUCache<string, KnownFile>({ max: 100_000 })

  const locate = (path: string) => {
    const route = path.startsWith('/') ? folders.find(({ isUnder }) => isUnder(path)) : undefined
    if (!route) return undefined
    const segments = path.split('/').filter(Boolean).slice(route.depth).map(decodeURIComponent)
    return { folder: route.folder, file: join(route.folder, ...segments) }
  }
  const find = (source: string): string | undefined => {
    const [path = ''] = source.split('?', 1)
    const entry = files.get(path)
    const checkedAt = performance.now()
    // A page with many widths of an image asks for the version once per width.
    if (entry && checkedAt - entry.checkedAt < 1_000) return entry.version
    const located = entry ?? locate(path)
    const state = located && stateOf(located.file)
    if (!state) return undefined
    const { folder, file } = located
    const version = entry?.version !== undefined && entry.state === state ? entry.version : readVersion(folder, file)
    files.set(path, { folder, file, state, version, checkedAt })
    return version
  }
  const versionOf = (source: string) => {
    try {
      return find(source)
    } catch {
      return undefined // a malformed escape, or a file that cannot be read: the service reports why
    }
  }
  const current = (source: string) => {
    const entry = files.get(source.split('?', 1)[0] as string)
    return entry && stateOf(entry.file) === entry.state ? entry.version : undefined
  }
  return Object.assign(versionOf, { current, prefixes: folders.map(({ prefix }) => prefix) })
}

function stateOf(file: string): string | undefined {
  const stats: Stats | undefined = statSync(file, { throwIfNoEntry: false })
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join()
}

/** Returns the version of a file whose real path is inside the real path of the folder. */
function readVersion(folder: string, file: string): string | undefined {
  const root = realpathSync(folder)
  const real = realpathSync(file)
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
  const bytes = readRegularFileSync(real, 50_000_000)
  return bytes && createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}
