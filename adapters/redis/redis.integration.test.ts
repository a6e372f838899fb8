import { randomBytes } from 'node:crypto'
import { createConnection } from 'node:net'
import { Redis } from 'ioredis'
import { createClient, createClientPool } from 'redis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import {
  createResponseCache,
  memoryStore,
  memoryTagIndex,
  type Stamp,
  type Store,
  type StoredResponse,
  type StoreEntry,
} from '../../core/cache/index.js'
import { createTestResponse } from '../../core/cache/testing/entries.js'
import { pieceSource } from './entry-source.js'
import { type RedisClient, type RedisSubscriber, redisStore, redisTagIndex } from './index.js'
import { digestScript, toEchoingSource } from './script.js'
import { clientPackages, connect, startProxy, startRedis } from './testing/redis-server.js'

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const command = (port: number, text: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.once('data', (bytes) => {
      resolve(bytes.toString())
      socket.destroy()
    })
    socket.once('error', reject)
  })

let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())
beforeEach(() => command(redis.port, 'FLUSHALL').then(() => {}))

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

type ClientPackage = (typeof clientPackages)[number]
async function startIndex(
  kind: ClientPackage,
  port = redis.port,
  options: Partial<Parameters<typeof redisTagIndex>[0]> = {},
) {
  const { client, subscriber, close } = await connect(kind, port)
  const index = redisTagIndex({
    client,
    log: () => {},
    ...(options.consistency === 'relaxed' && { subscriber }),
    ...options,
  })
  cleanups.push(close, () => index.close())
  return { client, index }
}

/** Starts an instance: a cache in memory or in Redis, and a handler that renders the published version. */
async function startInstance(
  content: { version: string },
  given: { kind?: ClientPackage; port?: number; inRedis?: boolean } & Partial<Parameters<typeof redisTagIndex>[0]> = {},
) {
  // Where Redis answers, it has the time that a busy machine takes.
  const { kind = 'redis', port = redis.port, inRedis = false, timeout = 5_000, ...options } = given
  const { client, index } = await startIndex(kind, port, { timeout, pollInterval: 50, ...options })
  const log = vi.fn()
  const store = inRedis ? redisStore({ client, timeout }) : memoryStore({ maxBytes: 1e7 })
  const pages = createResponseCache({ store, tagIndex: index, log })
  let gate: Promise<unknown> = Promise.resolve()
  const rendered = vi.fn<() => void>()
  const headers = {
    'Cache-Control': 's-maxage=60, stale-while-revalidate=600',
    'Cache-Tag': 'document',
    'Content-Type': 'text/html',
  }
  const wrapped = pages.wrap(async () => {
    rendered()
    const { version } = content
    await gate
    return new Response(version, { headers })
  })
  return {
    ...pages,
    client,
    index,
    rendered,
    log,
    hold: (until: Promise<unknown>) => {
      gate = until
    },
    async get() {
      const response = await wrapped(new Request('https://site.test/'))
      return {
        body: await response.text(),
        cacheStatus: response.headers.get('cache-status') ?? '',
        age: response.headers.get('age'),
      }
    },
  }
}

const entry = (overrides: Partial<StoredResponse> = {}): StoredResponse =>
  createTestResponse({
    stamp: { epoch: 'e', sequence: 1 },
    tags: ['a'],
    headers: [['x', 'y']],
    body: new Uint8Array([0, 13, 10, 255]),
    lifetime: 60,
    ttl: 60,
    ...overrides,
  })

