import { randomUUID } from 'node:crypto'
import type { PurgeMode, Stamp, TagIndex } from '../../core/cache/index.js'
import { createBatch } from './batch.js'
import { createSend, type RedisClient } from './client.js'
import { createKnowledge } from './knowledge.js'
import { createScript, purgedSource, purgeSource, stampSource } from './script.js'
import { listen, type RedisSubscriber } from './subscription.js'

export interface RedisTagIndexOptions {
  client: RedisClient
  /** A second connection, for messages. Of use with `consistency: 'relaxed'` only: it makes purges arrive at once. */
  subscriber?: RedisSubscriber | undefined
  /** What all keys begin with; the same on every instance. Default `'sitewright'`. */
  prefix?: string | undefined
  /**
   * - `'strict'`: each request asks Redis for the sequence number first; one question for all who come at the same time.
   *   Once a purge is acknowledged, no instance serves what it purged.
   * - `'relaxed'`: requests are answered from memory. An instance may be behind by `pollInterval`, whatever gets lost;
   *   with a `subscriber` usually by no more than a message takes.
   *
   * Default `'strict'`.
   */
  consistency?: 'strict' | 'relaxed' | undefined
  /**
   * Milliseconds. How old what an instance knows may be (`'relaxed'`), and how often Redis is tried while it is away.
   * Default 1,000.
   */
  pollInterval?: number | undefined
  /** Longest wait for one command in milliseconds. Default 500. */
  timeout?: number | undefined
  /**
   * Whether Redis loses nothing that it acknowledged when it restarts or a replica takes over (`appendfsync always` and
   * `WAIT`). Default `false`: after either, all that was stored counts as purged.
   */
  durable?: boolean | undefined
  /** Most purged tags that are remembered. Beyond it, all that is older counts as purged. Default 100,000. */
  maxTags?: number | undefined
}

/** A tag index in Redis. */
export interface RedisTagIndex extends TagIndex {
  /** Stops polling and listening. The clients stay open. */
  close(): void
}

/**
 * Creates a tag index in Redis, for several instances. A purge is one script: it happens as a whole or not at all, costs
 * the same whatever it touches, and is acknowledged only when Redis has it. While Redis is away nothing is known: pages
 * are rendered, and a purge rejects.
 *
 * @throws TypeError that names the option when one makes no sense.
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL }).connect()
 * const pages = createResponseCache({ store: redisStore({ client }), tagIndex: redisTagIndex({ client }) })
 */
export function redisTagIndex(options: RedisTagIndexOptions): RedisTagIndex {
  const { prefix = 'sitewright', durable = false, consistency = 'strict' } = options
  const { pollInterval = 1_000, timeout = 500, maxTags = 100_000 } = options
  for (const [name, value] of Object.entries({ pollInterval, timeout, maxTags })) {
    if (!(value >= 1 && value <= 2 ** 31 - 1))
      throw new TypeError(`${name}: ${value} is no use; write a number from 1 on`)
  }
  if (consistency !== 'strict' && consistency !== 'relaxed') {
    throw new TypeError(`consistency: '${consistency}' is none; write 'strict' or 'relaxed'`)
  }
  const send = createSend(options.client, timeout)
  const readStamp = createScript(send, stampSource)
  const readPurged = createScript(send, purgedSource)
  const writePurge = createScript(send, purgeSource)
  const channel = `${prefix}:purges`
  const keys = [`${prefix}:tags`]
  // Every call brings an epoch to begin with that was never there before.
  const start = () => [randomUUID(), durable ? '0' : '1', channel]

  const ask = createBatch(async () => toStamp(await readStamp(keys, start())))
  const knowledge = createKnowledge({ ask, pollInterval, isPolling: consistency === 'relaxed' })
  const stop = options.subscriber && listen(options.subscriber, channel, knowledge.hear)

  return {
    stamp: () => (consistency === 'strict' ? knowledge.askNow() : knowledge.recall()),
    async purgedSince({ epoch, sequence }, tags) {
      if (knowledge.isAway()) return 'hard'
      const verdict = await readPurged(keys, [...start(), epoch, String(sequence), ...tags])
      return verdict === 0 ? 'none' : verdict === 1 ? 'soft' : 'hard'
    },
    async purge(tags, mode) {
      const field: Record<PurgeMode, string> = { hard: 'h:', soft: 's:' }
      const sent = performance.now()
      knowledge.learn(toStamp(await writePurge(keys, [...start(), field[mode], String(maxTags), ...tags])), sent)
    },
    close() {
      stop?.()
      knowledge.close()
    },
  }
}

/** @throws TypeError when a script gave something else. */
function toStamp(reply: unknown): Stamp {
  const [epoch, sequence] = Array.isArray(reply) ? reply : []
  if (!Buffer.isBuffer(epoch) || !Number.isSafeInteger(sequence)) throw new TypeError('Redis gave no stamp')
  return { epoch: epoch.toString(), sequence }
}
