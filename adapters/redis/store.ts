import { createHash } from 'node:crypto'
import { decodeEntry, encodeEntry, type Store } from '../../core/cache/index.js'
import { createSend, type RedisClient } from './client.js'
import { createScript, getSource, setSource } from './script.js'

export interface RedisStoreOptions {
  client: RedisClient
  /** What all keys begin with. Default `'sitewright'`. */
  prefix?: string | undefined
  /**
   * Largest entry in bytes. The bound of all together is Redis' own `maxmemory`, with `maxmemory-policy volatile-lru`,
   * which leaves the tags alone. Default 8 MiB.
   */
  maxEntryBytes?: number | undefined
  /** Longest wait for one command in milliseconds. Default 500. */
  timeout?: number | undefined
}

const longestKey = 200
// Milliseconds; clocks are set by less all the time.
const tolerance = 1_000

/**
 * Creates a store in Redis, for several instances. Age is measured by the clock of Redis, so that they agree on it
 * whatever theirs say. Use it with {@link redisTagIndex}, since what one instance stores another serves.
 *
 * @throws TypeError when `client` is none.
 * @example redisStore({ client: await createClient({ url: process.env.REDIS_URL }).connect() })
 */
export function redisStore(options: RedisStoreOptions): Store {
  const { client, prefix = 'sitewright', maxEntryBytes = 8 * 1024 * 1024, timeout = 500 } = options
  const send = createSend(client, timeout)
  const getEntry = createScript(send, getSource)
  const setEntry = createScript(send, setSource)
  const nameOf = (key: string) => `${prefix}:page:${key.length > longestKey ? digest(key) : key}`
  const remove = async (key: string) => {
    await send('UNLINK', nameOf(key))
  }

  return {
    async get(key) {
      const reply = await getEntry([nameOf(key)], [])
      if (!Array.isArray(reply)) return undefined
      const [age, bytes] = reply
      // The clock of Redis was set back, or is another one now. Nobody knows how old it is.
      if (Number(age) < -tolerance) return undefined
      const entry = Buffer.isBuffer(bytes) ? decodeEntry(bytes) : undefined
      if (!entry) throw new TypeError(`${nameOf(key)} holds something else than an entry`)
      return { entry, age: Math.max(0, Number(age) / 1000) }
    },
    async set(key, entry, age = 0) {
      const bytes = encodeEntry(entry)
      const left = Math.floor((entry.ttl - age) * 1000)
      if (bytes.length > maxEntryBytes || left < 1) return remove(key) // with what it was to replace
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      await setEntry([nameOf(key)], [body, String(Math.round(age * 1000)), String(left)])
    },
    delete: remove,
  }
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
