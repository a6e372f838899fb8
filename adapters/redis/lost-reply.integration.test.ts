import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestResponse } from '../../core/cache/testing/entries.js'
import { redisStore, redisTagIndex } from './index.js'
import { clientPackages, connect, startProxy, startRedis } from './testing/redis-server.js'

let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

// Replies have no number: when one is lost between Redis and the client, each command gets that of the next.
describe.each(clientPackages)('after a reply was lost, with %s', (kind) => {
  let connection: Awaited<ReturnType<typeof connect>>
  let proxy: Awaited<ReturnType<typeof startProxy>>
  beforeEach(async () => {
    proxy = await startProxy(redis.port)
    connection = await connect(kind, proxy.port)
  })
  afterEach(async () => {
    connection.close()
    await proxy.stop()
  })

  /** Sends a command whose reply is lost. */
  const lose = async (command: () => unknown): Promise<{ command: Promise<unknown> }> => {
    const before = proxy.dropped()
    proxy.set('drop-replies')
    const sent = Promise.resolve(command())
    sent.catch(() => {})
    await vi.waitFor(() => expect(proxy.dropped()).toBeGreaterThan(before))
    proxy.set('forward')
    return { command: sent }
  }

  it('no page is that of another key', async () => {
    const store = redisStore({ client: connection.client, timeout: 5_000 })
    const page = (text: string) => createTestResponse({ body: new TextEncoder().encode(text) })
    for (const key of ['a', 'b', 'c']) await store.set(key, page(key))
    for (const key of ['a', 'b', 'c']) await store.get(key)
    const lost = await lose(() => store.get('a'))
    const others = [store.get('b'), store.get('c')]
    await expect(lost.command).rejects.toThrow('expected the reply for sitewright:page:a, got that for another key')
    await expect(others[0]).rejects.toThrow('expected the reply for sitewright:page:b, got that for another key')
    proxy.cut()
    await Promise.allSettled(others)
  })

  it('no purge is acknowledged by the reply to another command, and no page counts as not purged by one', async () => {
    const index = redisTagIndex({ client: connection.client, timeout: 5_000, log: () => {} })
    await index.purge(['x'], 'hard')
    const since = { epoch: (await index.stamp())?.epoch ?? '', sequence: 0 }
    expect(await index.purgedSince(since, ['x'])).toBe('hard')
    const lost = await lose(() => index.purgedSince(since, ['x']))
    const others = [index.purge(['y'], 'hard'), index.purge(['z'], 'hard')]
    await expect(lost.command).rejects.toThrow('expected the reply to this call, got that to another')
    await expect(others[0]).rejects.toThrow('expected the reply to this call, got that to another')
    proxy.cut()
    await Promise.allSettled(others)
    index.close()
  })
})