describe.each(clientPackages)('the store, with %s', (kind) => {
  const startStore = async (options = {}) => {
    const { client, close } = await connect(kind, redis.port)
    cleanups.push(close)
    return redisStore({ client, ...options })
  }

  it('returns an entry byte for byte, with its age by the clock of Redis', async () => {
    const store = await startStore()
    await store.set('k', entry(), 5)
    await wait(50)
    const spy = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    const found = await store.get('k')
    spy.mockRestore()
    expect(found?.entry).toEqual(entry())
    expect(found?.age).toBeGreaterThanOrEqual(5.04)
    expect(found?.age).toBeLessThan(8)
    expect(await store.get('other')).toBeUndefined()
    await store.delete('k')
    expect(await store.get('k')).toBeUndefined()
  })

  it('expires entries after their ttl, and drops those that are too large', async () => {
    const store = await startStore({ maxEntryBytes: 2000, prefix: 'p' })
    await store.set('k', entry({ ttl: 0.05 }))
    await store.set('old', entry(), 61)
    await store.set('large', entry({ body: new Uint8Array(3000) }))
    await store.set('x'.repeat(5000), entry())
    await wait(80)
    expect(await Promise.all(['k', 'old', 'large'].map((key) => store.get(key)))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(await store.get('x'.repeat(5000))).toBeDefined()
  })

  const bytesOut = async () => Number(/total_net_output_bytes:(\d+)/.exec(await command(redis.port, 'INFO stats'))?.[1])
  /** Connects a client whose commands `around` sends. */
  const connectAround = async (around: (args: unknown[], send: () => Promise<unknown>) => Promise<unknown>) => {
    const { client, close } = await connect(kind, redis.port)
    cleanups.push(close)
    const method = 'callBuffer' in client ? 'callBuffer' : 'sendCommand'
    const send = (client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.bind(client)
    return Object.assign(client, { [method]: (...args: unknown[]) => around(args, async () => send?.(...args)) })
  }
  const bytesOf = (args: unknown[]) =>
    args
      .flat()
      .filter(Buffer.isBuffer)
      .reduce((sum, { length }) => sum + length, 0)
  const piece = 256 * 1024
  const getPiece = toEchoingSource(pieceSource)
  const isReadOfPiece = (args: unknown[]) => args.includes(getPiece) || args.includes(digestScript(getPiece))
  /** Counts what is on its way at the same time, as `sizeOf` says of each command. */
  const countInFlight = (sizeOf: (args: unknown[]) => number) => {
    const counted = { now: 0, most: 0 }
    return {
      counted,
      async around(args: unknown[], send: () => Promise<unknown>) {
        const size = sizeOf(args.flat())
        counted.now += size
        counted.most = Math.max(counted.most, counted.now)
        return await send().finally(() => {
          counted.now -= size
        })
      },
    }
  }

  it('has no more than 8 MiB of large entries on their way at the same time, and reads them all', async () => {
    const { counted, around } = countInFlight((args) => (isReadOfPiece(args) ? 1 : 0))
    const store = redisStore({ client: await connectAround(around), timeout: 20_000 })
    const names = Array.from({ length: 12 }, (_, index) => `${index}`)
    const body = new Uint8Array(randomBytes(2.5 * 1024 * 1024))
    for (const name of names) await store.set(name, entry({ statusText: name, body }))
    const found = await Promise.all(names.map((name) => store.get(name)))
    expect(found.map((hit) => hit?.entry.kind === 'response' && hit.entry.statusText)).toEqual(names)
    // How many depends on the time that they take.
    expect(counted.most).toBeGreaterThan(1)
    expect(counted.most).toBeLessThanOrEqual((8 * 1024 * 1024) / piece)
  })

  it.each([
    ['files', 7],
    ['pages', 0.9],
  ])('has no more than 2 MiB of %s on the way to Redis at the same time, and writes them all', async (_, mebibytes) => {
    const { counted, around } = countInFlight(bytesOf)
    const store = redisStore({ client: await connectAround(around), timeout: 20_000 })
    const names = Array.from({ length: 8 }, (_, index) => `${index}`)
    const body = new Uint8Array(randomBytes(mebibytes * 1024 * 1024))
    await Promise.all(names.map((name) => store.set(name, entry({ statusText: name, body }))))
    expect(counted.most).toBeGreaterThan(piece)
    expect(counted.most).toBeLessThan(2.1 * 1024 * 1024)
    const found = await Promise.all(names.map((name) => store.get(name)))
    expect(found.map((hit) => hit?.entry.kind === 'response' && hit.entry.statusText)).toEqual(names)
  })

  it('has less on its way where pieces are slow, so that a stamp waits for 512 KiB at most', async () => {
    const { counted, around } = countInFlight(bytesOf)
    const slowly = (args: unknown[], send: () => Promise<unknown>) =>
      around(args, async () => {
        if (bytesOf(args) > 0) await wait(60)
        return await send()
      })
    const store = redisStore({ client: await connectAround(slowly), timeout: 20_000 })
    const body = new Uint8Array(randomBytes(5 * 1024 * 1024))
    await store.set('slow', entry({ body }))
    counted.most = 0
    await store.set('slower', entry({ body }))
    expect(counted.most).toBeGreaterThan(piece)
    expect(counted.most).toBeLessThan(2 * piece + 10_000)
    const found = (await store.get('slower'))?.entry
    expect(found?.kind === 'response' && Buffer.compare(found.body, body)).toBe(0)
  })

  describe('while there is no room for another large entry', () => {
    const large = (statusText: string) => entry({ statusText, body: new Uint8Array(2 * 1024 * 1024) })
    /** Starts a store on which writes are under way until `end` is called. */
    const startBusyStore = async (timeout: number) => {
      let end = () => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      const client = await connectAround(async (args, send) => {
        if (bytesOf(args) >= piece) await ended
        return await send()
      })
      const store = redisStore({ client, timeout })
      await store.set('k', entry({ statusText: 'previous' }))
      // The first piece of each has its way.
      const others = Array.from({ length: (2 * 1024 * 1024) / piece }, async (_, index) =>
        store.set(`${index}`, large('')),
      )
      const statusText = async () => {
        const { entry } = (await store.get('k')) ?? {}
        return entry?.kind === 'response' ? entry.statusText : undefined
      }
      return { store, end, others: Promise.allSettled(others), statusText }
    }

    it('a later write or a deletion takes the place of one that waits', async () => {
      for (const [expected, act] of [
        ['small', (store: Store) => store.set('k', entry({ statusText: 'small' }))],
        ['large', (store: Store) => store.set('k', large('large'))],
        [undefined, (store: Store) => store.delete('k')],
      ] as const) {
        const { store, end, others, statusText } = await startBusyStore(20_000)
        const waiting = store.set('k', large('waiting'))
        const acted = act(store)
        if (expected !== 'large') await acted
        end()
        await Promise.all([others, waiting, acted])
        expect(await statusText()).toBe(expected)
      }
    })

    it('what finds no room in time is not stored, and the previous entry stays', async () => {
      const { store, end, others, statusText } = await startBusyStore(5_000)
      expect(await store.set('k', large('waiting'))).toBe(false)
      expect(await statusText()).toBe('previous')
      end()
      await others
      expect(await statusText()).toBe('previous')
    })
  })

  describe('in pieces', () => {
    const bodyOf = (text: string) => new Uint8Array(Buffer.alloc(2 * 1024 * 1024, text))
    const textOf = (hit: { entry: StoreEntry } | undefined) => {
      const { entry } = hit ?? {}
      if (entry?.kind !== 'response') return undefined
      const text = Buffer.from(entry.body).toString()
      // Each piece is of the same body.
      return text === (text[0] ?? '').repeat(entry.body.length) ? `${text[0]}${entry.statusText}` : 'mixed'
    }
    /** Starts a store that calls `between` before the third piece of a body. */
    const startInterrupted = async (kindOfPiece: 'read' | 'written', between: () => Promise<unknown>) => {
      let pieces = 0
      const client = await connectAround(async (args, send) => {
        const isPiece = kindOfPiece === 'written' ? bytesOf(args) >= piece : isReadOfPiece(args.flat())
        if (isPiece && ++pieces === 3) await between()
        return await send()
      })
      return redisStore({ client, timeout: 20_000 })
    }

    it('the previous body is read until the last piece of the next one is there', async () => {
      const seen: unknown[] = []
      const other = await startStore({ timeout: 20_000 })
      const store = await startInterrupted('written', async () => seen.push(textOf(await other.get('k'))))
      await other.set('k', entry({ statusText: 'a', body: bodyOf('a') }))
      await store.set('k', entry({ statusText: 'b', body: bodyOf('b') }))
      expect([...seen, textOf(await other.get('k'))]).toEqual(['aa', 'bb'])
    })

    it.each([
      ['a large entry', 'cc', (store: Store) => store.set('k', entry({ statusText: 'c', body: bodyOf('c') }))],
      ['a small one', 'cc', (store: Store) => store.set('k', entry({ statusText: 'c', body: new Uint8Array([99]) }))],
      ['nothing', undefined, (store: Store) => store.delete('k')],
    ] as [string, string | undefined, (store: Store) => Promise<void>][])(
      'what another instance replaces meanwhile by %s is neither written nor read',
      async (_, expected, replace) => {
        const other = await startStore({ timeout: 20_000 })
        const writing = await startInterrupted('written', () => replace(other))
        await writing.set('k', entry({ statusText: 'b', body: bodyOf('b') }))
        expect(textOf(await other.get('k'))).toBe(expected)
        await other.set('k', entry({ statusText: 'a', body: bodyOf('a') }))
        const reading = await startInterrupted('read', () => replace(other))
        expect(textOf(await reading.get('k'))).toBe(expected)
      },
    )

    it('leave no more in Redis than the entry, also after an instance was killed while it wrote', async () => {
      const numberOf = async (name: string) =>
        Number(/\d+/.exec(await command(redis.port, `${name} sitewright:entry:k`)))
      const store = await startStore({ timeout: 20_000 })
      const killed = await startInterrupted('written', async () => {
        throw new Error('killed')
      })
      await expect(killed.set('k', entry({ body: bodyOf('a') }))).rejects.toThrow('killed')
      expect(await store.get('k')).toBeUndefined()
      expect(await numberOf('PTTL')).toBeGreaterThan(50_000)
      const count = () => numberOf('HLEN')
      // since, head, length, version, slot, and pieces of 256 KiB
      await store.set('k', entry({ body: bodyOf('b') }))
      expect(await count()).toBe(5 + 8)
      await killed.set('k', entry({ body: bodyOf('c') }))
      expect(await count()).toBe(5 + 8)
      await store.set('k', entry({ body: new Uint8Array(10) }))
      expect(await count()).toBe(5 + 1)
    })
  })

  it('reads no page of a usual size after all the larger entries that were asked for before', async () => {
    const store = await startStore({ timeout: 20_000 })
    const names = Array.from({ length: 12 }, (_, index) => `${index}`)
    for (const name of names) await store.set(name, entry({ body: new Uint8Array(randomBytes(7 * 1024 * 1024)) }))
    await store.set('page', entry({ body: new Uint8Array(randomBytes(100 * 1024)) }))
    const order: string[] = []
    await Promise.all(
      [...names, 'page'].map(async (name) => {
        await store.get(name)
        order.push(name)
      }),
    )
    expect(order.indexOf('page')).toBeLessThan(6)
  })

  it('removes the previous entry when the new one is dropped', async () => {
    const store = await startStore({ maxEntryBytes: 2000 })
    for (const [dropped, age] of [
      [entry({ body: new Uint8Array(3000) }), 0],
      [entry(), 61],
    ] as const) {
      await store.set('k', entry())
      await store.set('k', dropped, age)
      expect(await store.get('k')).toBeUndefined()
    }
  })

  it('returns bodies of any length unchanged', async () => {
    const store = await startStore({ timeout: 20_000 })
    const body = new Uint8Array(randomBytes(600_000))
    for (const length of [600_000, 0, 10, 81_000, 262_143, 262_144, 262_145, 524_288]) {
      await store.set('k', entry({ body: body.subarray(0, length) }))
      expect((await store.get('k'))?.entry).toEqual(entry({ body: body.subarray(0, length) }))
    }
  })

  it('returns nothing that another program has changed', async () => {
    const store = await startStore({ timeout: 20_000 })
    await store.set('k', entry({ body: new Uint8Array(300_000) }))
    await command(redis.port, 'HDEL sitewright:entry:k a1 b1')
    await expect(store.get('k')).rejects.toThrow('expected a cache entry, got other bytes')
    await command(redis.port, "EVAL \"redis.call('HSET', 'sitewright:entry:k', 'b1', string.rep('x', 1e6))\" 0")
    expect(await store.get('k')).toBeUndefined()
    await command(redis.port, 'HSET sitewright:entry:k length 1e15')
    await expect(store.get('k')).rejects.toThrow('expected an entry of at most')
  })

  it('treats an entry from the future as a miss, since the clock was set back', async () => {
    const store = await startStore()
    await store.set('k', entry())
    await command(redis.port, `HSET sitewright:entry:k since ${Date.now() + 3_600_000}`)
    expect(await store.get('k')).toBeUndefined()
    await store.set('k', entry())
    expect((await store.get('k'))?.age).toBeLessThan(5)
  })

  it('rejects when Redis is full and may not evict, and removes the previous entry', async () => {
    const store = await startStore()
    await store.set('k', entry({ body: new Uint8Array(10) }))
    await command(redis.port, 'CONFIG SET maxmemory 1')
    try {
      await expect(store.set('k', entry({ body: new Uint8Array(1000) }))).rejects.toThrow('OOM')
      await expect(store.set('new', entry())).rejects.toThrow('OOM')
      expect(await Promise.all(['k', 'new'].map((key) => store.get(key)))).toEqual([undefined, undefined])
    } finally {
      await command(redis.port, 'CONFIG SET maxmemory 0')
    }
  })

  it('does not read an entry of more than maxEntryBytes, which is a miss with one line in the log', async () => {
    const store = await startStore({ maxEntryBytes: 2000 })
    const cause = `sitewright:entry:https://site.test/: expected an entry of at most 2000 bytes, got 100000000`
    await command(redis.port, "EVAL \"redis.call('SETRANGE', 'big', 99999999, 'x')\" 0")
    const copy =
      "redis.call('HSET', KEYS[1], 'since', 1, 'length', 1e8, 'version', 1, 'slot', 'a', 'a0', redis.call('GET', 'big'))"
    await command(redis.port, `EVAL "${copy}" 1 sitewright:entry:https://site.test/`)
    const before = await bytesOut()
    await expect(store.get('https://site.test/')).rejects.toThrow(cause)
    expect((await bytesOut()) - before).toBeLessThan(20_000)
    const log = vi.fn()
    const cache = createResponseCache({ store, tagIndex: memoryTagIndex(), log })
    const handler = cache.wrap(async () => new Response('page'))
    for (let time = 0; time < 3; time++) {
      expect(await (await handler(new Request('https://site.test/'))).text()).toBe('page')
    }
    expect(log.mock.calls).toEqual([
      ['Response cache: store operation failed', { operation: 'get', reason: expect.stringContaining(cause) }],
    ])
  })

  it('rejects when the key holds another value, and replaces it when possible', async () => {
    const store = await startStore()
    await command(redis.port, 'HSET sitewright:entry:k since 1 head garbage length 1 version 1 slot a a0 x')
    await expect(store.get('k')).rejects.toThrow('sitewright:entry:k: expected a cache entry, got other bytes')
    await command(redis.port, 'SET sitewright:entry:t text')
    await expect(store.get('t')).rejects.toThrow('WRONGTYPE')
    await expect(store.set('t', entry())).rejects.toThrow('WRONGTYPE')
    for (const key of ['k', 't']) {
      await store.set(key, entry())
      expect(await store.get(key)).toBeDefined()
    }
  })
})

describe.each(clientPackages)('the tag index, with %s', (kind) => {
  const stampOf = async (index: { stamp(): unknown }) => (await index.stamp()) as Stamp

  it('counts hard and soft purges apart, both only rising', async () => {
    const { index } = await startIndex(kind)
    const before = await stampOf(index)
    await index.purge(['a', 'ä b'], 'soft')
    expect(await index.purgedSince(before, ['a'])).toBe('soft')
    expect(await index.purgedSince(before, ['x', 'ä b'])).toBe('soft')
    expect(await index.purgedSince(before, ['x'])).toBe('none')
    const between = await stampOf(index)
    await index.purge(['a'], 'hard')
    await index.purge(['a'], 'soft')
    const after = await stampOf(index)
    expect([before, between, after].map(({ sequence }) => sequence)).toEqual([0, 1, 3])
    expect(await Promise.all([before, between, after].map((stamp) => index.purgedSince(stamp, ['a'])))).toEqual([
      'hard',
      'hard',
      'none',
    ])
  })

  it('purges 10,000 tags at once', async () => {
    const { index } = await startIndex(kind)
    const tags = Array.from({ length: 10_000 }, (_, at) => `tag-${at}`)
    const before = await stampOf(index)
    await index.purge(tags, 'hard')
    expect(await index.purgedSince(before, tags.slice(-1))).toBe('hard')
    const after = await stampOf(index)
    expect(await index.purgedSince(after, tags)).toBe('none')
    await index.purge(['tag-9999'], 'soft')
    expect(await index.purgedSince(after, tags)).toBe('soft')
  })

  it('purges 200,000 tags at once, and answers 300 concurrent queries about 1,000 each', async () => {
    const { index } = await startIndex(kind, redis.port, { timeout: 5_000 })
    const tags = Array.from({ length: 200_000 }, (_, at) => `tag-${at}`)
    const before = await stampOf(index)
    await index.purge(tags, 'hard')
    expect(await index.purgedSince(before, tags.slice(-1))).toBe('hard')
    const after = await stampOf(index)
    await index.purge(['tag-500'], 'soft')
    const query = (first: number) => index.purgedSince(after, tags.slice(first, first + 1000))
    const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => query(at % 2 ? 0 : 1000)))
    expect(answers).toEqual(Array.from({ length: 300 }, (_, at) => (at % 2 ? 'soft' : 'none')))
  })

  it('treats everything as purged when the tags exceed maxBytes, and logs it', async () => {
    const log = vi.fn()
    const { index } = await startIndex(kind, redis.port, { maxBytes: 400, log })
    const before = await stampOf(index)
    for (let tag = 0; tag < 20; tag++) await index.purge([`tag-${tag}`], 'soft')
    expect(log).toHaveBeenCalledWith(
      'Redis tag index: the purged tags exceeded maxBytes; all that is stored counts as purged',
      { dropped: expect.any(Number), maxBytes: 400 },
    )
    expect(await index.purgedSince(before, ['unrelated'])).toBe('hard')
    const after = await stampOf(index)
    expect(after.sequence).toBe(20)
    expect(await index.purgedSince(after, ['tag-19'])).toBe('none')
  })

  it.each(['FLUSHALL', 'DEL sitewright:tags'])('has a new epoch after %s', async (text) => {
    const { index } = await startIndex(kind)
    await index.purge(['a'], 'hard')
    const before = await stampOf(index)
    await command(redis.port, text)
    const after = await stampOf(index)
    expect(after.epoch).not.toBe(before.epoch)
    expect(await index.purgedSince(before, ['x'])).toBe('hard')
    expect((await stampOf(index)).epoch).toBe(after.epoch)
  })

  it('agrees on one epoch when several instances reset it', async () => {
    const instances = await Promise.all(Array.from({ length: 5 }, () => startIndex(kind)))
    await command(redis.port, 'FLUSHALL')
    const stamps = await Promise.all(instances.map(({ index }) => stampOf(index)))
    expect(new Set(stamps.map(({ epoch }) => epoch)).size).toBe(1)
  })

  it('asks about the entries of concurrent requests at once', async () => {
    const { index } = await startIndex(kind)
    await index.purge(['tag-3'], 'soft')
    await index.purge(['tag-5'], 'hard')
    const { epoch } = await stampOf(index)
    await command(redis.port, 'CONFIG RESETSTAT')
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => index.purgedSince({ epoch, sequence: 0 }, ['other', `tag-${at % 10}`])),
    )
    expect(answers.slice(0, 10)).toEqual([
      'none',
      'none',
      'none',
      'soft',
      'none',
      'hard',
      'none',
      'none',
      'none',
      'none',
    ])
    expect(answers).toEqual(Array.from({ length: 10 }, () => answers.slice(0, 10)).flat())
    expect(await command(redis.port, 'INFO commandstats')).toMatch(/cmdstat_evalsha:calls=[12],/)
  })

  it('loads its scripts again after SCRIPT FLUSH', async () => {
    const { index } = await startIndex(kind)
    await index.stamp()
    await command(redis.port, 'SCRIPT FLUSH')
    await index.purge(['a'], 'hard')
    expect((await stampOf(index)).sequence).toBe(1)
  })

  it('rejects a purge that Redis rejects, such as when it is full', async () => {
    const { index } = await startIndex(kind)
    await index.stamp()
    await command(redis.port, 'CONFIG SET maxmemory 1')
    await expect(index.purge(['a'], 'hard')).rejects.toThrow(/OOM/)
    await command(redis.port, 'CONFIG SET maxmemory 0')
    await index.purge(['a'], 'hard')
  })
})

