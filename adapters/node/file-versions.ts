import { createHash } from 'node:crypto'
import { readFileSync, type Stats, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import { createSourceMatcher, type SourceFolders, type SourceVersion } from '../../core/image/index.js'
import { checkOptions, optionError } from '../../core/option-error.js'

// Milliseconds for which a file counts as unchanged, so that a page with many images asks for each once.
const checkInterval = 1_000
const maxFiles = 10_000

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
 * once a second at most; both block, since URLs are written synchronously. URLs and missing files have no version.
 *
 * @param sources The sources of `createImages`: path prefixes with their folders.
 * @throws TypeError for a prefix that matches nothing.
 * @example createImages({ sources, service: sharpService(), version: fileVersions(sources) })
 */
export function fileVersions(sources: SourceFolders): SourceVersion {
  const folders = Object.entries(checkOptions(sources, 'sources'))
    .filter(([, folder]) => typeof folder === 'string')
    .map(([prefix, folder]) => ({
      isUnder: createSourceMatcher([prefix]),
      depth: prefix.split('/').filter(Boolean).length,
      folder: resolve(folder as string),
    }))
    .sort((a, b) => b.depth - a.depth)
  if (folders.length === 0) {
    throw optionError('sources', "one or more folders, such as { '/media/': './media' }", sources)
  }
  const files = new LRUCache<string, Checked>({ max: maxFiles })

  const digestOf = (file: string): string | undefined => {
    const known = files.get(file)
    const now = performance.now()
    if (known && now - known.checkedAt < checkInterval) return known.digest
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats?.isFile()) return undefined
    const state = stateOf(stats)
    const digest = known?.state === state ? known.digest : readDigest(file)
    files.set(file, { digest, state, checkedAt: now })
    return digest
  }

  return (source) => {
    const route = source.startsWith('/') ? folders.find(({ isUnder }) => isUnder(source)) : undefined
    if (!route) return undefined
    const [path = ''] = source.split('?', 1)
    try {
      const segments = path.split('/').filter(Boolean).slice(route.depth).map(decodeURIComponent)
      return digestOf(join(route.folder, ...segments))
    } catch {
      return undefined // a malformed escape, or a file that cannot be read: the service says why
    }
  }
}

function stateOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join()
}

function readDigest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 16)
}
