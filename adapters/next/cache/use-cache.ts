import { describeError } from '../../../core/describe-error.js'
import { pack, unpack } from './entry.js'
import { completeOptions, isBuilding, type NextCacheOptions, now } from './options.js'
import { createRevalidateTags, type Durations } from './purge.js'
import { createTimeline } from './timeline.js'

/** What a function with `'use cache'` gave. Durations are in seconds. */
export interface UseCacheEntry {
  value: ReadableStream<Uint8Array>
  tags: string[]
  stale: number
  /** When its render began, in milliseconds since 1970. */
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

type Kept = Omit<UseCacheEntry, 'value' | 'timestamp' | 'tags'> & { bytes: Uint8Array }

/**
 * Creates a handler of `cacheHandlers` (Next.js 16), for `'use cache'` (`default`) and `'use cache: remote'`, on a store
 * and a tag index that all instances share. Purges are as in {@link createCacheHandler}, and so is what happens while
 * either is away. Keys of Next.js contain the build, so that none is served to another.
 *
 * @throws TypeError that names the option when one makes no sense.
 * @example
 * // use-cache-handler.js
 * export default createUseCacheHandler({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 *
 * // next.config.ts
 * const handler = fileURLToPath(new URL('./use-cache-handler.js', import.meta.url))
 * export default { cacheComponents: true, cacheHandlers: { default: handler, remote: handler } }
 */
export function createUseCacheHandler(options: NextCacheOptions): UseCacheHandler {
  const settings = completeOptions(options)
  const { store, index, log } = settings
  const revalidateTags = createRevalidateTags(settings)
  // The handler is told when a render began only when it is over.
  const timeline = createTimeline(now)
  const arriving = new Map<string, Promise<void>>()

  const ask = async () => {
    const stamp = await index.stamp()
    if (stamp) timeline.learn(stamp)
    return stamp
  }
  const keep = async (key: string, { value, tags, timestamp, ...durations }: UseCacheEntry) => {
    const bytes = new Uint8Array(await new Response(value).arrayBuffer())
    const stamp = timeline.at(timestamp)
    // What expires at once is rendered for each reader; what a purge overtook could replace what was rendered after it.
    if (!stamp || durations.expire <= 0 || (await index.purgedSince(stamp, tags)) !== 'none') return
    const kept: Kept = { ...durations, bytes }
    const age = Math.max(0, now() - timestamp) / 1000
    await store.set(nameOf(key), pack(kept, { stamp, tags, age, expire: durations.expire }))
  }

  return {
    async get(key, softTags) {
      if (isBuilding()) return undefined
      await arriving.get(key)
      const [current, found] = await Promise.all([ask(), store.get(nameOf(key))])
      const unpacked = await unpack(index, current, found, softTags)
      if (!unpacked) return undefined
      const { bytes, revalidate, ...durations } = unpacked.value as Kept
      return {
        ...durations,
        tags: [...unpacked.tags],
        value: streamOf(bytes),
        // By our own clock, since that of the instance that rendered may be another.
        timestamp: now() - unpacked.age * 1000,
        // Below zero, Next.js serves it once more and renders anew in the background.
        revalidate: unpacked.purge === 'soft' ? -1 : revalidate,
      }
    },
    async set(key, pendingEntry) {
      if (isBuilding()) return
      const arrival = pendingEntry
        .then((entry) => keep(key, entry))
        .catch((error) => log('Next.js cache: a value broke off and was not kept', { reason: describeError(error) }))
        .finally(() => arriving.get(key) === arrival && arriving.delete(key))
      arriving.set(key, arrival)
      await arrival
    },
    // Each `get` asks what was purged. This is for a request whose first render comes without one.
    async refreshTags() {
      if (!isBuilding()) await ask()
    },
    // "Ask in `get`": the index knows no times.
    getExpiration: async () => Number.POSITIVE_INFINITY,
    async updateTags(tags, durations) {
      if (!isBuilding()) await revalidateTags(tags, durations)
    },
  }
}

const nameOf = (key: string) => `next-use-cache:${key}`

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })
}
