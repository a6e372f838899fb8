import type { Store, TagIndex } from '../../../core/cache/index.js'
import { guardStore, guardTagIndex } from '../../../core/cache/internal.js'
import { type Log, throttleLog } from '../../../core/log.js'
import { checkTimeout } from '../../../core/timeout.js'

export interface NextCacheOptions {
  /** Where entries are kept, the same for all instances: `redisStore({ client })`. */
  store: Store
  /** Who knows what was purged, the same for all instances: `redisTagIndex({ client })`. */
  tagIndex: TagIndex
  /** Longest wait for store and tag index in milliseconds; then they count as away. Default 1,000. */
  timeout?: number | undefined
  /** Told what an operator should know, each once a minute at most. Default: `console.error`. */
  log?: Log | undefined
}

/** The options with every default in its place. */
export type Settings = ReturnType<typeof completeOptions>

/**
 * Puts every default in its place, and a guard around store and tag index: away, they know nothing and keep nothing.
 *
 * @throws TypeError that names the option when one makes no sense.
 */
export function completeOptions(options: NextCacheOptions) {
  if (typeof options.store?.get !== 'function')
    throw new TypeError('store: needed; write redisStore({ client }), for one')
  if (typeof options.tagIndex?.stamp !== 'function') {
    throw new TypeError('tagIndex: needed; write redisTagIndex({ client }), for one')
  }
  const timeout = checkTimeout(options.timeout ?? 1_000)
  const log = throttleLog(options.log ?? ((message, detail) => console.error(message, detail)))
  return {
    timeout,
    log,
    store: guardStore(options.store, timeout, log),
    index: guardTagIndex(options.tagIndex, timeout, log),
    tagIndex: options.tagIndex,
  }
}

/** `next build` renders too, on machines that know no Redis; what it renders belongs to no visitor yet. */
export const isBuilding = () => process.env.NEXT_PHASE === 'phase-production-build'

/** Milliseconds since 1970, as Next.js counts them: by a clock that never goes back. */
export const now = () => performance.timeOrigin + performance.now()
