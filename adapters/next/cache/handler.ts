import type { Stamp } from '../../../core/cache/index.js'
import {
  atLeast,
  checkBoolean,
  checkKnownOptions,
  checkString,
  integer,
  type OptionChecks,
} from '../../../core/options.js'
import { recordBuildStamp } from './build-stamp.js'
import { type CachedValue, createEntry, isNewer, readEntry } from './entry.js'
import { isBuilding, isNextDev, readBuildId, readsCacheControl } from './next-build.js'
import { createNotFoundLimit, isNotFound, type NotFoundOptions } from './not-found.js'
import { type NextCacheOptions, nextCacheChecks, now, resolveOptions } from './options.js'
import { type CacheHandlerContext, openPrerendered, type PrerenderedPages } from './prerendered.js'
import { createRevalidateTags, type Durations } from './purge.js'
import { createStaleData } from './stale-data.js'
import {
  type CacheHandlerValue,
  type IncrementalCacheValue,
  type NextCacheControl,
  readTags,
  type StoredNextValue,
  toHandlerValue,
} from './value.js'

export interface CacheHandlerOptions extends NextCacheOptions, NotFoundOptions {
  /**
   * Id of the build, part of all keys: no entry is shared with another build. Default: the `BUILD_ID` that `next build`
   * wrote.
   */
  buildId?: string | undefined
  /** Whether pages that `next build` prerendered are served until they are purged or due. Default `true`. */
  prerendered?: boolean | undefined
}

/** A handler of `cacheHandler` in `next.config`. Next.js creates one or more for each request. */
export interface CacheHandler {
  get(
    key: string,
    context?: { kind?: string; tags?: readonly string[]; softTags?: readonly string[]; fetchUrl?: string },
  ): Promise<CacheHandlerValue | null>
  set(
    key: string,
    value: IncrementalCacheValue,
    context?: { tags?: readonly string[]; cacheControl?: NextCacheControl },
  ): Promise<void>
  revalidateTag(tags: string | readonly string[], durations?: Durations): Promise<void>
  resetRequestCache(): void
}

/** The class that the module of `cacheHandler` exports. */
export type CacheHandlerClass = new (context?: CacheHandlerContext) => CacheHandler

const checks: OptionChecks<CacheHandlerOptions> = {
  ...nextCacheChecks,
  negativeTtl: atLeast(0),
  maxNegativeEntries: integer(),
  buildId: checkString,
  prerendered: checkBoolean,
}

/**
 * Creates the `cacheHandler` of Next.js 15 and 16 on a store and a tag index that all instances share. It caches pages,
 * routes, `fetch`, `unstable_cache` and, with `images.customCacheHandler`, images. `revalidateTag`, `updateTag` and
 * `revalidatePath` on one instance reach all of them. A render whose tags are purged meanwhile is not stored.
 *
 * - With a profile of a year or more, such as `max`, a purge is soft: the old page is served once more while the new one
 *   renders (Next.js 16.4 and later; older versions cannot serve it, so readers wait). Every other purge is hard: readers
 *   wait.
 * - While store or tag index are down, pages are rendered for each request, nothing is stored, and `revalidateTag` rejects.
 *   Next.js has responded by then; `createRevalidateRoute({ tagIndex })` purges first, and answers 503.
 * - `next build` asks the tag index once, before it renders, and stores nothing. A page of the App Router that it
 *   prerendered is served, and stored, on its first request, unless one of its tags was purged since or its revalidation is
 *   due. When the build cannot reach the tag index, nobody knows what was purged since: its pages are rendered again.
 * - A page that says "not found" is kept for a minute at most (`negativeTtl`).
 * - Next.js lets requests for one page wait for the same render, even if a purge comes between them. A request that joins
 *   an earlier render gets the page of that render; later requests do not.
 *
 * @throws TypeError that names the option when one is missing or malformed.
 * @example
 * // cache-handler.js
 * const client = createClient({ url: process.env.REDIS_URL })
 * client.on('error', (error) => console.error('Redis', error.message))
 * // Not awaited: while Redis is down, pages are rendered. `next build` may do without.
 * if (process.env.REDIS_URL) client.connect().catch(() => {})
 * export default createCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 *
 * // next.config.ts
 * export default {
 *   cacheHandler: fileURLToPath(new URL('./cache-handler.js', import.meta.url)),
 *   cacheMaxMemorySize: 0, // no in-memory cache of each process for 'use cache'
 * }
 */
