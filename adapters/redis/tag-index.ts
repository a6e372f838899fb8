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
import { coalesceReads } from '../../core/single-flight.js'
import { checkTimeout } from '../../core/timeout.js'
import { batchReads, splitBy } from './batch-reads.js'
import { createCommandSender, type RedisClient } from './client.js'
import { checkDurability, createDurableScript, createReplicatedScript, type Durability } from './durable.js'
import { createStampCache } from './stamp-cache.js'
import { type RedisSubscriber, subscribe } from './subscription.js'
import { createTagScript } from './tag-script.js'

export interface RedisTagIndexOptions {
  /** A connected client of the package `redis` or `ioredis`. */
  client: RedisClient
  /** A second connection, for messages. Useful with `consistency: 'relaxed'` only: purges arrive at once. */
  subscriber?: RedisSubscriber | undefined
  /** Prefix of all keys: the same on every instance of a site, and another one for each site on the same Redis. Default `'sitewright'`. */
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
   * Maximum age of the sequence number in memory (`'relaxed'`), in milliseconds, from 1. Default 1,000. While Redis is unavailable,
   * it is asked again after so many, 100 at most.
   */
  pollInterval?: number | undefined
  /** Time limit of one command, in milliseconds, above 0. Default 500. */
  timeout?: number | undefined
  /**
   * Whether Redis keeps every acknowledged purge when it restarts or a replica takes over. Default `false`: after either,
   * every stored entry counts as purged.
   *
   * - `true`: one Redis without replicas, with `appendonly yes` and `appendfsync always`.
   * - `{ replicas }`: also this many replicas. A purge is acknowledged once all of them have it (`WAIT`). Needs a client
   *   of one connection: node-redis' `createClient`, or ioredis with `autoResendUnfulfilledCommands: false`.
   */
  durable?: Durability | undefined
  /**
   * Maximum memory of the purged tags in Redis, in bytes; half a million tags take some 40 MiB. Beyond it they are
   * dropped, and all that is stored counts as purged, which is logged. Default 64 MiB.
   */
  maxBytes?: number | undefined
  /** Receives what makes all that is stored count as purged: a new epoch, dropped tags. Default: `console.error`. */
  log?: Log | undefined
}

const fieldPrefixes: Record<PurgeMode, string> = { hard: 'h:', soft: 's:' }

/** A tag index in Redis. */
export interface RedisTagIndex extends TagIndex {
  /** Stops polling and unsubscribes. The clients stay open. */
  close(): void
}

const checks: OptionChecks<RedisTagIndexOptions> = {
  client: unchecked,
  subscriber: withMethod('subscribe', "a second client of 'redis' or 'ioredis'"),
  prefix: checkString,
  consistency: oneOf('strict', 'relaxed'),
  pollInterval: checkTimeout,
  timeout: checkTimeout,
  durable: unchecked,
  maxBytes: integer(1),
  log: checkFunction,
}

/**
 * Creates a tag index in Redis, for several instances. A purge is one script for each 10,000 tags: its cost does not
 * depend on the number of entries, and it is acknowledged only when Redis has executed it. While Redis is unavailable, pages are
 * rendered without the cache, and a purge rejects.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL }).connect()
 * const cache = createResponseCache({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 */
export function redisTagIndex(options: RedisTagIndexOptions): RedisTagIndex {
  const {
    prefix = 'sitewright',
    durable = false,
    consistency = 'strict',
    log = logError,
  } = checkKnownOptions(options, checks, 'redisTagIndex({ client })')
  const { pollInterval = 1_000, timeout = 500, maxBytes = 64 * 1024 * 1024 } = options
  const send = createCommandSender(options.client, timeout)
  const channel = `${prefix}:purges`
  const replicas = checkDurability(durable, options.client)
  const script = { send, key: `${prefix}:tags`, channel }
  const run = replicas === undefined ? createTagScript(script) : createDurableScript(script)
  const runPurge = replicas ? createReplicatedScript(script, replicas, timeout) : run

  let epoch: string | undefined
  const logEpoch = (stamp: Stamp): Stamp => {
    if (epoch !== undefined && epoch !== stamp.epoch) {
      log(
        'Redis tag index: emptied, restarted, failed over or another replication ID; all that is stored counts as purged',
        { prefix },
      )
    }
    epoch = stamp.epoch
    return stamp
  }
  const readStamp = coalesceReads(async () => logEpoch((await run('stamp')).stamp))
  const fetchStamp = async () => readStamp(channel)
  const stampCache = createStampCache({ fetchStamp, pollInterval, isPolling: consistency === 'relaxed' })
  const unsubscribe = options.subscriber && subscribe(options.subscriber, channel, stampCache.onMessage)
  const queryPurged = batchReads(async (queries: readonly (readonly string[])[]) => {
    const answers: number[] = []
    for (const some of splitBy(queries, (query) => query.length)) {
      const { rest } = await run('purged', ...some.flat())
      answers.push(...rest.map(Number))
    }
    return answers
  })
  const purgeSome = async (tags: readonly string[], mode: PurgeMode) => {
    const requestedAt = performance.now()
    const { stamp, rest } = await runPurge('purge', fieldPrefixes[mode], String(maxBytes), ...tags)
    stampCache.update(logEpoch(stamp), requestedAt)
    const dropped = Number(rest[0])
    if (dropped > 0) {
      log('Redis tag index: the purged tags exceeded maxBytes; all that is stored counts as purged', {
        dropped,
        maxBytes,
      })
    }
  }

  return {
    stamp: () => (consistency === 'strict' ? stampCache.refresh() : stampCache.current()),
    async purgedSince(since, tags) {
      if (stampCache.isUnavailable()) return 'hard'
      const state = await queryPurged([since.epoch, String(since.sequence), String(tags.length), ...tags])
      return state === 0 ? 'none' : state === 1 ? 'soft' : 'hard'
    },
    async purge(tags, mode) {
      for (const some of splitBy(tags, () => 1)) await purgeSome(some, mode)
    },
    close() {
      unsubscribe?.()
      stampCache.close()
    },
  }
}
