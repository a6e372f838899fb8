import { randomUUID } from 'node:crypto'
import type { PurgeMode, Stamp, TagIndex } from '../../core/cache/index.js'
import { checkInteger, optionError } from '../../core/option-error.js'
import { checkTimeout } from '../../core/timeout.js'
import { createSend, type RedisClient } from './client.js'
import { coalesceReads } from './coalesce-reads.js'
import { createScript, purgedSource, purgeSource, stampSource } from './script.js'
import { createStampCache } from './stamp-cache.js'
import { type RedisSubscriber, subscribe } from './subscription.js'

export interface RedisTagIndexOptions {
  /** A connected client of the package `redis` or `ioredis`. */
  client: RedisClient
  /** A second connection, for messages. Useful with `consistency: 'relaxed'` only: purges arrive at once. */
  subscriber?: RedisSubscriber | undefined
  /** Prefix of all keys; the same on every instance. Default `'sitewright'`. */
  prefix?: string | undefined
  /**
   * - `'strict'`: each request reads the sequence number from Redis first; concurrent requests share one read. Once a
   *   purge is acknowledged, no instance serves purged entries.
   * - `'relaxed'`: requests are answered from memory. An instance may be behind by `pollInterval`, even when messages are
   *   lost; with a `subscriber` usually only by the time that a message takes.
   *
   * Default `'strict'`.
   */
  consistency?: 'strict' | 'relaxed' | undefined
  /**
   * Maximum age of the sequence number in memory (`'relaxed'`), and interval of attempts while Redis is unavailable.
   * Milliseconds, from 1. Default 1,000.
   */
  pollInterval?: number | undefined
  /** Time limit of one command, in milliseconds, above 0. Default 500. */
  timeout?: number | undefined
  /**
   * Whether Redis keeps all acknowledged writes when it restarts or a replica takes over (`appendfsync always` and
   * `WAIT`). Default `false`: after either, every stored entry is treated as purged.
   */
  durable?: boolean | undefined
  /**
   * Maximum number of purged tags in Redis; one that was purged both softly and hard counts twice. Beyond it, all older
   * entries are treated as purged. Default 100,000.
   */
  maxTags?: number | undefined
}

const fieldPrefixes: Record<PurgeMode, string> = { hard: 'h:', soft: 's:' }

/** A tag index in Redis. */
export interface RedisTagIndex extends TagIndex {
  /** Stops polling and unsubscribes. The clients stay open. */
  close(): void
}

/**
 * Creates a tag index in Redis, for several instances. A purge is one script: it is atomic, its cost does not depend on
 * the number of entries, and it is acknowledged only when Redis has executed it. While Redis is unavailable, pages are
 * rendered without the cache, and a purge rejects.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL }).connect()
 * const pages = createResponseCache({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 */
export function redisTagIndex(options: RedisTagIndexOptions): RedisTagIndex {
  const { prefix = 'sitewright', durable = false, consistency = 'strict' } = options
  const { pollInterval = 1_000, timeout = 500, maxTags = 100_000 } = options
  checkTimeout(timeout)
  checkTimeout(pollInterval, 'pollInterval')
  checkInteger('maxTags', maxTags, 1)
  if (consistency !== 'strict' && consistency !== 'relaxed') {
    throw optionError('consistency', "'strict' or 'relaxed'", consistency)
  }
  const send = createSend(options.client, timeout)
  const readStamp = createScript(send, stampSource)
  const readPurged = createScript(send, purgedSource)
  const writePurge = createScript(send, purgeSource)
  const channel = `${prefix}:purges`
  const keys = [`${prefix}:tags`]
  // A reset needs an epoch that was never used, so each call brings one.
  const stateArgs = () => [randomUUID(), durable ? '0' : '1', channel]

  const fetchStamp = coalesceReads(async () => toStamp(await readStamp(keys, stateArgs())))
  const stampCache = createStampCache({ fetchStamp, pollInterval, isPolling: consistency === 'relaxed' })
  const unsubscribe = options.subscriber && subscribe(options.subscriber, channel, stampCache.onMessage)

  return {
    stamp: () => (consistency === 'strict' ? stampCache.refresh() : stampCache.current()),
    async purgedSince({ epoch, sequence }, tags) {
      if (stampCache.isUnavailable()) return 'hard'
      const state = await readPurged(keys, [...stateArgs(), epoch, String(sequence), ...tags])
      return state === 0 ? 'none' : state === 1 ? 'soft' : 'hard'
    },
    async purge(tags, mode) {
      const requestedAt = performance.now()
      const reply = await writePurge(keys, [...stateArgs(), fieldPrefixes[mode], String(maxTags), ...tags])
      stampCache.update(toStamp(reply), requestedAt)
    },
    close() {
      unsubscribe?.()
      stampCache.close()
    },
  }
}

/**
 * Reads the reply of a script.
 *
 * @throws TypeError when it is not a stamp.
 */
function toStamp(reply: unknown): Stamp {
  const [epoch, sequence] = Array.isArray(reply) ? reply : []
  if (!Buffer.isBuffer(epoch) || !Number.isSafeInteger(sequence))
    throw new TypeError('Redis: expected [epoch, sequence] in the reply of a script, got something else')
  return { epoch: epoch.toString(), sequence }
}
