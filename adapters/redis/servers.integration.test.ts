import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster, Redis } from 'ioredis'
import { createClient, createClientPool, createCluster } from 'redis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore, type Stamp, type Store, type TagIndex } from '../../core/cache/index.js'
import { createTestResponse } from '../../core/cache/testing/entries.js'
import { createRandom } from '../../core/content/testing/graph.js'
import { freePort } from '../../test/setup/free-port.js'
import {
  type RedisClient,
  type RedisSubscriber,
  type RedisTagIndexOptions,
  redisStore,
  redisTagIndex,
} from './index.js'
import { createRedisTagIndex } from './tag-index.js'
import { startCluster } from './testing/cluster.js'
import { clientPackages, redisCommand, startProxy, startRedis } from './testing/redis-server.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

const host = '127.0.0.1'
const entry = createTestResponse({ lifetime: 60, ttl: 60, body: new Uint8Array([0, 255]) })

function openIndex(client: RedisClient, options: Partial<RedisTagIndexOptions> = {}) {
  // No polling: purges arrive by messages alone.
  const index = createRedisTagIndex({ client, log: () => {}, ...options }, 60_000)
  cleanups.push(() => index.close())
  return index
}
const stampOf = async (index: TagIndex) => (await index.stamp()) as Stamp

/** Checks every operation of the store and the tag index. */
async function checkAll(client: RedisClient) {
  const [index, store] = [openIndex(client), redisStore({ client, timeout: 2_000 })]
  await vi.waitFor(() => stampOf(index), 20_000)
  const stampBefore = await stampOf(index)
  await index.purge(['a'], 'soft')
  await index.purge(['b'], 'hard')
  expect(await Promise.all([['a'], ['b', 'a'], ['c'], []].map((tags) => index.purgedSince(stampBefore, tags)))).toEqual(
    ['soft', 'hard', 'none', 'none'],
  )
  const stampAfter = await stampOf(index)
  expect(stampAfter.epoch).toBe(stampBefore.epoch)
  expect(stampAfter.sequence).toBeGreaterThan(stampBefore.sequence + 1)
  const keys = Array.from({ length: 20 }, (_, number) => `https://site.test/${number}`)
  await Promise.all(keys.map((key) => store.set(key, entry)))
  const hits = await Promise.all(keys.map((key) => store.get(key)))
  for (const hit of hits) expect(hit?.entry).toEqual(entry)
  await Promise.all(keys.map((key) => store.delete(key)))
  expect(await store.get(keys[0] as string)).toBeUndefined()
}

/** Checks that purges reach an index that does not poll. Purges before its subscription do not reach it. */
async function expectMessages(from: TagIndex, to: TagIndex) {
  await vi.waitFor(async () => {
    await from.purge(['a'], 'hard')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await to.stamp()).toEqual(await from.stamp())
  }, 20_000)
}

describe('clients', () => {
  it.each<[string, () => RedisClient | Promise<RedisClient>]>([
    [
      'node-redis, a pool',
      async () => {
        const pool = createClientPool({ socket: { host, port: redis.port } })
        await pool.connect()
        cleanups.push(() => pool.destroy())
        return pool
      },
    ],
    [
      'node-redis with RESP 3',
      async () => {
        const client = await createClient({ RESP: 3, socket: { host, port: redis.port } }).connect()
        cleanups.push(() => client.destroy())
        return client
      },
    ],
    [
      'ioredis with stringNumbers',
      () => {
        const client = new Redis({ port: redis.port, stringNumbers: true })
        cleanups.push(() => client.disconnect())
        return client
      },
    ],
    [
      'ioredis with lazyConnect and keyPrefix',
      () => {
        const client = new Redis({ port: redis.port, lazyConnect: true, keyPrefix: 'site:' })
        cleanups.push(() => client.disconnect())
        return client
      },
    ],
  ])('the store and the tag index work with %s', async (_, open) => checkAll(await open()))

  it.each<[string, () => object, string]>([
    [
      'ioredis with enableAutoPipelining',
      () => new Redis({ lazyConnect: true, enableAutoPipelining: true }),
      'client: expected a client of ioredis without enableAutoPipelining, got an object; client.duplicate({ enableAutoPipelining: false }) is one',
    ],
    [
      "node-redis' legacy client, like one of redis 4",
      () => createClient().legacy(),
      "client: expected a client of the package 'redis' 5 or later, got an object; redis 4 and legacy() are not supported",
    ],
  ])('%s is rejected at creation', (_, open, message) => {
    const client = open() as RedisClient
    expect(() => redisTagIndex({ client })).toThrow(new TypeError(message))
    expect(() => redisStore({ client })).toThrow(new TypeError(message))
  })
})

