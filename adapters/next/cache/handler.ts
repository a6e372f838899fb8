import type { Stamp } from '../../../core/cache/index.js'
import { isNextBuild } from '../../../core/development.js'
import { atLeast, checkString, type OptionChecks } from '../../../core/options.js'
import { openPrerendered, readBuildId, readsCacheControl, recordBuildStamp } from './build.js'
import { createEntry, isNewer, readEntry } from './entry.js'
import { isNextDev, type NextCacheOptions, nextCacheChecks, resolveOptions } from './options.js'
import {
  type CacheHandlerValue,
  type IncrementalCacheValue,
  isNotFound,
  type NextCacheControl,
  readTags,
  shorten,
  toHandlerValue,
} from './page.js'
import { type Durations, purgeTags, toPurgeMode } from './purge.js'

export interface CacheHandlerOptions extends NextCacheOptions {
  /**
   * Maximum lifetime of a page that says "not found" (404 or 410), in seconds; 0: it is not stored. Clients can make up
   * URLs, and Next.js gives each such page the lifetime of its route, often a year. Default 60.
   */
  negativeTtl?: number | undefined
  /**
   * Id of the build, part of all keys: no entry is shared with another build. Default: the `BUILD_ID` that `next build`
   * wrote.
   */
  buildId?: string | undefined
}

/** The part of the arguments that Next.js passes to each handler which is used here. */
export interface CacheHandlerContext {
  serverDistDir?: string
  dev?: boolean
}

/** A handler of `cacheHandler` in `next.config`. Next.js creates one or more for each request. */
export interface CacheHandler {
  get(
    key: string,
    context?: { kind?: string; tags?: readonly string[]; softTags?: readonly string[]; isFallback?: boolean },
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

const checks = {
  ...nextCacheChecks,
  negativeTtl: atLeast(0),
  buildId: checkString,
} satisfies OptionChecks<CacheHandlerOptions>

/**
 * Creates the `cacheHandler` of Next.js 15 and 16 on a store and a tag index that all instances share. It caches pages,
 * routes, `fetch`, `unstable_cache` and, with `images.customCacheHandler`, images. `revalidateTag`, `updateTag` and
 * `revalidatePath` on one instance reach all of them. A page is not stored when its tags were purged during its render.
 *
 * - With a profile of a year or more, such as `max`, a purge is soft: the old page is served once more while the new one
 *   renders (Next.js 16.4 and later; older versions cannot serve it, so readers wait). Every other purge is hard: readers
 *   wait. Data of `fetch` and `unstable_cache` is read anew after both.
 * - While store or tag index are down, pages are rendered for each request, nothing is stored, and `revalidateTag` rejects.
 *   Next.js has responded by then; `createRevalidateRoute({ tagIndex })` purges first, and answers 503.
 * - `next build` asks the tag index once, before it renders, and stores nothing. A page of the App Router that it
 *   prerendered is served, and stored, on its first request, unless one of its tags was purged since or its revalidation is
 *   due. When the build cannot reach the tag index, its pages are rendered again.
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
  const settings = resolveOptions(options, checks, 'createCacheHandler')
  const { store, tagIndex, index, log, negativeTtl = 60 } = settings
  let build: ReturnType<typeof openBuild> | undefined

  const openBuild = ({ serverDistDir, dev }: CacheHandlerContext) => {
    if (isNextBuild()) {
      if (serverDistDir) recordBuildStamp(serverDistDir, tagIndex).catch(() => {})
      return { canBeStale: false } // without an id, so nothing is stored
    }
    const isDev = isNextDev(dev)
    return {
      id: options.buildId ?? (isDev ? 'development' : readBuildId(serverDistDir ?? '', log)),
      canBeStale: readsCacheControl(serverDistDir ?? process.cwd()),
      readPrerendered: serverDistDir && !isDev ? openPrerendered(serverDistDir, log) : undefined,
    }
  }

  return class implements CacheHandler {
    // The first stamp of this request, and so from before anything is rendered.
    #renderStamp: Promise<Stamp | undefined> | undefined

    constructor(context: CacheHandlerContext = {}) {
      if (context.serverDistDir) build ??= openBuild(context)
    }

    async get(key: string, context: Parameters<CacheHandler['get']>[1] = {}) {
      // The handlers of `proxy.ts` know no folder of a build, and are asked nothing.
      build ??= openBuild({})
      if (!build.id) return null
      const { tags = [], softTags = [] } = context
      const stamp = Promise.resolve(index.stamp())
      // All images share one handler. They have no tags, so only the epoch matters.
      if (context.kind === 'IMAGE') this.#renderStamp = stamp
      this.#renderStamp ??= stamp
      const name = storeKey(build.id, key)
      const [current, hit] = await Promise.all([stamp, store.get(name)])
      const cached = await readEntry(index, current, hit, [...tags, ...softTags])
      if (hit || !current) return cached ? toHandlerValue(cached, build.canBeStale) : null

      const entry = await build.readPrerendered?.(key, context)
      const prerendered = entry && (await readEntry(index, current, { entry, age: 0 }, []))
      // After a soft purge, too, a newer page may have been stored, and evicted since.
      if (!entry || prerendered?.purge !== 'none') return null
      await store.set(name, entry)
      return toHandlerValue(prerendered, build.canBeStale)
    }

    async set(key: string, value: IncrementalCacheValue, context: Parameters<CacheHandler['set']>[2] = {}) {
      const stamp = await this.#renderStamp
      if (!build?.id || !stamp) return
      const tags = readTags(value, context.tags)
      const purge = await index.purgedSince(stamp, tags)
      if (purge === 'hard') return
      const name = storeKey(build.id, key)
      // While one soft purge comes after the other, it is still the newest page, unless another was rendered after the purge.
      if (purge === 'soft' && isNewer(await store.get(name), stamp)) return
      const cacheControl = isNotFound(value) ? shorten(context.cacheControl, negativeTtl) : context.cacheControl
      const entry = createEntry({ value, cacheControl }, { stamp, tags, ttl: cacheControl?.expire })
      const isStored = entry.ttl > 0 && (await store.set(name, entry))
      // Next.js would serve the page that it was to replace once more, again and again.
      if (!isStored) await store.delete(name)
    }

    async revalidateTag(tags: string | readonly string[], durations?: Durations) {
      await purgeTags(settings, [tags].flat(), toPurgeMode(durations))
    }

    resetRequestCache() {}
  }
}

const storeKey = (buildId: string, key: string) => `next:${buildId}:${key}`
