import { statSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { resolve } from 'node:path'
import { createSourceMatcher } from '../../../core/image/internal.js'
import { optionError } from '../../../core/option-error.js'
import type { ResolvedOptions } from '../options.js'
import { createFileSource } from './file.js'
import type { OriginalSource } from './original.js'
import { createRemoteSource } from './remote.js'

const siteOrigin = 'http://site.invalid'

/**
 * Creates a function that finds the original of a source; it returns `undefined` for a source outside of the prefixes.
 * Where prefixes overlap, the longest one wins. Paths are percent-encoded as in URLs, but literal after `local://`, as
 * in imgproxy, up to the first `?`. Queries are ignored.
 *
 * @throws TypeError for a prefix that matches nothing, a folder that does not exist, a path without a folder, or a
 *   URL with a folder.
 * @param lookup Resolves the host names of remote sources. Default: `dns.lookup`.
 * @example createSourceRouter({ sources: { '/media/': './public/media' }, … })('local:///media/cat.jpg')
 */
export function createSourceRouter(
  options: ResolvedOptions,
  lookup?: LookupFunction,
): (source: string) => OriginalSource | undefined {
  const { sources } = options
  const isAllowed = createSourceMatcher(Object.keys(sources))
  const folders = Object.entries(sources)
    .filter(([prefix, target]) => checkSource(prefix, target) === 'folder')
    .map(([prefix, folder]) => createFolderRoute(prefix, folder as string, options))
    .sort((a, b) => b.base.length - a.base.length)
  const remotePrefixes = Object.keys(sources).filter((prefix) => sources[prefix] === true)
  const isRemote = remotePrefixes.length > 0 ? createSourceMatcher(remotePrefixes) : () => false
  const locateRemote = createRemoteSource(options, isRemote, lookup)

  return (given) => {
    const literal = /^local:\/\/(\/[^?]*)/i.exec(given)?.[1]
    const source = literal === undefined ? given : literal.split('/').map(encodeURIComponent).join('/')
    if (!isAllowed(source)) return undefined
    if (!source.startsWith('/')) return locateRemote(new URL(source).href)
    return folders.find(({ isUnder }) => isUnder(source))?.locate(source)
  }
}

function createFolderRoute(prefix: string, folder: string, { maxSourceBytes, svg }: ResolvedOptions) {
  const base = `${new URL(siteOrigin + prefix).pathname.replace(/\/$/, '')}/`
  const depth = base.split('/').length - 1
  const locateFile = createFileSource(resolve(folder), maxSourceBytes, svg)
  return {
    base,
    isUnder: createSourceMatcher([prefix]),
    // Decoded only once; the matcher has checked that each segment decodes to a plain file name. The prefix is cut off
    // by its number of segments, because the source may escape them differently.
    locate: (source: string) =>
      locateFile(decodeURIComponent(new URL(siteOrigin + source).pathname.split('/').slice(depth).join('/'))),
  }
}

function checkSource(prefix: string, target: string | true): 'folder' | 'remote' {
  const option = `sources['${prefix}']`
  const isPath = prefix.startsWith('/')
  if (!isPath && !/^https?:\/\//i.test(prefix)) {
    throw optionError('sources', "a path such as '/media/' or an http(s) URL", prefix)
  }
  if (isPath && (typeof target !== 'string' || target === '')) {
    throw optionError(option, "a folder such as './public/media', since this is a path", target)
  }
  if (!isPath && target !== true) {
    throw optionError(option, 'true, since this is a URL', target, "a folder belongs to a path such as '/media/'")
  }
  if (isPath && !statSync(target as string, { throwIfNoEntry: false })?.isDirectory()) {
    throw optionError(option, 'a folder', target, `looked for ${resolve(target as string)}`)
  }
  return isPath ? 'folder' : 'remote'
}