describe('options', () => {
  it.each([
    [
      { client: {} as RedisClient },
      "client: expected a connected client of the package 'redis' or 'ioredis', got an object",
    ],
    [
      { client: undefined as unknown as RedisClient },
      "client: expected a connected client of the package 'redis' or 'ioredis', got undefined",
    ],
    [
      { subscriber: {} as RedisSubscriber },
      "subscriber: expected a second client of 'redis' or 'ioredis', got an object",
    ],
    [{ pollInterval: 0 }, 'pollInterval: expected milliseconds > 0 and <= 2147483647, such as 10_000, got 0'],
    [{ maxBytes: 1.5 }, 'maxBytes: expected a whole number >= 1, got 1.5'],
    [{ maxBytes: Number.NaN }, 'maxBytes: expected a whole number >= 1, got NaN'],
    [{ timeout: 0 }, 'timeout: expected milliseconds > 0 and <= 2147483647, such as 10_000, got 0'],
    [{ consistency: 'loose' as 'strict' }, "consistency: expected 'strict' or 'relaxed', got 'loose'"],
  ])('%j is rejected', (wrong, message) => {
    expect(() => redisTagIndex({ client: { sendCommand: async () => {}, withTypeMapping() {} }, ...wrong })).toThrow(
      new TypeError(message),
    )
  })
})

