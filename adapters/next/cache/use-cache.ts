import type { Stamp } from '../../../core/cache/index.js'
import { isNextBuild } from '../../../core/development.js'
import { streamBytes } from '../../../core/http/body.js'
import { describeError } from '../../../core/log.js'
import { createEntry, readEntry } from './entry.js'
import { type NextCacheOptions, nextCacheChecks, now, resolveOptions } from './options.js'
import { type Durations, purgeTags, toPurgeMode } from './purge.js'

/** The result of a function with `'use cache'`. Durations are in seconds. */
export interface UseCacheEntry {
  value: ReadableStream<Uint8Array>
  tags: string[]
  stale: number
  /** Start of the render, in milliseconds since 1970. */
  timestamp: number
  expire: number
  revalidate: number
}

/** A handler for `cacheHandlers` in `next.config`. */
export interface UseCacheHandler {
  get(key: string, softTags: string[]): Promise<UseCacheEntry | undefined>
  set(key: string, pendingEntry: Promise<UseCacheEntry>): Promise<void>
  refreshTags(): Promise<void>
  getExpiration(tags: string[]): Promise<number>
  updateTags(tags: string[], durations?: Durations): Promise<void>
}

type StoredUseCacheEntry = Omit<UseCacheEntry, 'value' | 'timestamp' | 'tags'> & { bytes: Uint8Array<ArrayBuffer> }

/**
 * Creates a handler for `cacheHandlers` (Next.js 16), for `'use cache'` (`default`) and `'use cache: remote'`, with a
 * store and a tag index that all instances share. Purges and outages are handled as in {@link createCacheHandler},
 * except that a purged result is never served while it is rendered again: another function's result may contain it, and
 * would then stay outdated for good. For the same reason, a result is not stored if its render began less than five
 * seconds after the instance has noticed a purge of one of its tags. The keys that Next.js passes contain the build id,
 * so builds do not share entries.
 *
 * @experimental
 * @throws TypeError that names the missing or malformed option.
 * @example
 * // use-cache-handler.js
 * export default createUseCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 *
 * // next.config.ts
 * const handler = fileURLToPath(new URL('./use-cache-handler.js', import.meta.url))
 * export default { cacheComponents: true, cacheHandlers: { default: handler, remote: handler } }
 */
export function createUseCacheHandler(options: NextCacheOptions): UseCacheHandler {
  const settings = resolveOptions(options, nextCacheChecks, 'createUseCacheHandler')
  const { store, index, log } = settings
  const stamps = createStampHistory()
  const readStamp = async () => {
    const stamp = await index.stamp()
    if (stamp) stamps.add(stamp)
    return stamp
  }
  const storeEntry = async (key: string, { value, tags, timestamp, ...durations }: UseCacheEntry) => {
    const bytes = new Uint8Array(await new Response(value).arrayBuffer())
    const stamp = stamps.before(timestamp)
    // Do not store entries that expire immediately, or that were purged during their render and could replace newer
    // entries.
    if (!stamp || durations.expire <= 0 || (await index.purgedSince(stamp, tags)) !== 'none') return
    const stored: StoredUseCacheEntry = { ...durations, bytes }
    const age = Math.max(0, now() - timestamp) / 1000
    await store.set(storeKey(key), createEntry(stored, { stamp, tags, age, ttl: durations.expire }))
  }

  return {
    async get(key, softTags) {
      if (isNextBuild()) return undefined
      const [current, hit] = await Promise.all([readStamp(), store.get(storeKey(key))])
      const cached = await readEntry(index, current, hit, softTags)
      // Next.js would keep an old value for the rest of the request, and store it again inside other results.
      if (cached?.purge !== 'none') return undefined
      const { bytes, ...durations } = cached.value as StoredUseCacheEntry
      return {
        ...durations,
        tags: [...cached.tags],
        value: streamBytes(bytes),
        // By this process's clock, which may differ from the clock of the instance that rendered the value.
        timestamp: now() - cached.age * 1000,
      }
    },
    async set(key, pendingEntry) {
      if (isNextBuild()) return
      try {
        await storeEntry(key, await pendingEntry)
      } catch (error) {
        log('Next.js cache: cached stream ended early; entry discarded', { reason: describeError(error) })
      }
    },
    // Reads the stamp for requests that render before their first `get`, which reads it too.
    async refreshTags() {
      if (!isNextBuild()) await readStamp()
    },
    // Tells Next.js to pass the tags to `get` instead, because the index has no timestamps.
    getExpiration: async () => Number.POSITIVE_INFINITY,
    async updateTags(tags, durations) {
      if (!isNextBuild()) await purgeTags(settings, tags, toPurgeMode(durations))
    },
  }
}

const storeKey = (key: string) => `next-use-cache:${key}`

/**
 * Remembers the tag index's stamps, to find the stamp that was current before a render began. This is needed because
 * Next.js passes the start of a render only when the render is over.
 *
 * A result may contain another function's result. That inner result may have been read before the render began, either
 * by the same request or by another request that shares the call. Next.js does not say when a request began, so a
 * purge in the five seconds before the render counts as well.
 */
function createStampHistory() {
  const records: { stamp: Stamp; since: number }[] = []
  let [firstRecord] = records
  return {
    add(stamp: Stamp): void {
      const lastStamp = records.at(-1)?.stamp
      if (lastStamp?.epoch === stamp.epoch && lastStamp.sequence === stamp.sequence) return
      records.push({ stamp, since: now() })
      firstRecord ??= records[0]
      if (records.length > 1_000) records.shift()
    },
    /** Returns a stamp that was current before a render read anything; `undefined` when no such stamp is known. */
    before(start: number): Stamp | undefined {
      // No request of this process can have read anything before the first stamp.
      const record = records.findLast(({ since }) => since <= start - 5_000) ?? firstRecord
      return record && record.since <= start ? record.stamp : undefined
    },
  }
}
