import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { createClient, createClientPool } from 'redis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import {
  createResponseCache,
  memoryStore,
  memoryTagIndex,
  type Stamp,
  type StoredResponse,
} from '../../core/cache/index.js'
import { createTestResponse } from '../../core/cache/testing/entries.js'
import {
  type RedisClient,
  type RedisSubscriber,
  type RedisTagIndexOptions,
  redisStore,
  redisTagIndex,
} from './index.js'
import { createRedisTagIndex } from './tag-index.js'
import { clientPackages, redisCommand as command, connect, startProxy, startRedis } from './testing/redis-server.js'

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

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
type IndexOptions = Partial<RedisTagIndexOptions> & { pollInterval?: number }
async function startIndex(kind: ClientPackage, port = redis.port, indexOptions: IndexOptions = {}) {
  const { pollInterval = 50, ...options } = indexOptions
  const { client, subscriber, close } = await connect(kind, port)
  const relaxed = options.consistency === 'relaxed' && { subscriber }
  const index = createRedisTagIndex({ client, log: () => {}, ...relaxed, ...options }, pollInterval)
  cleanups.push(close, () => index.close())
  return { client, index }
}

/** Starts an instance: a cache in memory or in Redis, and a handler that renders the published version. */
async function startInstance(
  content: { version: string },
  given: { kind?: ClientPackage; port?: number; inRedis?: boolean } & IndexOptions = {},
) {
  // A long timeout, because a busy machine may answer late.
  const { kind = 'redis', port = redis.port, inRedis = false, timeout = 5_000, ...options } = given
  const { client, index } = await startIndex(kind, port, { timeout, ...options })
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

  it('the store returns an entry byte for byte, with its age by the clock of Redis', async () => {
    const store = await startStore()
    await store.set('k', entry(), 5)
    await wait(50)
    const spy = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    const hit = await store.get('k')
    spy.mockRestore()
    expect(hit?.entry).toEqual(entry())
    expect(hit?.age).toBeGreaterThanOrEqual(5.04)
    expect(hit?.age).toBeLessThan(8)
    expect(await store.get('other')).toBeUndefined()
    await store.delete('k')
    expect(await store.get('k')).toBeUndefined()
  })

  it('entries expire after their ttl, and an entry that is too large removes the previous entry', async () => {
    const store = await startStore()
    const large = entry({ body: new Uint8Array(2 * 1024 * 1024) })
    for (const key of ['old', 'large']) await store.set(key, entry())
    expect(await store.set('k', entry({ ttl: 0.05 }))).toBe(true)
    expect(await store.set('old', entry(), 61)).toBe(false)
    expect(await store.set('large', large)).toBe(false)
    await wait(80)
    for (const key of ['k', 'old', 'large']) expect(await store.get(key), key).toBeUndefined()
  })

  it('the store returns bodies of any length unchanged, up to almost 2 MiB', async () => {
    const store = await startStore({ timeout: 20_000 })
    const body = new Uint8Array(randomBytes(2 * 1024 * 1024 - 1_000))
    for (const length of [0, 10, 70_000, body.length]) {
      await store.set('k', entry({ body: body.subarray(0, length) }))
      const found = (await store.get('k'))?.entry.body ?? new Uint8Array()
      expect(Buffer.compare(found, body.subarray(0, length))).toBe(0)
      // The body does not keep the client's buffers in memory.
      expect(found.buffer.byteLength).toBeLessThan(length + 1_000)
    }
  })

  it('an entry whose age is unknown is a miss: the clock was set back, or another program changed it', async () => {
    const store = await startStore()
    for (const change of ['PEXPIRE sitewright:entry:k 3600000', 'PERSIST sitewright:entry:k']) {
      await store.set('k', entry())
      await command(redis.port, change)
      expect(await store.get('k'), change).toBeUndefined()
    }
    await store.set('k', entry())
    expect((await store.get('k'))?.age).toBeLessThan(5)
  })

  it('the store rejects when Redis is full and may not evict, and the cache then serves no older page', async () => {
    const store = await startStore()
    const pages = createResponseCache({ store, tagIndex: memoryTagIndex(), log: () => {} })
    let version = 1
    const headers = { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'document' }
    const handle = pages.wrap(async () => new Response(String(version), { headers }))
    const get = async () => (await handle(new Request('https://site.test/'))).text()
    expect(await get()).toBe('1')
    await command(redis.port, 'CONFIG SET maxmemory 1')
    try {
      await expect(store.set('new', entry())).rejects.toThrow('OOM')
      expect(await store.get('new')).toBeUndefined()
      version = 2
      await pages.invalidate(['document'])
      for (let time = 0; time < 3; time++) expect(await get()).toBe('2')
    } finally {
      await command(redis.port, 'CONFIG SET maxmemory 0')
    }
  })

  it('a value of more than 2 MiB is not read, is a miss and is logged once', async () => {
    const store = await startStore()
    const cause = 'sitewright:entry:https://site.test/: expected an entry of at most 2097152 bytes, got something else'
    await command(redis.port, 'SETRANGE sitewright:entry:https://site.test/ 99999999 x')
    const bytesOut = async () =>
      Number(/total_net_output_bytes:(\d+)/.exec(await command(redis.port, 'INFO stats'))?.[1])
    const sentBefore = await bytesOut()
    await expect(store.get('https://site.test/')).rejects.toThrow(cause)
    expect((await bytesOut()) - sentBefore).toBeLessThan(20_000)
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

  it('the store rejects when the key holds a value of another type, and can replace it', async () => {
    const store = await startStore()
    await store.set('truncated', entry())
    await command(
      redis.port,
      "EVAL \"redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[1], 0, -2), 'KEEPTTL')\" 1 sitewright:entry:truncated",
    )
    await command(redis.port, 'SET sitewright:entry:text garbage PX 60000')
    await command(redis.port, 'HSET sitewright:entry:hash since 1 head garbage')
    for (const key of ['truncated', 'text']) {
      await expect(store.get(key)).rejects.toThrow(`sitewright:entry:${key}: expected an entry`)
    }
    await expect(store.get('hash')).rejects.toThrow('WRONGTYPE')
    for (const key of ['truncated', 'text', 'hash']) {
      await store.set(key, entry())
      expect((await store.get(key))?.entry).toEqual(entry())
    }
  })
})

describe.each(clientPackages)('the tag index, with %s', (kind) => {
  const stampOf = async (index: { stamp(): unknown }) => (await index.stamp()) as Stamp

  it('hard and soft purges are counted separately, and their numbers only rise', async () => {
    const { index } = await startIndex(kind)
    const before = await stampOf(index)
    await index.purge(['a', 'ä b'], 'soft')
    expect(await index.purgedSince(before, ['a'])).toBe('soft')
    expect(await index.purgedSince(before, ['x', 'ä b'])).toBe('soft')
    expect(await index.purgedSince(before, ['x'])).toBe('none')
    const between = await stampOf(index)
    await index.purge(['a'], 'hard')
    await index.purge(['a'], 'soft')
    const laterStamp = await stampOf(index)
    expect(between.sequence).toBeGreaterThan(before.sequence)
    expect(laterStamp.sequence).toBeGreaterThan(between.sequence + 1)
    expect(await Promise.all([before, between, laterStamp].map((stamp) => index.purgedSince(stamp, ['a'])))).toEqual([
      'hard',
      'hard',
      'none',
    ])
  })

  it('the age of a purge is counted by the clock of Redis, from the last purge of any tag or the reset', async () => {
    const { index } = await startIndex(kind)
    await index.stamp()
    await command(redis.port, 'HSET sitewright:tags began 1000')
    const now = Number((await command(redis.port, 'TIME')).split('\r\n')[2]) * 1000
    const ageSince = async (tags: string[]) => now - ((await index.purgeAge?.(tags)) ?? 0)
    expect(Math.abs((await ageSince(['a'])) - 1_000)).toBeLessThan(60_000)
    await index.purge(['a'], 'soft')
    await index.purge(['b'], 'hard')
    expect(Math.abs((await ageSince(['a', 'x'])) - now)).toBeLessThan(60_000)
    expect(Math.abs((await ageSince(['x', 'b'])) - now)).toBeLessThan(60_000)
    expect(Math.abs((await ageSince(['x'])) - 1_000)).toBeLessThan(60_000)
    await command(redis.port, 'FLUSHALL')
    expect(Math.abs((await ageSince(['x'])) - now)).toBeLessThan(60_000)
  })

  it('a purge takes any number of tags, and purgedSince takes 10,000 tags', async () => {
    const { index } = await startIndex(kind, redis.port, { timeout: 5_000 })
    const tags = Array.from({ length: 21_000 }, (_, at) => `tag-${at}`)
    const before = await stampOf(index)
    await index.purge(tags, 'hard')
    for (const tag of ['tag-0', 'tag-10000', tags.at(-1) ?? '']) {
      expect(await index.purgedSince(before, [tag]), tag).toBe('hard')
    }
    const after = await stampOf(index)
    expect(await index.purgedSince(after, tags.slice(0, 10_000))).toBe('none')
    await index.purge(['tag-9999'], 'soft')
    expect(await index.purgedSince(after, tags.slice(0, 10_000))).toBe('soft')
    expect(await index.purgedSince(after, tags.slice(10_000, 20_000))).toBe('none')
  })

  it('everything counts as purged when the tags exceed maxBytes, and this is logged', async () => {
    const log = vi.fn()
    const { index } = await startIndex(kind, redis.port, { maxBytes: 400, log })
    const before = await stampOf(index)
    for (let tag = 0; tag < 20; tag++) await index.purge([`tag-${tag}`], 'soft')
    const after = await stampOf(index)
    expect(log.mock.calls).toEqual([
      [
        'Redis tag index: emptied, restarted, failed over, or more tags than maxBytes; all that is stored counts as purged',
        { prefix: 'sitewright', maxBytes: 400 },
      ],
    ])
    expect(await index.purgedSince(before, ['unrelated'])).toBe('hard')
    expect(await index.purgedSince(after, ['unrelated'])).toBe('none')
    await index.purge(['a'], 'soft')
    expect(await index.purgedSince(after, ['a'])).not.toBe('none')
    expect(Number(/\d+/.exec(await command(redis.port, 'MEMORY USAGE sitewright:tags'))?.[0])).toBeLessThan(500)
  })

  it.each(['FLUSHALL', 'DEL sitewright:tags'])('the index has a new epoch after %s', async (text) => {
    const { index } = await startIndex(kind)
    await index.purge(['a'], 'hard')
    const before = await stampOf(index)
    await command(redis.port, text)
    const after = await stampOf(index)
    expect(after.epoch).not.toBe(before.epoch)
    expect(await index.purgedSince(before, ['x'])).toBe('hard')
    expect((await stampOf(index)).epoch).toBe(after.epoch)
  })

  it('instances that reset the index at the same time agree on one epoch', async () => {
    const instances = await Promise.all(Array.from({ length: 5 }, () => startIndex(kind)))
    await command(redis.port, 'FLUSHALL')
    const stamps = await Promise.all(instances.map(({ index }) => stampOf(index)))
    expect(new Set(stamps.map(({ epoch }) => epoch)).size).toBe(1)
  })

  it('the index loads its scripts again after SCRIPT FLUSH', async () => {
    const { index } = await startIndex(kind)
    const before = await stampOf(index)
    await command(redis.port, 'SCRIPT FLUSH')
    await index.purge(['a'], 'hard')
    expect((await stampOf(index)).sequence).toBeGreaterThan(before.sequence)
  })

  it('a purge rejects if Redis rejects it, for example when Redis is full', async () => {
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
    [{ maxBytes: 1.5 }, 'maxBytes: expected a whole number >= 1, got 1.5'],
    [{ maxBytes: Number.NaN }, 'maxBytes: expected a whole number >= 1, got NaN'],
    [{ timeout: 0 }, 'timeout: expected milliseconds > 0 and <= 2147483647, such as 10_000, got 0'],
    [{ consistency: 'loose' as 'strict' }, "consistency: expected 'strict' or 'relaxed', got 'loose'"],
  ])('the option %j is rejected', (wrong, message) => {
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
    for (let version = 2; version < 10; version++) {
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
  it('an instance whose clock is an hour ahead agrees with the others on ages and purges', async () => {
    const content = { version: '1' }
    const instance = await startInstance(content, { inRedis: true })
    const realNow = Date.now
    await instance.get()
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 3_600_000)
    const ahead = await startInstance(content, { inRedis: true })
    expect(await ahead.get()).toMatchObject({ body: '1', age: '0', cacheStatus: expect.stringContaining('hit') })
    content.version = '2'
    await ahead.invalidate(['document'])
    spy.mockRestore()
    expect((await instance.get()).body).toBe('2')
  })
})

it.each(['strict', 'relaxed'] as const)(
  '%s: if Redis has lost purges but not the pages, pages with numbers beyond its own count as purged',
  async (consistency) => {
    const content = { version: '1' }
    const options = { consistency, inRedis: true, subscriber: undefined }
    const instance = await startInstance(content, options)
    for (let count = 0; count < 5; count++) await instance.invalidate(['document'])
    // Purges in one millisecond number ahead of the clock. A failover takes longer than that.
    const ahead = Date.now() + 5
    expect((await instance.get()).body).toBe('1')
    expect((await instance.get()).cacheStatus).toContain('hit')
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(ahead), 20_000)
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

  it('a relaxed index answers from memory, and receives a purge immediately', async () => {
    const content = { version: '1' }
    const byMessage = { ...relaxed, pollInterval: 60_000 }
    const [a, b] = [
      await startInstance(content, byMessage),
      await startInstance(content, { ...byMessage, kind: 'ioredis' }),
    ]
    for (const reader of [a, b]) await reader.get()
    content.version = '2'
    // Repeated, because a message that is sent before the subscription is lost.
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

  it('a relaxed index reads the stamp again after a second', async () => {
    const { client, close } = await connect('redis', redis.port)
    cleanups.push(close)
    const index = redisTagIndex({ client, consistency: 'relaxed' })
    const stamp = await index.stamp()
    expect(index.stamp()).toEqual(stamp)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_001)
    const later = index.stamp()
    clock.mockRestore()
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toEqual(stamp)
  })

  it('a relaxed index is at most one poll interval behind when a message is lost', async () => {
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
})

it('a client that many stores and indexes share gets one listener for each event', () => {
  const client = createClient()
  for (let count = 0; count < 20; count++) {
    redisStore({ client })
    cleanups.push(redisTagIndex({ client, subscriber: client }).close)
  }
  expect(['error', 'ready'].map((event) => client.listenerCount(event))).toEqual([1, 1])
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

  it.each(clientPackages)(
    'the first requests are cached while a client without a queue is connecting, with %s',
    async (kind) => {
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
    },
  )

  it('a purge rejects when a client without a queue finds no Redis', async () => {
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
  await store.set('k', entry())
  expect((await store.get('k'))?.entry).toEqual(entry())
  expect(await store.get('none')).toBeUndefined()
  const index = redisTagIndex({ client })
  const stamp = (await index.stamp()) as Stamp
  await index.purge(['a'], 'soft')
  expect([await index.purgedSince(stamp, ['a']), await index.purgedSince(stamp, ['b'])]).toEqual(['soft', 'none'])
})

test('a client of node-redis without a listener for errors does not end the process', async () => {
  const server = await startRedis()
  const client = createClient({ socket: { port: server.port, host: '127.0.0.1', reconnectStrategy: () => 50 } })
  const subscriber = client.duplicate()
  cleanups.push(() => server.stop())
  await Promise.all([client.connect(), subscriber.connect()])
  const store = redisStore({ client, timeout: 200 })
  const tagIndex = redisTagIndex({ client, subscriber, consistency: 'relaxed' })
  await server.kill()
  await vi.waitFor(() => expect(store.get('page')).rejects.toThrow(), 20_000)
  await wait(100) // the client has tried to reconnect
  tagIndex.close()
  client.destroy()
  subscriber.destroy()
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

  it('while Redis refuses, stalls or does not reply, pages are rendered, a purge rejects and nothing hangs', async () => {
    const check = async (mode: 'refuse' | 'stall' | 'drop-replies') => {
      const { proxy, content, instance } = await startWithProxy()
      await instance.get()
      proxy.set(mode)
      content.version = '2'
      // Without their limit of 200 ms, commands would wait forever, and the test would reach its own limit.
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
    }
    // The modes are checked at the same time, because the checks mostly wait.
    await Promise.all([check('refuse'), check('stall'), check('drop-replies')])
  })

  it('while Redis answers nothing, no further commands are queued and no request waits, and the instance recovers', async () => {
    const { proxy, instance, client } = await startWithProxy({ inRedis: true })
    await recovers(instance)
    const sendCommand = vi.spyOn(client as Pick<typeof client, 'sendCommand'>, 'sendCommand')
    proxy.set('stall')
    await vi.waitFor(async () => expect((await instance.get()).cacheStatus).toContain('tag-index-unavailable'), 20_000)
    await wait(250) // longer than the time limit of the commands sent so far
    sendCommand.mockClear()
    const requests: Promise<{ cacheStatus: string }>[] = []
    for (let round = 0; round < 40; round++) {
      for (let request = 0; request < 5; request++) requests.push(instance.get())
      await wait(10)
    }
    const statuses = new Set((await Promise.all(requests)).map(({ cacheStatus }) => cacheStatus))
    expect([...statuses].every((status) => status.includes('tag-index-unavailable'))).toBe(true)
    expect(sendCommand).not.toHaveBeenCalled()
    proxy.set('forward')
    await recovers(instance)
  })

  it('Redis does not count as unavailable if this process had no time to read the reply', async () => {
    const { instance } = await startWithProxy({ inRedis: true })
    await recovers(instance)
    const reply = instance.get()
    await wait(0)
    const later = instance.get()
    for (const blockedUntil = performance.now() + 1_300; performance.now() < blockedUntil; ) {}
    expect((await reply).cacheStatus).toContain('hit')
    expect((await later).cacheStatus).toContain('hit')
    expect((await instance.get()).cacheStatus).toContain('hit')
  })

  it('a page that is rendered while Redis is unavailable is not queued, because it would later be stored as new', async () => {
    const own = await startRedis()
    const { client, close } = await connect(kind, own.port)
    cleanups.push(close, () => own.stop())
    const store = redisStore({ client, timeout: 200 })
    const entry = { ...createTestResponse(), ttl: 60 }
    await vi.waitFor(async () => expect(await store.set('before', entry)).toBe(true), 20_000)
    await own.kill()
    await vi.waitFor(() => expect('status' in client ? client.status === 'ready' : client.isReady).toBe(false), 20_000)
    await expect(store.set('meanwhile', entry)).rejects.toThrow('not connected')
    await own.start()
    await vi.waitFor(async () => expect(await store.set('after', entry)).toBe(true), 20_000)
    expect(await store.get('meanwhile')).toBeUndefined()
  })

  it.each(['hard', 'soft'] as const)(
    'a %s purge that has failed takes effect before the next page is served, on every instance',
    async (mode) => {
      const { own, proxy, content, instance } = await startWithProxy({ inRedis: true })
      const otherInstance = await startInstance(content, { kind, port: own.port, inRedis: true })
      await recovers(instance)
      await recovers(otherInstance)
      content.version = '2'
      proxy.set('refuse')
      await expect(instance.invalidate(['document'], { mode })).rejects.toThrow()
      proxy.set('forward')
      await vi.waitFor(async () => {
        const { body, cacheStatus } = await instance.get()
        expect(body).toBe('2')
        expect(cacheStatus).not.toContain('tag-index-unavailable')
      }, 20_000)
      expect((await otherInstance.get()).body).toBe('2')
      await recovers(instance)
    },
  )

  it('more failed purges than are kept purge everything', async () => {
    const { proxy, content, instance } = await startWithProxy({ inRedis: true })
    await recovers(instance)
    const before = (await instance.index.stamp()) as Stamp
    content.version = '2'
    proxy.set('refuse')
    const purge = (start: number) =>
      instance.index.purge(
        Array.from({ length: 6_000 }, (_, at) => `${start + at}`),
        'hard',
      )
    await expect(purge(0)).rejects.toThrow()
    await expect(purge(6_000)).rejects.toThrow()
    proxy.set('forward')
    await vi.waitFor(async () => expect((await instance.get()).body).toBe('2'), 20_000)
    await recovers(instance)
    expect(((await instance.index.stamp()) as Stamp).epoch).not.toBe(before.epoch)
  })

  it('a purge whose connection is cut before the acknowledgement rejects or succeeds, and takes effect', async () => {
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

  it('after Redis was killed and restarted, empty or with its data, no entry older than the last purge is served', async () => {
    const check = async (isEmpty: boolean) => {
      const { own, content, instance } = await startWithProxy({ inRedis: true })
      const otherInstance = await startInstance(content, { kind, port: own.port })
      await Promise.all([instance.get(), otherInstance.get()])
      content.version = '2'
      await vi.waitFor(() => instance.invalidate(['document']), 20_000)
      await own.kill()
      if (isEmpty) await own.empty()
      expect((await otherInstance.get()).body).toBe('2')
      await own.start()
      await Promise.all([recovers(instance), recovers(otherInstance)])
      expect([(await instance.get()).body, (await otherInstance.get()).body]).toEqual(['2', '2'])
    }
    await Promise.all([check(true), check(false)])
  })

  it('after Redis was restarted with a snapshot that lacks the purge, no earlier entry is served', async () => {
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
  })
})

test('a pool with one connection that stops answering soon uses its other connections again', {
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
  const index = redisTagIndex({ client: pool, timeout: 200, log: () => {} })
  cleanups.push(() => index.close())
  const before = await index.stamp()
  proxy.set('stall')
  proxy.set('forward-new') // open connections stay stalled, as after a firewall has dropped their state
  await expect(index.stamp()).rejects.toThrow('did not answer')
  await vi.waitFor(async () => expect(await index.stamp()).toEqual(before), 20_000)
  await index.purge(['a'], 'hard')
  expect((await index.stamp())?.sequence).toBeGreaterThan(before?.sequence ?? 0)
})