describe('Redis Cluster', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.stop())

  const open = async (kind: (typeof clientPackages)[number]): Promise<RedisClient & RedisSubscriber> => {
    if (kind === 'ioredis') {
      const client = new Cluster(cluster.nodes.map(({ port }) => ({ host, port })))
      cleanups.push(() => client.disconnect())
      return client
    }
    const client = createCluster({ rootNodes: cluster.nodes.map(({ port }) => ({ socket: { host, port } })) })
    await client.connect()
    cleanups.push(() => client.destroy())
    return client
  }

  it.each(clientPackages)(
    'in a Redis Cluster, pages are spread over the nodes and all tags are on one node, with %s',
    async (kind) => {
      await checkAll(await open(kind))
    },
  )

  it.each(clientPackages)('in a Redis Cluster, messages reach relaxed instances, with %s', async (kind) => {
    const index = openIndex(await open(kind))
    const subscriber = await open(kind)
    const relaxed = openIndex(await open(kind), { subscriber, consistency: 'relaxed' })
    await vi.waitFor(() => stampOf(relaxed), 20_000)
    await expectMessages(index, relaxed)
  })
})

describe('a user with the documented rights', async () => {
  const guide = await readFile(new URL('../../docs/guide/redis.md', import.meta.url), 'utf8')
  const line = /^ACL SETUSER.*$/m.exec(guide)?.[0] ?? ''

  it.each(clientPackages)('a user with the documented rights may do everything, with %s', async (kind) => {
    expect(line).toContain('ACL SETUSER sitewright')
    expect(await redisCommand(redis.port, line)).toBe('+OK\r\n')
    const open = async () => {
      if (kind === 'ioredis') {
        const client = new Redis({ port: redis.port, username: 'sitewright', password: 'secret' })
        cleanups.push(() => client.disconnect())
        return client
      }
      const client = createClient({ username: 'sitewright', password: 'secret', socket: { host, port: redis.port } })
      cleanups.push(() => client.destroy())
      return client.connect()
    }
    const subscriber = await open()
    const subscribed = openIndex(await open(), { subscriber, consistency: 'relaxed' })
    await vi.waitFor(() => stampOf(subscribed), 20_000)
    await checkAll(await open())
    const index = openIndex(await open())
    await expectMessages(index, subscribed)
    // What node-redis sends by the documented pingInterval.
    expect(await ((await open()) as Redis).ping()).toBe('PONG')
  })

  it.each(['-info', '-hdel', '-evalsha -eval', 'resetkeys', 'resetchannels'])(
    'without the right %s, a purge or a stamp says which right is missing, and pages are rendered',
    async (rights) => {
      await redisCommand(redis.port, 'DEL sitewright:tags')
      await redisCommand(redis.port, line)
      await redisCommand(redis.port, `ACL SETUSER sitewright ${rights}`)
      const client = createClient({ username: 'sitewright', password: 'secret', socket: { host, port: redis.port } })
      cleanups.push(() => client.destroy())
      await client.connect()
      const log = vi.fn()
      const pages = createResponseCache({ store: redisStore({ client }), tagIndex: openIndex(client), log })
      const get = pages.wrap(async () => new Response('page', { headers: { 'Cache-Control': 's-maxage=60' } }))
      for (let time = 0; time < 2; time++) {
        const response = await get(new Request('https://site.test/'))
        expect(await response.text()).toBe('page')
        expect(response.headers.get('cache-status')).toContain('tag-index-unavailable')
      }
      expect(log.mock.calls[0]?.[1]).toMatchObject({
        reason: expect.stringMatching(/NOPERM|can't/),
      })
    },
  )
})

describe('a connection that swallows everything for good', () => {
  it.each(clientPackages)('the documented settings of %s close a connection that never answers', async (kind) => {
    const proxy = await startProxy(redis.port)
    cleanups.push(() => proxy.stop())
    const { port } = proxy
    const open = async () => {
      if (kind === 'ioredis') {
        const client = new Redis({ port, socketTimeout: 300, retryStrategy: () => 20 })
        client.on('error', () => {})
        cleanups.push(() => client.disconnect())
        return client
      }
      const socket = { host, port, socketTimeout: 300, reconnectStrategy: () => 20 }
      const client = createClient({ socket, pingInterval: 100 })
      client.on('error', () => {})
      cleanups.push(() => client.destroy())
      return client.connect()
    }
    const index = openIndex(await open(), { timeout: 200 })
    await vi.waitFor(() => stampOf(index), 20_000)
    proxy.set('stall')
    await expect(index.purge(['a'], 'hard')).rejects.toThrow('Redis did not answer within 200 ms')
    proxy.set('forward-new')
    await vi.waitFor(() => index.purge(['a'], 'hard'), 20_000)
  })
})

describe('TLS', () => {
  it.each(clientPackages)('the store and the tag index work over TLS, with %s', async (kind) => {
    const directory = await mkdtemp(join(tmpdir(), 'sitewright-tls-'))
    cleanups.push(() => rm(directory, { recursive: true, force: true }))
    const [keyFile, certFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject]
    execFileSync('openssl', [...request, '-keyout', keyFile, '-out', certFile], { stdio: 'ignore' })
    const port = await freePort()
    const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', certFile]
    const server = await startRedis(['--tls-port', String(port), '--tls-auth-clients', 'no', ...files])
    cleanups.push(() => server.stop())
    const ca = await readFile(certFile)
    if (kind === 'ioredis') {
      const client = new Redis({ host, port, tls: { ca } })
      cleanups.push(() => client.disconnect())
      return checkAll(client)
    }
    const client = createClient({ socket: { host, port, tls: true, ca } })
    cleanups.push(() => client.destroy())
    return checkAll(await client.connect())
  })
})

describe('a full Redis', () => {
  const startFull = async (policy: string) => {
    const server = await startRedis(['--maxmemory', '4mb', '--maxmemory-policy', policy])
    const client = new Redis({ port: server.port })
    cleanups.push(
      () => server.stop(),
      () => client.disconnect(),
    )
    const [index, store] = [openIndex(client), redisStore({ client })]
    await vi.waitFor(() => stampOf(index), 20_000)
    const fill = async (store: Store) => {
      for (let page = 0; page < 60; page++) {
        const written = store.set(`/${page}`, { ...entry, body: new Uint8Array(100_000) })
        await Promise.resolve(written).catch(() => {})
      }
    }
    return { server, index, store, fill }
  }

  it('a full Redis with volatile-lru evicts pages, and no tag', async () => {
    const { server, index, store, fill } = await startFull('volatile-lru')
    const before = await stampOf(index)
    await index.purge(['a'], 'hard')
    await fill(store)
    expect(await redisCommand(server.port, 'INFO stats')).toMatch(/evicted_keys:[1-9]/)
    expect(await store.get('/59')).toBeDefined()
    const after = await stampOf(index)
    expect(after.epoch).toBe(before.epoch)
    expect(after.sequence).toBeGreaterThan(before.sequence)
    expect(await index.purgedSince(before, ['b'])).toBe('none')
    await index.purge(['b'], 'hard')
  })

  it('a full Redis with allkeys-random may evict the tags, but no purge is lost unnoticed', async () => {
    const { server, index, store, fill } = await startFull('allkeys-random')
    // Redis evicts any of some forty keys, so not each round evicts the tags.
    for (let evictions = 0, round = 0; evictions < 3; round++) {
      expect(round, 'rounds in which the tags were evicted twice at most').toBeLessThan(50)
      const before = await stampOf(index)
      await index.purge(['a'], 'hard')
      await fill(store)
      if ((await redisCommand(server.port, 'EXISTS sitewright:tags')) === ':0\r\n') evictions++
      expect(await index.purgedSince(before, ['a'])).toBe('hard')
    }
  })

  it('a full Redis with noeviction rejects purges, and gives stamps', async () => {
    const { server, index, store, fill } = await startFull('noeviction')
    await fill(store)
    await redisCommand(server.port, 'CONFIG SET maxmemory 1')
    expect(await stampOf(index)).toBeDefined()
    await expect(index.purge(['a'], 'hard')).rejects.toThrow('OOM')
  })
})

describe('bad input', () => {
  const openPlain = async (port = redis.port) => {
    const client = createClient({ socket: { host, port, reconnectStrategy: () => 20 } })
    client.on('error', () => {})
    client.connect().catch(() => {})
    cleanups.push(() => client.destroy())
    return client
  }

  it.each([
    ['a text', 'SET sitewright:tags text', 'WRONGTYPE'],
    ['no number', 'HSET sitewright:tags sequence many', 'expected [epoch, sequence]'],
  ])('%s under the key of the tags prevents stamps and purges until it is removed', async (_, command, message) => {
    const index = openIndex(await openPlain())
    await vi.waitFor(() => stampOf(index), 20_000)
    const before = await stampOf(index)
    if (command.startsWith('SET')) await redisCommand(redis.port, 'DEL sitewright:tags')
    await redisCommand(redis.port, command)
    await expect(stampOf(index)).rejects.toThrow(message)
    await expect(index.purgedSince(before, ['a'])).rejects.toThrow()
    await expect(index.purge(['a'], 'hard')).rejects.toThrow()
    await redisCommand(redis.port, 'DEL sitewright:tags')
    await vi.waitFor(async () => expect((await stampOf(index)).epoch).not.toBe(before.epoch), 20_000)
  })

  it('two prefixes share nothing', async () => {
    const client = await openPlain()
    const [site, otherIndex] = [openIndex(client), openIndex(client, { prefix: 'other' })]
    await vi.waitFor(() => stampOf(site), 20_000)
    await vi.waitFor(() => stampOf(otherIndex), 20_000)
    const before = await stampOf(otherIndex)
    await site.purge(['document'], 'hard')
    expect(await otherIndex.purgedSince(before, ['document'])).toBe('none')
  })

  it('a rolling deployment: two releases on one store share purges, but no pages', async () => {
    const client = await openPlain()
    const store = redisStore({ client, prefix: 'rolling' })
    const tagIndex = openIndex(client)
    await vi.waitFor(() => stampOf(tagIndex), 20_000)
    let content = 0
    const headers = { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'document' }
    const releases = ['1', '2'].map((release) => {
      const pages = createResponseCache({ store, tagIndex, release })
      const render = async ({ url }: Request) => new Response(`/app-${release}.js ${content} ${url}`, { headers })
      return { ...pages, release, wrapped: pages.wrap(render) }
    })
    let hits = 0
    const { below, pick } = createRandom(1)
    for (let index = 0; index < 400; index++) {
      const { wrapped, invalidate, release } = pick(releases)
      if (below(20) === 0) {
        content++
        await invalidate(['document'])
      }
      const response = await wrapped(new Request(`https://site.test/${below(5)}`))
      const [script, shown] = (await response.text()).split(' ')
      expect([script, shown]).toEqual([`/app-${release}.js`, String(content)])
      if (response.headers.get('cache-status')?.includes('hit')) hits++
    }
    expect(hits).toBeGreaterThan(100)
  })

  it.concurrent.each([
    ['an error', '-ERR no\r\n'],
    ['OK', '+OK\r\n'],
    ['a number', ':1\r\n'],
    ['null', '$-1\r\n'],
    ['an empty list', '*0\r\n'],
    ['a list of nulls', '*3\r\n$-1\r\n$-1\r\n$-1\r\n'],
    ['a stamp without an epoch', '*2\r\n:1\r\n:1\r\n'],
    ['half a reply', '*3\r\n$40\r\nabc'],
    ['bytes that are no RESP', '\x00\xff<html>\r\n\r\n'],
    ['nothing', ''],
  ])('while Redis answers each command with %s, pages are rendered and a purge rejects', async (_, answer) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      socket.on('data', () => socket.write(Buffer.from(answer, 'latin1')))
      socket.on('error', () => {})
      sockets.add(socket)
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    const { port } = server.address() as { port: number }
    const redisClient = createClient({ socket: { host, port, reconnectStrategy: () => 20 } })
    redisClient.on('error', () => {})
    redisClient.connect().catch(() => {})
    const ioClient = new Redis({ port, enableReadyCheck: false, retryStrategy: () => 20 })
    ioClient.on('error', () => {})
    const check = async (client: RedisClient, store: Store) => {
      const tagIndex = redisTagIndex({ client, log: () => {}, timeout: 100 })
      const pages = createResponseCache({ store, tagIndex, log: () => {} })
      const get = pages.wrap(async () => new Response('page', { headers: { 'Cache-Control': 's-maxage=60' } }))
      for (let time = 0; time < 3; time++) {
        const response = await get(new Request('https://site.test/'))
        expect(await response.text()).toBe('page')
        expect(response.headers.get('cache-status')).not.toContain('hit')
      }
      await expect(pages.invalidate(['document'])).rejects.toThrow()
      tagIndex.close()
    }
    const checks = [redisClient, ioClient].flatMap((client) => [
      check(client, redisStore({ client, timeout: 100 })),
      check(client, memoryStore({ maxBytes: 1e6 })),
    ])
    try {
      await Promise.all(checks)
    } finally {
      redisClient.destroy()
      ioClient.disconnect()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
