import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stamp, StoredValue, TagIndex } from '../../../core/cache/index.js'
import { isStamp } from '../../../core/cache/internal.js'
import type { Log } from '../../../core/log.js'
import { describeError } from '../../../core/log.js'
import { pathTag } from '../../../core/tags.js'
import { withTimeout } from '../../../core/timeout.js'
import { createRequire } from '../../node/create-require.js'
import { createEntry } from './entry.js'
import { now } from './options.js'
import { type IncrementalCacheValue, readTags } from './page.js'

const buildIdFile = (serverDistDir: string) => join(serverDistDir, '..', 'BUILD_ID')
// `output: 'standalone'` copies this folder as it is.
const stampFile = (serverDistDir: string) => join(serverDistDir, 'app', 'sitewright-stamp.json')

/**
 * Returns the `BUILD_ID` that `next build` wrote beside the server's files; `undefined` when it cannot be read. In that
 * case nothing may be stored, because another build could then serve it.
 */
export function readBuildId(serverDistDir: string, log: Log): string | undefined {
  try {
    return readFileSync(buildIdFile(serverDistDir), 'utf8').trim() || undefined
  } catch (error) {
    log('Next.js cache: BUILD_ID cannot be read; nothing is cached', { reason: describeError(error) })
    return undefined
  }
}

/**
 * Returns whether the running Next.js reads `cacheControl` from the handler, as 16.4 and later do. Next.js does not
 * pass its version, so the version is read from the site's `next` package. If that is not found, the result is `false`.
 */
export function readsCacheControl(serverDistDir: string): boolean {
  try {
    const { version } = createRequire(join(serverDistDir, 'any.js'))('next/package.json') as { version: string }
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return major > 16 || (major === 16 && minor >= 4)
  } catch {
    return false
  }
}

/**
 * Returns the function that gives a value of the Pages Router its tags, because Next.js gives it no tags: `document`, and
 * the path of its key. A default language of `i18n` is in the key, but not in addresses, so its pages also have the
 * path without it. A value of the App Router gets no tags.
 *
 * @example openPagesTags('.next/server') // a function that gives '/en/about' the tags document, /en/about and /about
 */
export function openPagesTags(serverDistDir: string): (value: IncrementalCacheValue, key: string) => string[] {
  const locales = readDefaultLocales(serverDistDir)
  return (value, key) => {
    if (value !== null && value.kind !== 'PAGES' && value.kind !== 'REDIRECT') return []
    const { pathname } = toPathname(key)
    const [, locale = '', path = ''] = /^\/([^/]+)(.*)/s.exec(pathname) ?? []
    return ['document', pathTag(pathname), ...(locales.includes(locale) ? [pathTag(path)] : [])]
  }
}

/** Reads the default language of `i18n`, and those of its domains. */
function readDefaultLocales(serverDistDir: string): string[] {
  try {
    const { i18n } = JSON.parse(readFileSync(join(serverDistDir, '..', 'routes-manifest.json'), 'utf8'))
    return [i18n, ...(i18n?.domains ?? [])].flatMap((domain) => domain?.defaultLocale ?? [])
  } catch {
    return []
  }
}

/**
 * Writes the current stamp into the build's output folder, in the phase in which `next build` collects page data.
 * Next.js writes `BUILD_ID` after that phase and before the first render. As long as `BUILD_ID` is missing, nothing has
 * been rendered, so a purge during any render will be newer than the stamp. Retries until `BUILD_ID` exists, because
 * the tag index may still be connecting. Writes nothing if the index cannot be reached.
 */
export async function recordBuildStamp(serverDistDir: string, tagIndex: TagIndex): Promise<void> {
  const isCollecting = () => !existsSync(buildIdFile(serverDistDir)) && !existsSync(stampFile(serverDistDir))
  while (isCollecting()) {
    // A long timeout, because the build's processes are busy with loading modules.
    const stamp = await withTimeout(10_000, (async () => tagIndex.stamp())()).catch(() => undefined)
    if (isStamp(stamp) && isCollecting()) writeFileSync(stampFile(serverDistDir), JSON.stringify(stamp))
    else await sleep(100, undefined, { ref: false })
  }
}