describe.each([
  ['redis', true],
  ['ioredis', true],
  ['redis', false],
  ['ioredis', false],
] as const)('two instances, with %s, pages in Redis: %s', (kind, inRedis) => {
  const startTwo = async (given: Parameters<typeof startInstance>[1] = {}) => {
    const content = { version: '1' }
    const [a, b] = [
      await startInstance(content, { kind, inRedis, ...given }),
      await startInstance(content, { kind, inRedis, ...given }),
    ]
    return { content, a, b }
  }

  it('the next request sees a purge on the other instance', async () => {
    const { content, a, b } = await startTwo()
    for (let version = 2; version < 30; version++) {
      await Promise.all([a.get(), b.get()])
      content.version = String(version)
      await (version % 2 ? a : b).invalidate(['document'])
      expect([(await a.get()).body, (await b.get()).body]).toEqual([content.version, content.version])
      expect((await b.get()).cacheStatus).toContain('hit')
    }
  })

  it('a purge on the other instance during a render makes its response stale', async () => {
    const { content, a, b } = await startTwo()
    let release: (value: unknown) => void = () => {}
    b.hold(
      new Promise((resolve) => {
        release = resolve
      }),
    )
    const before = b.get()
    await vi.waitFor(() => expect(b.rendered).toHaveBeenCalledTimes(1), 20_000)
    content.version = '2'
    await a.invalidate(['document'])
    const after = b.get()
    await vi.waitFor(() => expect(b.rendered).toHaveBeenCalledTimes(2), 20_000)
    release(undefined)
    expect([(await before).body, (await after).body, (await b.get()).body, (await a.get()).body]).toEqual([
      '1',
      '2',
      '2',
      '2',
    ])
  })

  it('a purge during a background revalidation takes effect, and a soft purge does not undo a hard one', async () => {
    const { content, a, b } = await startTwo()
    await b.get()
    await a.invalidate(['document'], { mode: 'soft' })
    let release: (value: unknown) => void = () => {}
    b.hold(
      new Promise((resolve) => {
        release = resolve
      }),
    )
    expect((await b.get()).cacheStatus).toContain('soft-purged')
    await vi.waitFor(() => expect(b.rendered).toHaveBeenCalledTimes(2), 20_000)
    content.version = '2'
    await a.invalidate(['document'])
    await a.invalidate(['document'], { mode: 'soft' })
    const after = b.get()
    await vi.waitFor(() => expect(b.rendered).toHaveBeenCalledTimes(3), 20_000)
    release(undefined)
    expect([(await after).body, (await b.get()).body]).toEqual(['2', '2'])
  })
})

