import { join, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { SourceFolders, SourceVersion } from '../../core/image/index.js'
import { createSourceMatcher } from '../../core/image/internal.js'
import { checkOptions } from '../../core/options.js'
import { optionError } from '../../core/option-error.js'
import { createFileDigests } from './file-digests.js'

// Some 250 bytes each.
const maxFiles = 100_000
const maxSources = 10_000

/**
 * Creates a function that returns the version of the images in folders: 16 characters of the SHA-256 of the content, so all
 * servers with the same files write the same URLs. A file is read when it is first named and after it has changed, and looked at
 * once a second at most; both block, since URLs are written synchronously. URLs, missing files, files over 50 MB and those that
 * a symlink leads to outside of the folder have no version. So that nobody keeps the server reading, a twentieth of the time, after a
 * second of it, goes into files that have changed, that requests name before a page did, and of more than 100,000 those that
 * were not asked for lately: they have none meanwhile.
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
  if (folders.length === 0) {
    throw optionError('sources', "one or more folders, such as { '/media/': './media' }", sources)
  }
  const digestOf = createFileDigests(maxFiles)

  const locate = (source: string): Located | undefined => {
    const route = source.startsWith('/') ? folders.find(({ isUnder }) => isUnder(source)) : undefined
    if (!route) return undefined
    const [path = ''] = source.split('?', 1)
    const segments = path.split('/').filter(Boolean).slice(route.depth).map(decodeURIComponent)
    return { folder: route.folder, file: join(route.folder, ...segments) }
  }
  // Each width of an image asks again.
  const located = new LRUCache<string, Located>({ max: maxSources })

  const find = (source: string, digest: (found: Located) => string | undefined): string | undefined => {
    try {
      const found = located.get(source) ?? locate(source)
      if (!found) return undefined
      located.set(source, found)
      return digest(found)
    } catch {
      return undefined // a malformed escape, or a file that cannot be read: the service says why
    }
  }
  const versionOf = (source: string) => find(source, ({ folder, file }) => digestOf(folder, file))
  return Object.assign(versionOf, {
    requested: (source: string) => find(source, ({ folder, file }) => digestOf.requested(folder, file)),
    current: (source: string) => find(source, ({ file }) => digestOf.unchanged(file)),
    prefixes: folders.map(({ prefix }) => prefix),
  })
}

interface Located {
  folder: string
  file: string
}