export function createCacheHandler(options: CacheHandlerOptions): CacheHandlerClass {
  const settings = resolveOptions(
    checkKnownOptions(
      options,
      checks,
      'createCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })',
    ),
  )
  const { store, tagIndex, index, log } = settings
  const revalidateTags = createRevalidateTags(settings)
  const notFound = createNotFoundLimit(options)
  let { buildId } = options
  let canBeStale: boolean | undefined
  let prerendered: PrerenderedPages | undefined
  // Until the first handler has recorded the build's stamp, or opened its pages.
  let usesPrerendered = options.prerendered ?? true

  const staleData = createStaleData(now)

  return class implements CacheHandler {
    // The first stamp of this request, and so from before anything is rendered.
    #renderStamp: Promise<Stamp | undefined> | undefined
    #began = now()

    constructor(site: CacheHandlerContext = {}) {
      const { serverDistDir, dev } = site
      if (isBuilding()) {
        if (usesPrerendered && serverDistDir) recordBuildStamp(serverDistDir, tagIndex).catch(() => {})
        usesPrerendered = false
        return
      }
      buildId ??= isNextDev(dev) ? 'development' : serverDistDir && readBuildId(serverDistDir, log)
      canBeStale ??= readsCacheControl(serverDistDir)
      if (usesPrerendered && serverDistDir && !isNextDev(dev)) prerendered = openPrerendered(site, log)
      usesPrerendered = false
    }

    async get(key: string, context: Parameters<CacheHandler['get']>[1] = {}) {
      if (isBuilding()) return null
      // Not in the constructor: the bundle of `proxy.ts` creates handlers that know no build, and asks them nothing.
      buildId ??= readBuildId(undefined, log)
      if (!buildId) return null
      const { kind, tags = [], softTags = [], fetchUrl } = context
      const stamp = Promise.resolve(index.stamp())
      // All images share one handler. They have no tags, so only the epoch matters.
      if (kind === 'IMAGE') this.#renderStamp = stamp
      this.#renderStamp ??= stamp
      const [current, hit] = await Promise.all([stamp, store.get(storeKey(buildId, key))])
      const cached = hit
        ? await readEntry(index, current, hit, [...tags, ...softTags])
        : await this.#readPrerendered(key, current, context)
      if (cached && cached.age >= notFound.ttl && isNotFound((cached.value as StoredNextValue).value)) return null
      const value = cached ? toHandlerValue(cached, canBeStale === true) : null
      const isStale = value && cached?.purge === 'soft' && fetchUrl?.startsWith('unstable_cache ')
      if (isStale) staleData.add(key, this, softTags)
      else if (kind === 'FETCH') staleData.delete(key)
      return value
    }

    async set(key: string, value: IncrementalCacheValue, context: Parameters<CacheHandler['set']>[2] = {}) {
      const tags = readTags(value, context.tags)
      const isData = value?.kind === 'FETCH'
      if (isData) staleData.delete(key)
      const stamp = await this.#renderStamp
      if (isBuilding() || !buildId || !stamp) return
      if (!isData && staleData.wasRead({ reader: this, since: this.#began, tags })) return
      const purge = await index.purgedSince(stamp, tags)
      if (purge === 'hard') return
      const name = storeKey(buildId, key)
      // While one soft purge comes after the other, it is still the newest page, unless another was rendered after the purge.
      if (purge === 'soft' && isNewer(await store.get(name), stamp)) return
      const isMissing = isNotFound(value)
      const cacheControl = isMissing ? notFound.shorten(context.cacheControl) : context.cacheControl
      const stored: StoredNextValue = { value, cacheControl }
      const isStored =
        (!isMissing || notFound.allow()) &&
        (await store.set(name, createEntry(stored, { stamp, tags, ttl: cacheControl?.expire })))
      // Next.js would serve what it was to replace once more, again and again.
      if (!isStored) await store.delete(name)
    }

    /** Of what the build made, only what nothing has made old: a newer page may have been stored, and evicted since. */
    async #readPrerendered(key: string, current: Stamp | undefined, context: object): Promise<CachedValue | undefined> {
      const entry = current && (await prerendered?.read(key, context))
      const cached = entry && (await readEntry(index, current, { entry, age: 0 }, []))
      if (!entry || cached?.purge !== 'none') return undefined
      await store.set(storeKey(buildId as string, key), entry)
      return cached
    }

    async revalidateTag(tags: string | readonly string[], durations?: Durations) {
      await revalidateTags(typeof tags === 'string' ? [tags] : tags, durations)
    }

    resetRequestCache() {}
  }
}

const storeKey = (buildId: string, key: string) => `next:${buildId}:${key}`