describe('an instance whose clock is an hour ahead', () => {
  it('agrees with the others on ages and purges', async () => {
    const content = { version: '1' }
    const instance = await startInstance(content, { inRedis: true })
    const now = Date.now
    await instance.get()
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000)
    const ahead = await startInstance(content, { inRedis: true })
    expect(await ahead.get()).toMatchObject({ body: '1', age: '0', cacheStatus: expect.stringContaining('hit') })
    content.version = '2'
    await ahead.invalidate(['document'])
    spy.mockRestore()
    expect((await instance.get()).body).toBe('2')
  })
})

it.each(['strict', 'relaxed'] as const)(
  '%s: when Redis has lost purges and not the pages, pages with numbers it never gave out count as purged',
  async (consistency) => {
    const content = { version: '1' }
    const options = { consistency, durable: true, inRedis: true, subscriber: undefined }
    await command(redis.port, 'CONFIG SET appendonly yes')
    const instance = await startInstance(content, options)
    for (let count = 0; count < 5; count++) await instance.invalidate(['document'])
    expect((await instance.get()).body).toBe('1')
    expect((await instance.get()).cacheStatus).toContain('hit')
    // As after a failover to a replica that lacks the last purges, on a master that has the entry.
    await command(redis.port, 'HSET sitewright:tags sequence 1')
    content.version = '2'
    await vi.waitFor(async () => expect((await instance.get()).body).toBe('2'), 20_000)
    content.version = '3'
    await instance.invalidate(['document'])
    expect((await instance.get()).body).toBe('3')
  },
)

