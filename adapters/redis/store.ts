import { createHash } from 'node:crypto'
import { decodeEntry, decodeHead, encodeHead, type Store, type StoreHit } from '../../core/cache/index.js'
import { checkKnownOptions, integer, type OptionChecks, unchecked } from '../../core/known-options.js'
import { checkString } from '../../core/option-error.js'
import { checkTimeout } from '../../core/timeout.js'
import { createTransferBudget, type TransferBudget } from '../node/transfer-budget.js'
import { createCommandSender, type RedisClient } from './client.js'
import { createLeases } from './lease.js'
import { blockBytes, createScript, getSource, removeSource, setSource } from './script.js'

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
// Small entries are read and written at once. Of larger ones the size comes first, and only so many bytes of them are on their way
// at the same time, since the stamps of the tag index wait behind them on the same connection. What finds no room in time is a
// miss, or is not stored. Pages of a usual size do not queue behind downloads.
const maxSmallBytes = 64 * 1024
const maxPageBytes = 1024 * 1024
const maxReadBytes = 8 * 1024 * 1024
const maxWrittenBytes = 2 * 1024 * 1024
// Milliseconds. Time synchronization sets clocks back by less all the time.
const clockTolerance = 1_000

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
  const getEntry = createScript(send, getSource)
  const setEntry = createScript(send, setSource)
  const removeEntry = createScript(send, removeSource)
  const keyOf = (kind: 'entry' | 'lease', name: string) =>
    `${prefix}:${kind}:${name.length > maxKeyLength ? digest(name) : name}`
  const redisKey = (key: string) => keyOf('entry', key)
  const readPage = createTransferBudget(maxReadBytes, timeout / 2)
  const readLarge = createTransferBudget(maxReadBytes, timeout / 2)
  const readInTurn: TransferBudget = (bytes, read) => (bytes <= maxPageBytes ? readPage : readLarge)(bytes, read)
  const writePage = createTransferBudget(maxWrittenBytes, timeout / 2)
  const writeLarge = createTransferBudget(maxWrittenBytes, timeout / 2)
  const writes = new Set<Promise<unknown>>()
  // Those that wait for room, by key: a later write of the same key takes their place.
  const waiting = new Map<string, object>()
  const lease = createLeases(send, () => Promise.allSettled(writes))
  const remove = async (key: string) => {
    waiting.delete(key)
    await removeEntry(redisKey(key))
  }
  const writeInTurn = async (key: string, bytes: number, write: () => Promise<unknown>): Promise<void> => {
    const turn = {}
    waiting.set(key, turn)
    const inTurn = bytes <= maxPageBytes ? writePage : writeLarge
    const isNext = () => waiting.get(key) === turn
    await inTurn(bytes, async () => {
      if (!isNext()) return
      waiting.delete(key)
      await write()
    })
    // Without room, the previous entry stays: it may be just what was rendered again, since there was no room for reading it either.
    if (isNext()) waiting.delete(key)
  }

  /** Decodes a reply of the script, with the part of the body that begins and ends so many bytes after the first block. */
  const decode = (key: string, reply: unknown, part?: { start: number; end: number }): StoreHit | undefined => {
    if (typeof reply === 'number') {
      throw new RangeError(`${redisKey(key)}: expected an entry of at most ${maxEntryBytes} bytes, got ${reply}`)
    }
    if (!Array.isArray(reply)) return undefined
    const [age, head, ...blocks] = reply
    // The clock of Redis was set back, or Redis is another server now: the age is unknown.
    if (Number(age) < -clockTolerance) return undefined
    const entry = [head, ...blocks].every(Buffer.isBuffer) ? decodeBlocks(head, blocks, part) : undefined
    if (!entry) throw new TypeError(`${redisKey(key)}: expected a cache entry, got other bytes`)
    return { entry, age: Math.max(0, Number(age) / 1000) }
  }

  return {
    async get(key) {
      const read = (bytes: number) => getEntry(redisKey(key), String(bytes), '0', '')
      let reply = await read(Math.min(maxEntryBytes, maxSmallBytes))
      if (typeof reply === 'number' && reply <= maxEntryBytes) {
        reply = await readInTurn(reply, () => read(maxEntryBytes))
      }
      return decode(key, reply)
    },
    async getPart(key, start, end) {
      const first = Math.floor(start / blockBytes)
      const last = Math.ceil(end / blockBytes) - 1
      const size = (last + 1 - first) * blockBytes
      const read = () => getEntry(redisKey(key), String(maxEntryBytes + blockBytes), String(first), String(last))
      const reply = await (size <= maxSmallBytes ? read() : readInTurn(size, read))
      return decode(key, reply, { start: start - first * blockBytes, end: end - first * blockBytes })
    },
    async set(key, entry, age = 0) {
      const [head, body] = [encodeHead(entry), entry.kind === 'vary' ? new Uint8Array(0) : entry.body]
      const [asked, ttl] = [performance.now(), Math.floor((entry.ttl - age) * 1000)]
      const size = head.length + body.length
      if (size > maxEntryBytes || ttl < 1) return remove(key) // also the previous entry
      const fields = [toBuffer(head), String(body.length), ...toBlocks(body)]
      const write = () => {
        const waited = Math.round(performance.now() - asked)
        const times = [Math.round(age * 1000) + waited, Math.max(1, ttl - waited)]
        return setEntry(redisKey(key), ...times.map(String), ...fields)
      }
      waiting.delete(key)
      const written = size <= maxSmallBytes ? write() : writeInTurn(key, size, write)
      writes.add(written)
      await written.finally(() => writes.delete(written))
    },
    delete: remove,
    lease: (name, timeout) => lease(keyOf('lease', name), timeout),
  }
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function toBlocks(body: Uint8Array<ArrayBuffer>): Buffer[] {
  const count = Math.ceil(body.length / blockBytes)
  return Array.from({ length: count }, (_, index) =>
    toBuffer(body.subarray(index * blockBytes, (index + 1) * blockBytes)),
  )
}

function decodeBlocks(head: Buffer, blocks: readonly Buffer[], part?: { start: number; end: number }) {
  const [first = Buffer.alloc(0)] = blocks
  const bytes = blocks.length > 1 ? Buffer.concat(blocks) : first
  return part ? decodeHead(head, new Uint8Array(bytes.subarray(part.start, part.end))) : decodeEntry(head, bytes)
}
