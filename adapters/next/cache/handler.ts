import type { Stamp } from '../../../core/cache/index.js'
import { createEntry, readEntry } from './entry.js'
import { isBuilding, readBuildId, readsCacheControl } from './next-build.js'
import { type NextCacheOptions, resolveOptions } from './options.js'
import { createRevalidateTags, type Durations } from './purge.js'
import {
  type CacheHandlerValue,
  type IncrementalCacheValue,
  type NextCacheControl,
  readTags,
  type StoredNextValue,
  toHandlerValue,
} from './value.js'

export interface CacheHandlerOptions extends NextCacheOptions {
  /**
   * Id of the build, part of all keys: no entry is shared with another build. Default: the `BUILD_ID` that `next build`
   * wrote.
   */
  buildId?: string | undefined
}

/** A handler of `cacheHandler` in `next.config`. Next.js creates one for each request. */
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
export type CacheHandlerClass = new (context?: { serverDistDir?: string; dev?: boolean }) => CacheHandler

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
 * - `next build` uses neither. Its pages are rendered again on their first request.
 * - Next.js lets requests for one page wait for the same render, even if a purge comes between them. A request that joins
 *   an earlier render gets the page of that render; later requests do not.
 *
 * @throws TypeError that names the option when one is missing or malformed.
 * @example
 * // cache-handler.js
 * const client = createClient({ url: process.env.REDIS_URL })
 * client.on('error', (error) => console.error('Redis', error.message))
 * // Not awaited: while Redis is down, pages are rendered. `next build` needs none.
 * if (process.env.NEXT_PHASE !== 'phase-production-build') client.connect().catch(() => {})
 * export default createCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 *
 * // next.config.ts
 * export default {
 *   cacheHandler: fileURLToPath(new URL('./cache-handler.js', import.meta.url)),
 *   cacheMaxMemorySize: 0, // no in-memory cache of each process for 'use cache'
 * }
 */
export function createCacheHandler(options: CacheHandlerOptions): CacheHandlerClass {
  const settings = resolveOptions(options)
  const { store, index, log } = settings
  const revalidateTags = createRevalidateTags(settings)
  let { buildId } = options
  let canBeStale: boolean | undefined

  return class implements CacheHandler {
    // The first stamp of this request, and so from before anything is rendered.
    #renderStamp: Promise<Stamp | undefined> | undefined
    // Keys of softly purged data. When its unstable_cache function throws, Next.js renders with the old data, and the page
    // must not be stored.
    #staleData = new Set<string>()

    constructor({ serverDistDir, dev = false }: { serverDistDir?: string; dev?: boolean } = {}) {
      if (isBuilding()) return
      buildId ??= readBuildId(serverDistDir, dev, log)
      canBeStale ??= readsCacheControl(serverDistDir)
    }

    async get(key: string, { kind, tags = [], softTags = [], fetchUrl }: Parameters<CacheHandler['get']>[1] = {}) {
      if (isBuilding() || !buildId) return null
      const stamp = Promise.resolve(index.stamp())
      // All images share one handler. They have no tags, so only the epoch matters.
      if (kind === 'IMAGE') this.#renderStamp = stamp
      this.#renderStamp ??= stamp
      const [current, hit] = await Promise.all([stamp, store.get(storeKey(buildId, key))])
      const cached = await readEntry(index, current, hit, [...tags, ...softTags])
      const value = cached ? toHandlerValue(cached, canBeStale === true) : null
      if (value && cached?.purge === 'soft' && fetchUrl?.startsWith('unstable_cache ')) this.#staleData.add(key)
      return value
    }

    async set(key: string, value: IncrementalCacheValue, context: Parameters<CacheHandler['set']>[2] = {}) {
      this.#staleData.delete(key)
      const hasStaleData = value?.kind !== 'FETCH' && this.#staleData.size > 0
      const stamp = await this.#renderStamp
      if (isBuilding() || !buildId || !stamp || hasStaleData) return
      const tags = readTags(value, context.tags)
      // Purged during the render. It could replace a page that was rendered after the purge.
      if ((await index.purgedSince(stamp, tags)) !== 'none') return
      const { cacheControl } = context
      const stored: StoredNextValue = { value, cacheControl }
      await store.set(storeKey(buildId, key), createEntry(stored, { stamp, tags, ttl: cacheControl?.expire }))
    }

    async revalidateTag(tags: string | readonly string[], durations?: Durations) {
      await revalidateTags(typeof tags === 'string' ? [tags] : tags, durations)
    }

    resetRequestCache() {}
  }
}

const storeKey = (buildId: string, key: string) => `next:${buildId}:${key}`