describe('relaxed', () => {
  const relaxed = { consistency: 'relaxed', pollInterval: 200 } as const

  it('answers from memory, and receives a purge at once', async () => {
    const content = { version: '1' }
    const byMessage = { ...relaxed, pollInterval: 60_000 }
    const [a, b] = [
      await startInstance(content, byMessage),
      await startInstance(content, { ...byMessage, kind: 'ioredis' }),
    ]
    for (const reader of [a, b]) await reader.get()
    content.version = '2'
    // Again, since a message before it has subscribed does not reach it.
    await vi.waitFor(async () => {
      await a.invalidate(['document'])
      expect((await a.get()).body).toBe('2')
      await wait(50)
      expect((await b.get()).body).toBe('2')
    }, 20_000)
    await vi.waitFor(async () => {
      await b.get()
      expect(b.index.stamp()).not.toBeInstanceOf(Promise)
    }, 20_000)
  })

  it('believes no number of a message: purges reach what was stored after one that is far too high', async () => {
    const content = { version: '1' }
    const byMessage = { ...relaxed, pollInterval: 60_000 }
    const strict = await startInstance(content, { inRedis: true })
    const reader = await startInstance(content, { ...byMessage, inRedis: true })
    await reader.get()
    const { epoch } = (await reader.index.stamp()) as Stamp
    // As soon as it has subscribed, it no longer takes its stamp from memory.
    await vi.waitUntil(async () => {
      await command(redis.port, `PUBLISH sitewright:purges "${epoch} 9007199254740991"`)
      await wait(50)
      return reader.index.stamp() instanceof Promise
    })
    expect(await reader.index.stamp()).toEqual({ epoch, sequence: 0 })
    await command(redis.port, 'DEL sitewright:entry:https://site.test/')
    expect((await reader.get()).body).toBe('1')
    content.version = '2'
    await strict.invalidate(['document'])
    for (const instance of [strict, reader]) expect((await instance.get()).body).toBe('2')
  })

  it('is behind by the poll interval at most when the message is lost', async () => {
    const content = { version: '1' }
    const [a, unsubscribed] = [
      await startInstance(content),
      await startInstance(content, { ...relaxed, subscriber: undefined }),
    ]
    await unsubscribed.get()
    content.version = '2'
    await a.invalidate(['document'])
    await wait(210)
    expect((await unsubscribed.get()).body).toBe('2')
  })

  it('asks Redis first when its stamp is too old, as after a pause', async () => {
    const content = { version: '1' }
    const [a, b] = [await startInstance(content), await startInstance(content, { ...relaxed, subscriber: undefined })]
    await b.get()
    b.index.close() // stops polling
    content.version = '2'
    await a.invalidate(['document'])
    await wait(210)
    expect((await b.get()).body).toBe('2')
  })
})

