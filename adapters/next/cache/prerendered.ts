import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Stamp, StoredValue } from '../../../core/cache/index.js'
import { describeError, type Log } from '../../../core/log.js'
import { readBuildStamp } from './build-stamp.js'
import { createEntry } from './entry.js'
import { now } from './options.js'
import { type CacheHandlerValue, type NextCacheControl, readTags, type StoredNextValue } from './value.js'

/** What Next.js passes to each handler, as far as it matters here. */
export interface CacheHandlerContext {
  serverDistDir?: string
  dev?: boolean
}

/** The pages and routes that `next build` prerendered. */
export interface PrerenderedPages {
  /** Returns the entry that the build would have stored; `undefined` when it has none, or its revalidation is due. */
  read(key: string, context: { kind?: string }): Promise<StoredValue | undefined>
}

// The Pages Router is left out: its pages have no tags, so nothing says that one was revalidated on demand since.
const kinds = ['APP_PAGE', 'APP_ROUTE']
// Each version of Next.js names and divides the files in its own way, and this class of it knows how.
const fileSystemCache = 'next/dist/server/lib/incremental-cache/file-system-cache.js'

type FileSystemCache = new (context: object) => { get(key: string, context: object): Promise<CacheHandlerValue | null> }

interface PrerenderManifest {
  routes: Record<string, { initialRevalidateSeconds?: number | false; initialExpireSeconds?: number }>
  dynamicRoutes: Record<string, { fallbackRevalidate?: number | false; fallbackExpire?: number }>
}

/**
 * Opens what `next build` prerendered. Returns `undefined`, and logs why, when the build recorded no stamp, since then
 * nobody knows what was purged after it, or when its files cannot be read.
 */
export function openPrerendered(site: CacheHandlerContext, log: Log): PrerenderedPages | undefined {
  const { serverDistDir = '' } = site
  try {
    const stamp = readBuildStamp(serverDistDir)
    if (!stamp) throw new Error('`next build` could not reach the tag index')
    const require = createRequire(join(serverDistDir, 'any.js'))
    const { default: Files } = require(fileSystemCache) as { default: FileSystemCache }
    const files = new Files({ ...site, revalidatedTags: [], flushToDisk: false, maxMemoryCacheSize: 0 })
    const manifest = JSON.parse(readFileSync(join(serverDistDir, '..', 'prerender-manifest.json'), 'utf8'))
    return {
      async read(key, context) {
        const cacheControl = kinds.includes(context.kind ?? '')
          ? findCacheControl(manifest, toPathname(key))
          : undefined
        const found = cacheControl && (await files.get(key, context))
        return found ? toEntry({ cacheControl, ...found }, stamp) : undefined
      },
    }
  } catch (error) {
    log('Next.js cache: pages of the build are rendered again', { reason: describeError(error) })
    return undefined
  }
}

/** Past its revalidation a newer page may have been stored, with other tags, and evicted since. */
function toEntry({ value, cacheControl, lastModified }: CacheHandlerValue, stamp: Stamp): StoredValue | undefined {
  const age = Math.max(0, now() - lastModified) / 1000
  const { revalidate = false, expire } = cacheControl ?? {}
  if (revalidate !== false && age >= revalidate) return undefined
  const stored: StoredNextValue = { value, cacheControl }
  return createEntry(stored, { stamp, tags: readTags(value), age, ttl: expire })
}

/** The lifetime of a page of the build, or of the shell of a dynamic one; `undefined` when the build has no such page. */
function findCacheControl(
  { routes, dynamicRoutes }: PrerenderManifest,
  pathname: string,
): NextCacheControl | undefined {
  const page = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined
  if (page) return { revalidate: page.initialRevalidateSeconds ?? false, expire: page.initialExpireSeconds }
  const shell = Object.hasOwn(dynamicRoutes, pathname) ? dynamicRoutes[pathname] : undefined
  if (shell) return { revalidate: shell.fallbackRevalidate ?? false, expire: shell.fallbackExpire }
  return undefined
}

/**
 * Returns the pathname of a page by its key, which newer versions of Next.js prefix with the route.
 *
 * @example toPathname('/route-cache/APP_PAGE/8be5c7fd/$/about') // '/about'
 * @example toPathname('/index') // '/'
 */
export function toPathname(key: string): string {
  const pathname = key.startsWith('/route-cache/') ? key.slice(key.indexOf('/$/') + 2) : key
  if (pathname === '/index') return '/'
  return pathname.startsWith('/index/') ? pathname.slice('/index'.length) : pathname
}
