import { createHash } from 'node:crypto'
import { decodeEntry, decodeHead, encodeHead, type Store, type StoreHit } from '../../core/cache/index.js'
import { checkKnownOptions, integer, type OptionChecks, unchecked } from '../../core/known-options.js'
import { checkString } from '../../core/option-error.js'
import { checkTimeout } from '../../core/timeout.js'
import { createCommandSender, type RedisClient } from './client.js'
import { createEntryReader, type ReadEntry } from './entry-reader.js'
import { blockBytes, removeSource } from './entry-source.js'
import { createEntryWriter } from './entry-writer.js'
import { createLeases } from './lease.js'
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
 * on them. Use it with `redisTagIndex`, since one instance serves what another stored. A page that several instances miss
 * at the same time is rendered by one of them, which has a lease on it; the others wait for it, `joinTimeout` of the response
 * cache at most.
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
  const keyOf = (kind: 'entry' | 'lease', name: string) =>
    `${prefix}:${kind}:${name.length > maxKeyLength ? digest(name) : name}`
  const redisKey = (key: string) => keyOf('entry', key)
  const writes = new Set<Promise<unknown>>()
  const lease = createLeases(send, () => Promise.allSettled(writes))
  const remove = async (key: string) => {
    writer.stop(redisKey(key))
    await removeEntry(redisKey(key))
  }

  /** Decodes what Redis has, with the part of the body that begins and ends so many bytes after the first block. */
  const decode = (key: string, found: ReadEntry | undefined, part?: BodyPart): StoreHit | undefined => {
    // The clock of Redis was set back, or Redis is another server now: the age is unknown.
    if (!found || found.age < -clockTolerance) return undefined
    const { head, blocks, age } = found
    const entry = blocks.every(Buffer.isBuffer) ? decodeBlocks(head, blocks, part) : undefined
    if (!entry) throw new TypeError(`${redisKey(key)}: expected a cache entry, got other bytes`)
    return { entry, age: Math.max(0, age / 1000) }
  }

  return {
    get: async (key) => decode(key, await read(redisKey(key))),
    async getPart(key, start, end) {
      const first = Math.floor(start / blockBytes)
      const last = Math.ceil(end / blockBytes) - 1
      const found = await read(redisKey(key), first, last)
      return decode(key, found, { start: start - first * blockBytes, end: end - first * blockBytes })
    },
    async set(key, entry, age = 0) {
      const [head, body] = [encodeHead(entry), entry.kind === 'vary' ? new Uint8Array(0) : entry.body]
      const ttl = Math.floor((entry.ttl - age) * 1000)
      if (head.length + body.length > maxEntryBytes || ttl < 1) {
        await remove(key) // also the previous entry
        return false
      }
      const written = writer.write(redisKey(key), toBuffer(head), body, Math.round(age * 1000), ttl)
      writes.add(written)
      return await written.finally(() => writes.delete(written))
    },
    delete: remove,
    lease: (name, timeout) => lease(keyOf('lease', name), timeout),
  }
}

interface BodyPart {
  start: number
  end: number
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function decodeBlocks(head: Buffer, blocks: readonly Buffer[], part?: BodyPart) {
  const [first = Buffer.alloc(0)] = blocks
  const bytes = blocks.length > 1 ? Buffer.concat(blocks) : first
  return part ? decodeHead(head, new Uint8Array(bytes.subarray(part.start, part.end))) : decodeEntry(head, bytes)
}
