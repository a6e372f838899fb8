import { createHash } from 'node:crypto'
import type { Store } from '../../core/cache/index.js'
import { decodeEntry, encodeHead } from '../../core/cache/internal.js'
import { checkKnownOptions, checkString, integer, type OptionChecks, unchecked } from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'
import { createCommandSender, type RedisClient } from './client.js'
import { createEntryReader, type ReadEntry } from './entry-reader.js'
import { removeSource } from './entry-source.js'
import { createEntryWriter } from './entry-writer.js'
import { createScript } from './script.js'

export interface RedisStoreOptions {
  /** A connected client of the package `redis` or `ioredis`. */
  client: RedisClient
  /** Prefix of all keys: another one for each site on the same Redis. Default `'sitewright'`. */
  prefix?: string | undefined
  /**
   * Maximum size of an entry, in bytes: a larger one is neither stored nor read. The total is bounded by Redis' own `maxmemory`, with `maxmemory-policy
   * volatile-lru`, which does not evict the tags. Default 8 MiB.
   */
  maxEntryBytes?: number | undefined
  /** Time limit of one command, in milliseconds. Default 500. */
  timeout?: number | undefined
}

// Characters. A longer key is hashed.
const maxKeyLength = 200
// Milliseconds. Time synchronization sets clocks back by less all the time.
const clockTolerance = 1_000
// Of the timeout. What takes longer to read is a miss, and is not stored: the rest is for the last command, so that no caller takes the
// store for one that does not answer.
const transferShare = 0.8

const checks: OptionChecks<RedisStoreOptions> = {
  client: unchecked,
  prefix: checkString,
  maxEntryBytes: integer(1),
  timeout: checkTimeout,
}

/**
 * Creates a store in Redis, for several instances. Ages are measured by the clock of Redis, so that all instances agree
 * on them. Use it with `redisTagIndex`, since one instance serves what another stored.
 *
 * @throws TypeError that names the invalid option.
 * @example redisStore({ client: await createClient({ url: process.env.REDIS_URL }).connect() })
 */
export function redisStore(options: RedisStoreOptions): Store {
  const {
    client,
    prefix = 'sitewright',
    maxEntryBytes = 8 * 1024 * 1024,
    timeout = 500,
  } = checkKnownOptions(options, checks, 'redisStore({ client })')
  const send = createCommandSender(client, timeout)
  const transferTimeout = timeout * transferShare
  const read = createEntryReader(send, maxEntryBytes, transferTimeout)
  const writer = createEntryWriter(send, transferTimeout)
  const removeEntry = createScript(send, removeSource)
  const redisKey = (key: string) => `${prefix}:entry:${key.length > maxKeyLength ? digest(key) : key}`
  const remove = async (key: string) => {
    writer.stop(redisKey(key))
    await removeEntry(redisKey(key))
  }

  return {
    async get(key) {
      const found = await read(redisKey(key))
      // The clock of Redis was set back, or Redis is another server now: the age is unknown.
      if (!found || found.age < -clockTolerance) return undefined
      const entry = decode(found)
      if (!entry) throw new TypeError(`${redisKey(key)}: expected a cache entry, got other bytes`)
      return { entry, age: Math.max(0, found.age / 1000) }
    },
    async set(key, entry, age = 0) {
      const [head, body] = [encodeHead(entry), entry.body]
      const ttl = Math.floor((entry.ttl - age) * 1000)
      if (head.length + body.length > maxEntryBytes || ttl < 1) {
        await remove(key) // also the previous entry
        return false
      }
      return await writer.write(redisKey(key), toBuffer(head), body, Math.round(age * 1000), ttl)
    },
    delete: remove,
  }
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function decode({ head, pieces }: ReadEntry) {
  if (!pieces.every(Buffer.isBuffer)) return undefined
  return decodeEntry(head, pieces.length > 1 ? Buffer.concat(pieces) : pieces[0])
}
