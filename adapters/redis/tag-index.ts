import { randomUUID } from 'node:crypto'
import { chain, coalesceReads } from '../../core/async.js'
import type { PurgeMode, Stamp, TagIndex } from '../../core/cache/index.js'
import { type Log, logError } from '../../core/log.js'
import {
  checkFunction,
  checkKnownOptions,
  checkString,
  integer,
  type OptionChecks,
  oneOf,
  unchecked,
  withMethod,
} from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'
import { createCommandSender, type RedisClient, type RedisSubscriber, subscribe } from './client.js'
import { createScript, tagSource } from './scripts.js'

export interface RedisTagIndexOptions {
  /** A connected client of the package `redis` or `ioredis`. */
  client: RedisClient
  /** A second connection, for messages. Useful only with `consistency: 'relaxed'`: purges arrive immediately. */
  subscriber?: RedisSubscriber | undefined
  /**
   * Prefix of all keys: the same on every instance of a site, but different for each site on the same Redis. Default
   * `'sitewright'`.
   */
  prefix?: string | undefined
  /**
   * - `'strict'`: each request reads the sequence number from Redis first; concurrent requests share one read. Once a
   *   purge is acknowledged, no instance serves purged entries.
   * - `'relaxed'`: the sequence number is read once a second. An instance may lag by up to a second, even when
   *   messages are lost; with a `subscriber`, it usually lags only by the time that a message takes.
   *
   * Default `'strict'`.
   */
  consistency?: 'strict' | 'relaxed' | undefined
  /** Time limit of one command, in milliseconds, above 0. Default 500. */
  timeout?: number | undefined
  /**
   * Maximum memory of the purged tags in Redis, in bytes; half a million tags take some 40 MiB. When it is exceeded,
   * the tags are dropped, everything stored counts as purged, and this is logged. Default 64 MiB.
   */
  maxBytes?: number | undefined
  /** Receives a warning when everything stored counts as purged. Default: `console.error`. */
  log?: Log | undefined
}

/** A tag index in Redis. */
export interface RedisTagIndex extends TagIndex {
  /** Unsubscribes. The clients stay open. */
  close(): void
}

const checks: OptionChecks<RedisTagIndexOptions> = {
  client: unchecked,
  subscriber: withMethod('subscribe', "a second client of 'redis' or 'ioredis'"),
  prefix: checkString,
  consistency: oneOf('strict', 'relaxed'),
  timeout: checkTimeout,
  maxBytes: integer(1),
  log: checkFunction,
}

const fieldPrefixes: Record<PurgeMode, string> = { hard: 'h:', soft: 's:' }

// One script gets at most so many tags, because Redis executes nothing else in the meantime, and JavaScript limits the
// arguments of a call.
const maxTagsAtOnce = 10_000

// Maximum number of tags whose purge has failed. With more, everything counts as purged.
const maxFailedTags = 10_000
const everything = ''

/**
 * Creates a tag index in Redis, for several instances. A purge runs one script per 10,000 tags: its cost does not
 * depend on the number of entries, and it is acknowledged only after Redis has executed it. While Redis is unavailable,
 * pages are rendered without the cache, and a purge rejects. As soon as Redis is back, this instance repeats the failed
 * purges before it serves a stored page.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL }).connect()
 * const cache = createResponseCache({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 */
export function redisTagIndex(options: RedisTagIndexOptions): RedisTagIndex {
  return createRedisTagIndex(options, 1_000)
}

/**
 * Like {@link redisTagIndex}, with an interval that tests can choose.
 *
 * @param pollInterval Maximum age of a stamp in memory (`'relaxed'`), in milliseconds.
 */
export function createRedisTagIndex(options: RedisTagIndexOptions, pollInterval: number): RedisTagIndex {
  const { client, subscriber, log = logError } = checkKnownOptions(options, checks, 'redisTagIndex({ client })')
  const { prefix = 'sitewright', consistency = 'strict', timeout = 500, maxBytes = 64 * 1024 * 1024 } = options
  const channel = `${prefix}:purges`
  const script = createScript(createCommandSender(client, timeout), tagSource)
  const run = (operation: 'stamp' | 'purged' | 'purge' | 'age', ...args: string[]) =>
    script(`${prefix}:tags`, operation, randomUUID(), channel, ...args)

  let cached: { stamp: Stamp; readAt: number } | undefined
  // The time at which this instance last heard of a purge: a stamp that was requested before that may be outdated.
  let purgedAt = Number.NEGATIVE_INFINITY
  let epoch: string | undefined
  const onPurge = () => {
    purgedAt = performance.now()
    cached = undefined
  }
  const readStamp = coalesceReads(async () => {
    const readAt = performance.now()
    const stamp = toStamp(await run('stamp'))
    if (epoch !== undefined && epoch !== stamp.epoch) {
      log(
        'Redis tag index: emptied, restarted, failed over, or more tags than maxBytes; all that is stored counts as purged',
        { prefix, maxBytes },
      )
    }
    epoch = stamp.epoch
    cached = readAt > purgedAt ? { stamp, readAt } : undefined
    return stamp
  })
  const unsubscribe = subscriber && subscribe(subscriber, channel, onPurge)

  // The tags whose purge has failed, each with the latest attempt.
  const failed = new Map<string, symbol>()
  const purge = async (tags: readonly string[], mode: PurgeMode, limit = maxBytes): Promise<void> => {
    const settings = [fieldPrefixes[mode], String(limit)]
    try {
      for (let start = 0; start < tags.length; start += maxTagsAtOnce) {
        toStamp(await run('purge', ...settings, ...tags.slice(start, start + maxTagsAtOnce)))
      }
    } catch (error) {
      const attempt = Symbol('purge')
      for (const tag of tags) failed.set(failed.size < maxFailedTags ? tag : everything, attempt)
      throw error
    } finally {
      onPurge()
    }
  }
  /** Purges the failed tags again, hard. Keeps those whose purge has failed once more in the meantime. */
  const purgeFailed = coalesceReads(async () => {
    const attempts = [...failed]
    const limit = failed.has(everything) ? 0 : maxBytes // the script resets the state beyond the limit
    await purge([...failed.keys()], 'hard', limit)
    for (const [tag, attempt] of attempts) if (failed.get(tag) === attempt) failed.delete(tag)
  })

  return {
    stamp() {
      // While a purge is lost, there is no stamp, so no purged page is served.
      if (failed.size > 0) return chain(purgeFailed('failed'), () => readStamp('stamp'))
      const isRelaxed = consistency === 'relaxed'
      if (isRelaxed && cached && performance.now() - cached.readAt <= pollInterval) return cached.stamp
      return readStamp('stamp')
    },
    async purgedSince(since, tags) {
      const state = String(await run('purged', since.epoch, String(since.sequence), ...tags))
      return state === 'none' || state === 'soft' ? state : 'hard'
    },
    async purgeAge(tags) {
      return Number(await run('age', ...tags))
    },
    purge: (tags, mode) => purge(tags, mode),
    close() {
      unsubscribe?.()
    },
  }
}

/** @throws TypeError when the reply of the script is not a stamp. */
function toStamp(reply: unknown): Stamp {
  const [epoch, number] = Array.isArray(reply) ? reply : []
  const sequence = Number(number ?? Number.NaN)
  if (Buffer.isBuffer(epoch) && Number.isSafeInteger(sequence)) return { epoch: epoch.toString(), sequence }
  throw new TypeError('Redis tag index: expected [epoch, sequence] in the reply of a script, got something else')
}