/**
 * Returns a page that `next build` prerendered, as a store entry; `undefined` for a page that it did not prerender, or
 * that is due for revalidation.
 */
export type ReadPrerendered = (
  key: string,
  context: { kind?: string; isFallback?: boolean },
) => Promise<StoredValue | undefined>

/**
 * Opens the App Router pages and routes that `next build` prerendered. Returns `undefined` when the files of the build
 * cannot be read, or when it recorded no stamp, because later purges are then unknown. The log shows the reason.
 */
export function openPrerendered(serverDistDir: string, log: Log): ReadPrerendered | undefined {
  if (!existsSync(join(serverDistDir, 'app'))) return undefined // a site with the Pages Router alone
  let stamp: Stamp
  let routes: Record<string, { initialRevalidateSeconds?: number | false; initialExpireSeconds?: number }>
  try {
    stamp = JSON.parse(readFileSync(stampFile(serverDistDir), 'utf8'))
    routes = JSON.parse(readFileSync(join(serverDistDir, '..', 'prerender-manifest.json'), 'utf8')).routes
  } catch (error) {
    const isRecorded = existsSync(stampFile(serverDistDir))
    const reason = isRecorded ? describeError(error) : '`next build` could not reach the tag index'
    log('Next.js cache: pages of the build are rendered again', { reason })
    return undefined
  }
  return async (key, { kind, isFallback }) => {
    const { page, pathname } = toPathname(key)
    const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined
    // Skip the Pages Router: `res.revalidate` purges no tag, so nothing shows whether a page has been revalidated since.
    if (!route || isFallback || (kind !== 'APP_PAGE' && kind !== 'APP_ROUTE')) return undefined
    const prerendered = await readPage(join(serverDistDir, 'app', page), key, kind).catch(() => undefined)
    if (!prerendered) return undefined
    const { value, age } = prerendered
    const { initialRevalidateSeconds: revalidate = false, initialExpireSeconds: expire } = route
    // When a page is due for revalidation, a newer page with other tags may already have been stored and evicted.
    if (revalidate !== false && age >= revalidate) return undefined
    const stored = { value, cacheControl: { revalidate, expire } }
    return createEntry(stored, { stamp, tags: readTags(value), age, ttl: expire })
  }
}

/**
 * Reads the files of a page or route, like `FileSystemCache` in Next.js. If a Next.js version writes other files, the
 * promise rejects, and the page is rendered again.
 */
async function readPage(file: string, key: string, kind: 'APP_PAGE' | 'APP_ROUTE') {
  const { mtimeMs } = await stat(`${file}.meta`)
  const meta = JSON.parse(await readFile(`${file}.meta`, 'utf8'))
  const { headers, status, postponed, segmentPaths, routeCache } = meta
  if (routeCache && routeCache.key !== key) return undefined
  const age = Math.max(0, now() - mtimeMs) / 1000
  if (kind === 'APP_ROUTE') return { age, value: { kind, body: await readFile(`${file}.body`), headers, status } }
  const html = await readFile(`${file}.html`, 'utf8')
  // A partially prerendered page has no `.rsc` file.
  const rscData = postponed === undefined ? await readFile(`${file}.rsc`) : undefined
  const readSegment = async (path: string) => [path, await readFile(`${file}.segments${path}.segment.rsc`)] as const
  const segmentData = segmentPaths && new Map(await Promise.all((segmentPaths as string[]).map(readSegment)))
  return { age, value: { kind, html, rscData, postponed, headers, status, segmentData } }
}

/**
 * Returns the page and pathname of a key. Newer versions of Next.js prefix the key with the route.
 *
 * @example toPathname('/route-cache/APP_PAGE/8be5c7fd/$/about') // { page: '/about', pathname: '/about' }
 * @example toPathname('/index') // { page: '/index', pathname: '/' }
 */
export function toPathname(key: string): { page: string; pathname: string } {
  const page = key.startsWith('/route-cache/') ? key.slice(key.indexOf('/$/') + 2) : key
  return { page, pathname: page.replace(/^\/index(?=\/|$)/, '') || '/' }
}
