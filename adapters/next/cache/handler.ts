import type { Stamp } from '../../../core/cache/index.js'
import { readBuildId, takesLifetimes } from './build.js'
import { pack, unpack } from './entry.js'
import { completeOptions, isBuilding, type NextCacheOptions } from './options.js'
import { createRevalidateTags, type Durations } from './purge.js'
import { answerFor, type CacheHandlerValue, type Kept, type Lifetime, type NextValue, tagsOf } from './value.js'

export interface CacheHandlerOptions extends NextCacheOptions {
  /**
   * Name of the build, part of all keys, so that no entry of another build is ever served. Default: the `BUILD_ID` that
   * `next build` wrote. Instances share what they render only when they run the same build.
   */
  buildId?: string | undefined
}

/** What `cacheHandler` of `next.config` makes one of for each request. */
export interface CacheHandler {
  get(
    key: string,
    context?: { kind?: string; tags?: readonly string[]; softTags?: readonly string[]; fetchUrl?: string },
  ): Promise<CacheHandlerValue | null>
  set(key: string, value: NextValue, context?: { tags?: readonly string[]; cacheControl?: Lifetime }): Promise<void>
  revalidateTag(tags: string | readonly string[], durations?: Durations): Promise<void>
  resetRequestCache(): void
}

/** The class that the file of `cacheHandler` exports. */
export type CacheHandlerClass = new (context?: { serverDistDir?: string; dev?: boolean }) => CacheHandler

/**
 * Creates the `cacheHandler` of Next.js 15 and 16 on a store and a tag index that all instances share: pages, routes,
 * `fetch`, `unstable_cache` and, with `images.customCacheHandler`, pictures. `revalidateTag`, `updateTag` and
 * `revalidatePath` on one instance reach all of them. What was rendered while its tags were purged is not kept.
 *
 * - A profile of a year or more, as `max` is, purges softly: the old page is served once more while the new one renders
 *   (Next.js 16.4 and later; an older one cannot be told, so readers wait). Every other purge is hard: readers wait.
 * - Store or tag index away: pages are rendered for each request, nothing is kept, and `revalidateTag` rejects. Next.js
 *   has answered by then; `createRevalidateRoute({ tagIndex })` purges first, and answers 503.
 * - `next build` asks for neither. What it rendered is rendered once more when it is first asked for.
 * - Next.js lets requests for one page wait for the same render, also when a purge lies between them. Who joins a render
 *   that was under way gets its page, though nobody after them does.
 *
 * @throws TypeError that names the option when one makes no sense.
 * @example
 * // cache-handler.js
 * const client = createClient({ url: process.env.REDIS_URL })
 * client.on('error', (error) => console.error('Redis', error.message))
 * // Not awaited: while Redis is away, pages are rendered. `next build` needs none.
 * if (process.env.NEXT_PHASE !== 'phase-production-build') client.connect().catch(() => {})
 * export default createCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 *
 * // next.config.ts
 * export default {
 *   cacheHandler: fileURLToPath(new URL('./cache-handler.js', import.meta.url)),
 *   cacheMaxMemorySize: 0, // no memory of one process' own for 'use cache'
 * }
 */
export function createCacheHandler(options: CacheHandlerOptions): CacheHandlerClass {
  const settings = completeOptions(options)
  const { store, index, log } = settings
  const revalidateTags = createRevalidateTags(settings)
  let { buildId } = options
  let canBeStale: boolean | undefined

  return class implements CacheHandler {
    // There is a handler for each request, so what the index says first, it says before anything is rendered.
    #began: Promise<Stamp | undefined> | undefined
    // When the function of an unstable_cache throws, Next.js goes on with what was purged softly, and would keep the page.
    #oldData = new Set<string>()

    constructor({ serverDistDir, dev = false }: { serverDistDir?: string; dev?: boolean } = {}) {
      if (isBuilding()) return
      buildId ??= readBuildId(serverDistDir, dev, log)
      canBeStale ??= takesLifetimes(serverDistDir)
    }

    async get(key: string, { kind, tags = [], softTags = [], fetchUrl }: Parameters<CacheHandler['get']>[1] = {}) {
      if (isBuilding() || !buildId) return null
      const stamp = Promise.resolve(index.stamp())
      // All pictures have one handler; and no tags, so that only the epoch matters.
      if (kind === 'IMAGE') this.#began = stamp
      this.#began ??= stamp
      const [current, found] = await Promise.all([stamp, store.get(nameOf(buildId, key))])
      const unpacked = await unpack(index, current, found, [...tags, ...softTags])
      const answer = unpacked ? answerFor(unpacked, canBeStale === true) : null
      if (answer && unpacked?.purge === 'soft' && fetchUrl?.startsWith('unstable_cache ')) this.#oldData.add(key)
      return answer
    }

    async set(key: string, value: NextValue, context: Parameters<CacheHandler['set']>[2] = {}) {
      this.#oldData.delete(key)
      const isOld = value?.kind !== 'FETCH' && this.#oldData.size > 0
      const stamp = await this.#began
      if (isBuilding() || !buildId || !stamp || isOld) return
      const tags = tagsOf(value, context.tags)
      // Overtaken by a purge. It could replace what was rendered after it.
      if ((await index.purgedSince(stamp, tags)) !== 'none') return
      const { cacheControl } = context
      const kept: Kept = { value, cacheControl }
      await store.set(nameOf(buildId, key), pack(kept, { stamp, tags, expire: cacheControl?.expire }))
    }

    async revalidateTag(tags: string | readonly string[], durations?: Durations) {
      await revalidateTags(typeof tags === 'string' ? [tags] : tags, durations)
    }

    resetRequestCache() {}
  }
}

const nameOf = (buildId: string, key: string) => `next:${buildId}:${key}`
