import type { Store } from '../../core/cache/index.js'
import { decodeEntry, encodeEntry } from '../../core/cache/internal.js'
import { checkKnownOptions, checkString, type OptionChecks, unchecked } from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'
import { createCommandSender, type RedisClient } from './client.js'
import { createScript, entrySource } from './scripts.js'

export interface RedisStoreOptions {
  /** A connected client of the package `redis` or `ioredis`. */
  client: RedisClient
  /** Prefix of all keys. Use a different prefix for each site on the same Redis. Default `'sitewright'`. */
  prefix?: string | undefined
  /** Time limit of one command, in milliseconds. Default 500. */
  timeout?: number | undefined
}

const checks: OptionChecks<RedisStoreOptions> = { client: unchecked, prefix: checkString, timeout: checkTimeout }

// An entry is read and written in one piece. Other commands on the connection wait in the meantime.
const maxEntryBytes = 2 * 1024 * 1024

/**
 * Creates a store in Redis, for several instances. Ages are measured by the clock of Redis, so that all instances agree
 * on them. Use it with `redisTagIndex`, since instances serve each other's entries.
 *
 * Entries of more than 2 MiB are not stored. Limit the total with Redis' own `maxmemory`, and set `maxmemory-policy
 * volatile-lru`, which does not evict the tags.
 *
 * @throws TypeError that names the invalid option.
 * @example redisStore({ client: await createClient({ url: process.env.REDIS_URL }).connect() })
 */
export function redisStore(options: RedisStoreOptions): Store {
  const { client, prefix = 'sitewright', timeout = 500 } = checkKnownOptions(options, checks, 'redisStore({ client })')
  const send = createCommandSender(client, timeout)
  const readEntry = createScript(send, entrySource)
  const redisKey = (key: string) => `${prefix}:entry:${key}`
  const remove = async (key: string) => {
    await send(redisKey(key), 'UNLINK', redisKey(key))
  }

  return {
    isDurable: true,
    async get(key) {
      const reply = await readEntry(redisKey(key), String(maxEntryBytes))
      const [bytes, expiresIn] = Array.isArray(reply) ? reply : []
      if (bytes === null) return undefined
      // The bytes are copied, because the client may return a view of a larger buffer, which the entry would keep in
      // memory.
      const entry = Buffer.isBuffer(bytes) ? decodeEntry(new Uint8Array(bytes)) : undefined
      if (!entry) {
        const expected = `an entry of at most ${maxEntryBytes} bytes`
        throw new TypeError(`${redisKey(key)}: expected ${expected}, got something else`)
      }
      const age = entry.ttl - Number(expiresIn) / 1000
      // The age is unknown if the key has no expiry, or if Redis' clock was set back further than by synchronization.
      return Number(expiresIn) >= 0 && age > -1 ? { entry, age: Math.max(0, age) } : undefined
    },
    async set(key, entry, age = 0) {
      const bytes = encodeEntry(entry)
      const ttl = Math.floor((entry.ttl - age) * 1000)
      if (bytes.length > maxEntryBytes || ttl < 1) {
        await remove(key) // removes the previous entry, too
        return false
      }
      await send(redisKey(key), 'SET', redisKey(key), Buffer.from(bytes.buffer), 'PX', String(ttl))
      return true
    },
    delete: remove,
  }
}