describe('a client without a queue that is still connecting', () => {
  const create = {
    redis: (port: number) => {
      const client = createClient({ url: `redis://127.0.0.1:${port}`, disableOfflineQueue: true })
      client.on('error', () => {})
      client.connect().catch(() => {})
      cleanups.push(() => client.destroy())
      return client
    },
    ioredis: (port: number) => {
      const client = new Redis(port, '127.0.0.1', { enableOfflineQueue: false })
      client.on('error', () => {})
      cleanups.push(() => client.disconnect())
      return client
    },
  }

  it.each(clientPackages)('the first requests are cached, with %s', async (kind) => {
    const client = create[kind](redis.port)
    const index = redisTagIndex({ client, log: () => {} })
    cleanups.push(() => index.close())
    const log = vi.fn()
    const pages = createResponseCache({ store: redisStore({ client }), tagIndex: index, log })
    const render = vi.fn(async () => new Response('page', { headers: { 'Cache-Control': 's-maxage=60' } }))
    const get = pages.wrap(render)
    for (let time = 0; time < 3; time++) await (await get(new Request('http://localhost/')))?.text()
    expect(render).toHaveBeenCalledTimes(1)
    expect(log).not.toHaveBeenCalled()
  })

  it('a purge rejects when there is no Redis', async () => {
    // Both at once, since each waits 5 s for the first connection.
    const purges = clientPackages.map(async (kind) => {
      const proxy = await startProxy(redis.port)
      cleanups.push(() => proxy.stop())
      proxy.set('refuse')
      const index = redisTagIndex({ client: create[kind](proxy.port), log: () => {} })
      cleanups.push(() => index.close())
      await expect(index.purge(['document'], 'hard'), kind).rejects.toThrow()
    })
    await Promise.all(purges)
  })
})

test('numbers may be replied as strings, by an option of ioredis', async () => {
  const client = new Redis(redis.port, '127.0.0.1', { stringNumbers: true })
  cleanups.push(() => client.disconnect())
  const store = redisStore({ client })
  const large = entry({ body: new Uint8Array(randomBytes(700_000)) })
  await store.set('large', large)
  expect((await store.get('large'))?.entry).toEqual(large)
  await expect(redisStore({ client, maxEntryBytes: 2_000 }).get('large')).rejects.toThrow('at most 2000 bytes, got 70')
  expect(await store.get('none')).toBeUndefined()
  const index = redisTagIndex({ client, durable: false })
  cleanups.push(() => index.close())
  const stamp = (await index.stamp()) as Stamp
  await index.purge(['a'], 'soft')
  expect([await index.purgedSince(stamp, ['a']), await index.purgedSince(stamp, ['b'])]).toEqual(['soft', 'none'])
})

