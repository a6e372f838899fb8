import type { Store, TagIndex } from '../../../core/cache/index.js'
import { guardStore, guardTagIndex } from '../../../core/cache/internal.js'
import { type Log, logError, throttleLog } from '../../../core/log.js'
import { checkFunction, checkKnownOptions, type OptionChecks, required, withMethod } from '../../../core/options.js'
import { checkTimeout } from '../../../core/timeout.js'

export interface NextCacheOptions {
  /** Store for the entries, shared by all instances: `redisStore({ client })`. */
  store: Store
  /** Index of purged tags, shared by all instances: `redisTagIndex({ client })`. */
  tagIndex: TagIndex
  /**
   * Time limit in milliseconds for each call to the store or the tag index, after which it counts as down. Default
   * 1,000.
   */
  timeout?: number | undefined
  /**
   * Receives warnings and errors, each message at most once a minute. Default: `console.error`; in `next dev`, nothing
   * is logged, because `next dev` renders every page again anyway.
   */
  log?: Log | undefined
}

export const nextCacheChecks: OptionChecks<NextCacheOptions> = {
  store: required(withMethod('get', 'a store, such as redisStore({ client })')),
  tagIndex: required(withMethod('stamp', 'a tag index, such as redisTagIndex({ client })')),
  timeout: checkTimeout,
  log: checkFunction,
}

/**
 * Returns the options with defaults, and with guards around the store and the tag index. While they are down, every
 * read is a miss and nothing is stored.
 *
 * @param name Name of the function that received the options.
 * @throws TypeError that names the missing or malformed option.
 */
export function resolveOptions<Options extends NextCacheOptions>(
  options: Options,
  checks: OptionChecks<Options>,
  name: string,
) {
  const call = `${name}({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })`
  checkKnownOptions(options, checks, call)
  const { store, tagIndex, timeout = 1_000, log = isNextDev() ? () => {} : logError } = options
  const throttled = throttleLog(log)
  return {
    ...options,
    timeout,
    log: throttled,
    store: guardStore(store, timeout, throttled),
    index: guardTagIndex(tagIndex, timeout, throttled),
  }
}

/** Whether `next dev` is running. Not all of its processes pass `dev` to their handlers. */
export const isNextDev = (dev = false) => dev || process.env.NODE_ENV === 'development'

/** Returns the time in milliseconds since 1970, the unit that Next.js uses, by a clock that never goes backwards. */
export const now = () => performance.timeOrigin + performance.now()
