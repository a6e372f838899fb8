import type { Stamp } from '../../../core/cache/index.js'
import { isNextBuild } from '../../../core/development.js'
import { atLeast, checkString, type OptionChecks } from '../../../core/options.js'
import { openPagesTags, openPrerendered, readBuildId, readsCacheControl, recordBuildStamp } from './build.js'
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
   * Maximum lifetime of a "not found" page (404 or 410), in seconds. With 0, it is not stored. Clients can make up
   * URLs, and Next.js gives each "not found" page the lifetime of its route, often a year. Default 60.
   */
  negativeTtl?: number | undefined
  /**
   * Id of the build. It is part of every key, so builds do not share entries. Default: the `BUILD_ID` that `next build`
   * wrote.
   */
  buildId?: string | undefined
}

/** The arguments that Next.js passes to each handler, with only the properties used here. */
export interface CacheHandlerContext {
  serverDistDir?: string
  dev?: boolean
}

/** A handler for `cacheHandler` in `next.config`. Next.js creates one or more for each request. */
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
 * Creates the `cacheHandler` for Next.js 15 and 16, with a store and a tag index that all instances share. It caches
 * pages, routes, `fetch`, `unstable_cache` and, with `images.customCacheHandler`, images. `revalidateTag`, `updateTag`
 * and `revalidatePath` on one instance reach all instances. A page is not stored when its tags were purged during its
 * render.
 *
 * - With a profile of a year or more, such as `max`, a purge is soft: the old page is served once more while the new
 *   one renders (Next.js 16.4 and later; older versions cannot serve it, so readers wait). Every other purge is hard:
 *   readers wait. Data from `fetch` and `unstable_cache` is read again after both kinds.
 * - While the store or the tag index is down, pages are rendered for each request, nothing is stored, and
 *   `revalidateTag` rejects. By then, Next.js has already responded. Use `createRevalidateRoute({ tagIndex })`, which
 *   purges before it responds, and answers 503 if the purge fails.
 * - `next build` reads the tag index once, before it renders, and stores nothing. An App Router page that it
 *   prerendered is served and stored on its first request, unless one of its tags has been purged since or the page is
 *   due for revalidation. If the build cannot reach the tag index, its pages are rendered again.
 * - Pages of the Pages Router, which Next.js gives no tags, have the tag `document` and their path. One that was not
 *   found during `next build` stays so until `res.revalidate`, because Next.js keeps a list of those.
 * - A "not found" page is kept for at most a minute (`negativeTtl`).
 * - Next.js lets requests for the same page share a render, even if a purge comes between them. A request that joins an
 *   earlier render gets that render's page; later requests do not.
 *
 * @throws TypeError that names the missing or malformed option.
 * @example
 * // cache-handler.js
 * const client = createClient({ url: process.env.REDIS_URL })
 * client.on('error', (error) => console.error('Redis', error.message))
 * // Not awaited: while Redis is down, pages are still rendered. `next build` may run without Redis.
 * if (process.env.REDIS_URL) client.connect().catch(() => {})
 * export default createCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 *
 * // next.config.ts
 * export default {
 *   cacheHandler: fileURLToPath(new URL('./cache-handler.js', import.meta.url)),
 *   cacheMaxMemorySize: 0, // no per-process in-memory cache for 'use cache'
 * }
 */
export function createCacheHandler(options: CacheHandlerOptions): CacheHandlerClass {
  const settings = resolveOptions(options, checks, 'createCacheHandler')
  const { store, tagIndex, index, log, negativeTtl = 60 } = settings
  let build: ReturnType<typeof openBuild> | undefined

  const openBuild = ({ serverDistDir, dev }: CacheHandlerContext) => {
    if (isNextBuild()) {
      if (serverDistDir) recordBuildStamp(serverDistDir, tagIndex).catch(() => {})
      return { canBeStale: false, pagesTags: () => [] } // without an id, so nothing is stored
    }
    const isDev = isNextDev(dev)
    return {
      id: options.buildId ?? (isDev ? 'development' : readBuildId(serverDistDir ?? '', log)),
      canBeStale: readsCacheControl(serverDistDir ?? process.cwd()),
      pagesTags: openPagesTags(serverDistDir ?? ''),
      readPrerendered: serverDistDir && !isDev ? openPrerendered(serverDistDir, log) : undefined,
    }
  }

  return class implements CacheHandler {
    // The first stamp of this request, read before anything is rendered.
    #renderStamp: Promise<Stamp | undefined> | undefined

    constructor(context: CacheHandlerContext = {}) {
      if (context.serverDistDir) build ??= openBuild(context)
    }

    async get(key: string, context: Parameters<CacheHandler['get']>[1] = {}) {
      // Not in the constructor, because Next.js also creates handlers for `proxy.ts`, without a build folder, and never
      // calls their `get`.
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
      // A page that was softly purged is not served either, because a newer page may have been stored and then evicted.
      if (!entry || prerendered?.purge !== 'none') return null
      await store.set(name, entry)
      return toHandlerValue(prerendered, build.canBeStale)
    }

    async set(key: string, value: IncrementalCacheValue, context: Parameters<CacheHandler['set']>[2] = {}) {
      const stamp = await this.#renderStamp
      if (!build?.id || !stamp) return
      const tags = [...readTags(value, context.tags), ...build.pagesTags(value, key)]
      const purge = await index.purgedSince(stamp, tags)
      if (purge === 'hard') return
      const name = storeKey(build.id, key)
      // A page that was softly purged during its render is still the newest one, and is stored, unless another page was
      // rendered after the purge.
      if (purge === 'soft' && isNewer(await store.get(name), stamp)) return
      const cacheControl = isNotFound(value) ? shorten(context.cacheControl, negativeTtl) : context.cacheControl
      const entry = createEntry({ value, cacheControl }, { stamp, tags, ttl: cacheControl?.expire })
      const isStored = entry.ttl > 0 && (await store.set(name, entry))
      // Without this, Next.js would go on serving the old page that this one was meant to replace.
      if (!isStored) await store.delete(name)
    }

    async revalidateTag(tags: string | readonly string[], durations?: Durations) {
      await purgeTags(settings, [tags].flat(), toPurgeMode(durations))
    }

    resetRequestCache() {}
  }
}

const storeKey = (buildId: string, key: string) => `next:${buildId}:${key}`