describe.each(clientPackages)('Redis unavailable, with %s', (kind) => {
  const startWithProxy = async (given: Parameters<typeof startInstance>[1] = {}) => {
    const own = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
    const proxy = await startProxy(own.port)
    const content = { version: '1' }
    cleanups.push(
      () => own.stop(),
      () => proxy.stop(),
    )
    const instance = await startInstance(content, { kind, port: proxy.port, timeout: 200, ...given })
    return { own, proxy, content, instance, client: instance.client }
  }
  const recovers = (instance: Awaited<ReturnType<typeof startInstance>>) =>
    vi.waitFor(async () => {
      await instance.get()
      expect((await instance.get()).cacheStatus).toContain('hit')
    }, 20_000)

  it.each(['refuse', 'stall', 'drop-replies'] as const)(
    '(%s): pages are rendered, a purge rejects, nothing hangs',
    async (mode) => {
      const { proxy, content, instance } = await startWithProxy()
      await instance.get()
      proxy.set(mode)
      content.version = '2'
      // Without their limit of 200 ms, commands would wait for good, and the test for its own limit.
      expect((await instance.get()).body).toBe('2')
      expect(await instance.get()).toMatchObject({
        body: '2',
        cacheStatus: expect.stringContaining('tag-index-unavailable'),
      })
      await expect(instance.invalidate(['document'])).rejects.toThrow()
      content.version = '3'
      proxy.cut()
      proxy.set('forward')
      await vi.waitFor(() => instance.invalidate(['document']), 20_000)
      await recovers(instance)
      expect((await instance.get()).body).toBe('3')
    },
  )

  it('swallows everything: no more commands are queued, nobody waits, and it recovers', async () => {
    const { proxy, instance, client } = await startWithProxy({ inRedis: true })
    await recovers(instance)
    const sent = vi.spyOn(client as Pick<typeof client, 'sendCommand'>, 'sendCommand')
    proxy.set('stall')
    await vi.waitFor(async () => expect((await instance.get()).cacheStatus).toContain('tag-index-unavailable'), 20_000)
    await wait(250) // longer than the time limit of what was sent until now
    sent.mockClear()
    const requests: Promise<{ cacheStatus: string }>[] = []
    for (let round = 0; round < 100; round++) {
      for (let request = 0; request < 5; request++) requests.push(instance.get())
      await wait(10)
    }
    const statuses = new Set((await Promise.all(requests)).map(({ cacheStatus }) => cacheStatus))
    expect([...statuses].every((status) => status.includes('tag-index-unavailable'))).toBe(true)
    expect(sent).not.toHaveBeenCalled()
    proxy.set('forward')
    await recovers(instance)
  })

  it('does not count as unavailable when it was this process that had no time to read the reply', async () => {
    const { instance } = await startWithProxy({ inRedis: true })
    await recovers(instance)
    await wait(150) // the next stamp asks INFO, too
    const reply = instance.get()
    await wait(0)
    const later = instance.get()
    for (const blockedUntil = performance.now() + 1_300; performance.now() < blockedUntil; ) {}
    expect((await reply).cacheStatus).toContain('hit')
    expect((await later).cacheStatus).toContain('hit')
    expect((await instance.get()).cacheStatus).toContain('hit')
  })

  it('cut between a purge and its acknowledgement: the purge rejects or succeeds, and takes effect', async () => {
    const { proxy, content, instance } = await startWithProxy()
    await vi.waitFor(() => instance.invalidate(['another']), 20_000) // loads the script
    await instance.get()
    content.version = '2'
    proxy.set('drop-replies')
    const purge = instance.invalidate(['document'])
    await wait(50)
    proxy.cut()
    proxy.set('forward')
    await purge.catch(() => {}) // ioredis sends it again, which may succeed
    await recovers(instance)
    expect((await instance.get()).body).toBe('2')
  })

  it.each([
    ['empty', true],
    ['with its data', false],
  ])('killed and restarted %s: no entry older than the last purge is served', async (_, isEmpty) => {
    const { own, content, instance } = await startWithProxy({ inRedis: true })
    const other = await startInstance(content, { kind, port: own.port })
    await Promise.all([instance.get(), other.get()])
    content.version = '2'
    await vi.waitFor(() => instance.invalidate(['document']), 20_000)
    await own.kill()
    if (isEmpty) await own.empty()
    expect((await other.get()).body).toBe('2')
    await own.start()
    await Promise.all([recovers(instance), recovers(other)])
    expect([(await instance.get()).body, (await other.get()).body]).toEqual(['2', '2'])
  })

  it('restarted with an old snapshot that lacks the purge: no earlier entry is served', async () => {
    const own = await startRedis(['--appendonly', 'no'])
    cleanups.push(() => own.stop())
    const content = { version: '1' }
    const instance = await startInstance(content, { kind, port: own.port, inRedis: true })
    await instance.get()
    await command(own.port, 'SAVE')
    content.version = '2'
    await vi.waitFor(() => instance.invalidate(['document']), 20_000)
    await own.kill()
    await own.start()
    await recovers(instance)
    expect((await instance.get()).body).toBe('2')

    // With `durable` wrongly set, the purge is lost.
    const durable = await startInstance({ version: '4' }, { kind, port: own.port, durable: true })
    await durable.get()
    const [before] = [await durable.index.stamp()]
    await command(own.port, 'SAVE')
    await own.kill()
    await own.start()
    await vi.waitFor(async () => expect(await durable.index.stamp()).toEqual(before), 20_000)
  })
})

test('a connection of a pool that stops answering does not count for the others for long', {
  timeout: 60_000,
}, async () => {
  const proxy = await startProxy(redis.port)
  const pool = createClientPool({ socket: { port: proxy.port, host: '127.0.0.1' } }, { minimum: 1, maximum: 4 })
  pool.on('error', () => {})
  await pool.connect()
  cleanups.push(
    () => proxy.stop(),
    () => pool.destroy(),
  )
  const index = redisTagIndex({ client: pool, timeout: 200, pollInterval: 50, log: () => {} })
  cleanups.push(() => index.close())
  const before = await index.stamp()
  proxy.set('stall')
  proxy.set('forward-new') // what is open stays as it is: a firewall has dropped its state
  await expect(index.stamp()).rejects.toThrow('did not answer')
  await vi.waitFor(async () => expect(await index.stamp()).toEqual(before), 20_000)
  await index.purge(['a'], 'hard')
  expect((await index.stamp())?.sequence).toBe((before?.sequence ?? 0) + 1)
})
