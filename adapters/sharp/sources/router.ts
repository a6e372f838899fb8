import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSourceMatcher } from '../../../core/image/index.js'
import { createFileSource } from './file.js'
import type { Place } from './original-source.js'
import { createRemoteSource, type RemoteSourceOptions } from './remote.js'

/** A path prefix and its folder, or a URL prefix and `true`. */
export type ServiceSources = Readonly<Record<string, string | true>>

export interface SourceRouterOptions extends Omit<RemoteSourceOptions, 'isAllowed'> {
  sources: ServiceSources
}

/** Where the original of a source is; `undefined` when it is under none of the prefixes. */
export type SourceRouter = (source: string) => Place | undefined

const siteOrigin = 'http://site.invalid'

/**
 * Creates the function that finds the original of a source. Where prefixes overlap, the longest decides. `local://`
 * in front of a path changes nothing, and a query says nothing about a file.
 *
 * @throws TypeError for a prefix that matches nothing, a folder that is none, or the two mixed up.
 * @example createSourceRouter({ sources: { '/media/': './public/media' }, … })('local:///media/cat.jpg')
 */
export function createSourceRouter({ sources, ...options }: SourceRouterOptions): SourceRouter {
  const isAllowed = createSourceMatcher(Object.keys(sources))
  const folders = Object.entries(sources)
    .filter(([prefix, target]) => checkSource(prefix, target) === 'folder')
    .map(([prefix, folder]) => createFolderRoute(prefix, folder as string, options.maxBytes))
    .sort((a, b) => b.base.length - a.base.length)
  const remotePrefixes = Object.keys(sources).filter((prefix) => sources[prefix] === true)
  const isRemote = remotePrefixes.length > 0 ? createSourceMatcher(remotePrefixes) : () => false
  const atRemote = createRemoteSource({ ...options, isAllowed: isRemote })

  return (given) => {
    const source = given.replace(/^local:\/\/(?=\/)/i, '')
    if (!isAllowed(source)) return undefined
    if (!source.startsWith('/')) return atRemote(new URL(source).href)
    return folders.find(({ isUnder }) => isUnder(source))?.locate(source)
  }
}

function createFolderRoute(prefix: string, folder: string, maxBytes: number) {
  const base = `${new URL(siteOrigin + prefix).pathname.replace(/\/$/, '')}/`
  const at = createFileSource({ folder: resolve(folder), maxBytes })
  return {
    base,
    isUnder: createSourceMatcher([prefix]),
    // Decoded once; the matcher has made sure that nothing but a file name comes out of a segment.
    locate: (source: string) => at(decodeURIComponent(new URL(siteOrigin + source).pathname.slice(base.length))),
  }
}

function checkSource(prefix: string, target: string | true): 'folder' | 'remote' {
  const isPath = prefix.startsWith('/')
  if (!isPath && !/^https?:\/\//i.test(prefix)) {
    throw new TypeError(`sources: '${prefix}' is neither a path such as '/media/' nor an http(s) URL`)
  }
  if (isPath && (typeof target !== 'string' || target === '')) {
    throw new TypeError(`sources: '${prefix}' is a path, so it needs its folder, such as './public/media'`)
  }
  if (!isPath && target !== true) {
    throw new TypeError(`sources: '${prefix}' is a URL, so it needs true; a folder belongs to a path such as '/media/'`)
  }
  if (isPath && !statSync(target as string, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TypeError(`sources: '${target}' for '${prefix}' is no folder; looked for ${resolve(target as string)}`)
  }
  return isPath ? 'folder' : 'remote'
}
