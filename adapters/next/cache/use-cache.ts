import { streamBytes } from '../../../core/http/body.js'
import { describeError } from '../../../core/log.js'
import { checkKnownOptions } from '../../../core/options.js'
import { withTimeout } from '../../../core/timeout.js'
import { createEntry, readEntry } from './entry.js'
import { isBuilding } from './next-build.js'
import { type NextCacheOptions, nextCacheChecks, now, resolveOptions } from './options.js'
import { createRevalidateTags, type Durations } from './purge.js'
import { createRequestStamps } from './request-stamps.js'
import { createStampHistory } from './stamp-history.js'

// Milliseconds for which a reader waits for a value that is being rendered.
const maxWait = 10_000

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

/** A handler of `cacheHandlers` in `next.config`. */
export interface UseCacheHandler {
  get(key: string, softTags: string[]): Promise<UseCacheEntry | undefined>
  set(key: string, pendingEntry: Promise<UseCacheEntry>): Promise<void>
  refreshTags(): Promise<void>
  getExpiration(tags: string[]): Promise<number>
  updateTags(tags: string[], durations?: Durations): Promise<void>
}

type StoredUseCacheEntry = Omit<UseCacheEntry, 'value' | 'timestamp' | 'tags'> & { bytes: Uint8Array<ArrayBuffer> }

/**
 * Creates a handler of `cacheHandlers` (Next.js 16), for `'use cache'` (`default`) and `'use cache: remote'`, on a store
 * and a tag index that all instances share. Purges, and times when either is down, are handled as in
 * {@link createCacheHandler}, but nothing that was purged is served once more: functions may contain the results of others, which
 * would then be old for good. The keys of Next.js contain the build id, so no entry is shared with another build.
 *
 * @throws TypeError that names the option when one is missing or malformed.
 * @example
 * // use-cache-handler.js
 * export default createUseCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 *
 * // next.config.ts
 * const handler = fileURLToPath(new URL('./use-cache-handler.js', import.meta.url))
 * export default { cacheComponents: true, cacheHandlers: { default: handler, remote: handler } }
 */
export function createUseCacheHandler(options: NextCacheOptions): UseCacheHandler {
  const settings = resolveOptions(
    checkKnownOptions(
      options,
      nextCacheChecks,
      'createUseCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })',
    ),
  )
  const { store, index, log } = settings
  const revalidateTags = createRevalidateTags(settings)
  // Next.js passes the start of a render only when the render is over.
  const stamps = createStampHistory(now)
  const requests = createRequestStamps(now)
  const pendingSets = new Map<string, Promise<void>>()

  const getStamp = async () => {
    const stamp = await index.stamp()
    if (stamp) stamps.add(stamp)
    if (stamp) requests.note(stamp)
    return stamp
  }
  /** A render that hangs must not keep everybody from the page for ever. */
  const settled = async (key: string) => {
    const pending = pendingSets.get(key)
    if (pending) await withTimeout(maxWait, pending).catch(() => {})
  }
  const storeEntry = async (
    key: string,
    { value, tags, timestamp, ...durations }: UseCacheEntry,
    endFill: ReturnType<typeof requests.beginFill>,
  ) => {
    const bytes = new Uint8Array(await new Response(value).arrayBuffer())
    const stamp = await endFill(stamps.at(timestamp))
    // Never stored: entries that expire at once, and those purged during their render, which could replace newer ones.
    if (!stamp || durations.expire <= 0 || (await index.purgedSince(stamp, tags)) !== 'none') return
    const stored: StoredUseCacheEntry = { ...durations, bytes }
    const age = Math.max(0, now() - timestamp) / 1000
    await store.set(storeKey(key), createEntry(stored, { stamp, tags, age, ttl: durations.expire }))
  }

  return {
    async get(key, softTags) {
      if (isBuilding()) return undefined
      await settled(key)
      const [current, hit] = await Promise.all([getStamp(), store.get(storeKey(key))])
      const cached = await readEntry(index, current, hit, softTags)
      // Next.js would keep an old value for the rest of the request, and store it anew inside of others.
      if (cached?.purge !== 'none') return undefined
      const { bytes, ...durations } = cached.value as StoredUseCacheEntry
      return {
        ...durations,
        tags: [...cached.tags],
        value: streamBytes(bytes),
        // By the clock of this process, which may differ from that of the instance that rendered it.
        timestamp: now() - cached.age * 1000,
      }
    },
    async set(key, pendingEntry) {
      if (isBuilding()) return
      const endFill = requests.beginFill()
      const pending = pendingEntry
        .then((entry) => storeEntry(key, entry, endFill))
        .catch((error) =>
          log('Next.js cache: cached stream ended early; entry discarded', { reason: describeError(error) }),
        )
        .finally(() => {
          if (pendingSets.get(key) === pending) pendingSets.delete(key)
        })
      pendingSets.set(key, pending)
      await pending
    },
    // Each `get` reads the stamp. This is for requests that render before their first `get`.
    async refreshTags() {
      if (!isBuilding()) await getStamp()
    },
    // Tells Next.js to pass the tags to `get` instead: the index has no timestamps.
    getExpiration: async () => Number.POSITIVE_INFINITY,
    async updateTags(tags, durations) {
      if (!isBuilding()) await revalidateTags(tags, durations)
    },
  }
}

const storeKey = (key: string) => `next-use-cache:${key}`
