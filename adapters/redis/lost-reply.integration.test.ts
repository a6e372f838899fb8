import { createClient } from 'redis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createResponseCache } from '../../core/cache/index.js'
import { createTestResponse } from '../../core/cache/testing/entries.js'
import { redisStore, redisTagIndex } from './index.js'
import { startLossyProxy } from './testing/lossy-proxy.js'
import { clientPackages, connect, redisCommand, startRedis } from './testing/redis-server.js'

// A connection that loses a reply gives each command the reply to the next one. Nothing of another command may be used.

let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())
beforeEach(async () => void (await redisCommand(redis.port, 'FLUSHALL')))

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

const timeout = 1_000

async function connectLossy(kind: (typeof clientPackages)[number]) {
  const proxy = await startLossyProxy(redis.port)
  const { client, subscriber, close } = await connect(kind, proxy.port)
  cleanups.push(proxy.stop, close)
  // Until these are answered, a reply to what clients send when they connect might be the one that is lost.
  for (const each of [client, subscriber])
    await ('callBuffer' in each ? each.callBuffer('PING') : each.sendCommand(['PING']))
  return { client, proxy }
}

async function startIndex(client: Parameters<typeof redisTagIndex>[0]['client']) {
  const index = redisTagIndex({ client, timeout, durable: true, log: () => {} })
  cleanups.push(() => index.close())
  return index
}

/** What settles without being rejected. */
const fulfilled = async <T>(promises: readonly (Promise<T> | T | undefined)[]) =>
  (await Promise.allSettled(promises)).flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))

describe.each(clientPackages)('after a reply was lost, with a client of %s', (kind) => {
  test('the store returns no entry of another key', async () => {
    const { client, proxy } = await connectLossy(kind)
    const store = redisStore({ client, timeout })
    const keys = Array.from({ length: 20 }, (_, index) => `/page-${index}`)
    for (const key of keys) await store.set(key, createTestResponse(bodyOf(key)))
    proxy.loseNext()
    const found = await fulfilled(keys.map(async (key) => ({ key, entry: (await store.get(key))?.entry })))
    expect(proxy.hasLost()).toBe(true)
    for (const each of found) {
      expect(each?.entry?.kind === 'response' && textOf(each.entry.body)).toBe(each?.key)
    }
  })

  test('the store acknowledges nothing, and nothing is a miss for another key', async () => {
    const { client, proxy } = await connectLossy(kind)
    const store = redisStore({ client, timeout })
    await store.set('/there', createTestResponse(bodyOf('there')))
    proxy.loseNext()
    const work = [
      store.delete('/other'),
      store.get('/there'),
      store.get('/missing'),
      store.set('/other', createTestResponse({})),
    ]
    expect(await fulfilled(work)).toEqual([])
  })

  test('the tag index answers no query by the reply to another', async () => {
    const { client, proxy } = await connectLossy(kind)
    const [index, other] = [
      await startIndex(client),
      redisTagIndex({ client, timeout, prefix: 'other', log: () => {} }),
    ]
    cleanups.push(() => other.close())
    const stamp = await index.stamp()
    if (!stamp) throw new Error('expected a stamp')
    await other.stamp()
    await index.purge(['a'], 'hard')
    proxy.loseNext()
    // Each of these replies begins alike, and one says that nothing was purged.
    const work = [index.purgedSince(stamp, ['a']), other.stamp(), other.purge(['b'], 'soft')]
    expect(await fulfilled(work)).toEqual([])
  })

  test('no visitor gets the page of another', async () => {
    const { client, proxy } = await connectLossy(kind)
    const log = vi.fn()
    const cache = createResponseCache({
      store: redisStore({ client, timeout }),
      tagIndex: await startIndex(client),
      log,
    })
    const render = cache.wrap(
      async (request) => new Response(new URL(request.url).pathname, { headers: { 'Cache-Control': 's-maxage=60' } }),
    )
    const ask = async (path: string) => (await render(new Request(`https://www.example.com${path}`))).text()
    const paths = Array.from({ length: 30 }, (_, index) => `/page-${index}`)
    for (const path of paths) await ask(path)
    proxy.loseNext((reply) => reply.includes('"kind":"response"'))
    for (let round = 0; round < 3; round++) expect(await Promise.all(paths.map(ask))).toEqual(paths)
    expect(proxy.hasLost()).toBe(true)
    const reasons = log.mock.calls.map(([, detail]) => String(detail.reason))
    expect(reasons.some((reason) => reason.includes('another one; the connection has lost a reply'))).toBe(true)
  })
})

test('a purge that needs replicas is not acknowledged by the reply to another command', async () => {
  const proxy = await startLossyProxy(redis.port)
  const client = createClient({ socket: { port: proxy.port, host: '127.0.0.1' } })
  client.on('error', () => {})
  await client.connect()
  cleanups.push(proxy.stop, () => client.destroy())
  const index = redisTagIndex({ client, timeout, durable: { replicas: 1 }, log: () => {} })
  cleanups.push(() => index.close())
  await index.stamp()
  proxy.loseNext((reply) => reply === ':0\r\n')
  // What the site itself asks over the same client.
  const purging = index.purge(['a'], 'hard')
  const own = client.sendCommand(['INCRBY', 'visits', '5'])
  expect(await fulfilled([purging])).toEqual([])
  expect(proxy.hasLost()).toBe(true)
  own.catch(() => {})
})

const bodyOf = (text: string) => ({ body: new TextEncoder().encode(text) })
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()
