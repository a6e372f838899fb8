import { Redis } from 'ioredis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Stamp } from '../../core/cache/index.js'
import { type RedisTagIndexOptions, redisTagIndex } from './index.js'
import { runsBeforeOwnSource } from './tag-script.js'
import { tagSource } from './tag-source.js'
import { clientPackages, connect, redisCommand, startRedis, until } from './testing/redis-server.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

type Server = Awaited<ReturnType<typeof startRedis>>
async function startServer(settings: readonly string[] = []): Promise<Server> {
  const server = await startRedis(['--repl-diskless-sync-delay', '0', ...settings])
  cleanups.push(() => server.stop())
  return server
}

/** Starts a master and a replica that is in sync with it. */
async function startPair(settings: readonly string[] = []): Promise<[master: Server, replica: Server]> {
  const master = await startServer(settings)
  const replica = await startServer([...settings, '--replicaof', `127.0.0.1 ${master.port}`])
  await until(async () => (await info(master)).includes('state=online'))
  return [master, replica]
}

const info = ({ port }: Server) => redisCommand(port, 'INFO replication')
const promote = ({ port }: Server) => redisCommand(port, 'REPLICAOF NO ONE')
const demote = ({ port }: Server, master: Server) => redisCommand(port, `REPLICAOF 127.0.0.1 ${master.port}`)
const hasTags = (server: Server) =>
  until(async () => (await redisCommand(server.port, 'EXISTS sitewright:tags')) === ':1\r\n')
const followsInSync = (replica: Server) => until(async () => (await info(replica)).includes('master_link_status:up'))

describe.each(clientPackages)('failover, with %s', (kind) => {
  const log = vi.fn()
  const startIndex = async ({ port }: Server, options: Partial<RedisTagIndexOptions> = {}) => {
    const { client, close } = await connect(kind, port)
    const index = redisTagIndex({ client, log, pollInterval: 20, ...options })
    cleanups.push(close, () => index.close())
    // A client that is still connecting rejects.
    await vi.waitFor(async () => expect(await index.stamp()).toBeDefined(), 20_000)
    return index
  }
  const stampOf = async (index: { stamp(): unknown }) => (await index.stamp()) as Stamp
  /** Until it has a script of its own. */
  const askOften = async (index: { stamp(): unknown }) => {
    for (let round = 0; round < runsBeforeOwnSource + 2; round++) await index.stamp()
  }

  it('the replica that takes over has a new epoch', async () => {
    const [a, b] = await startPair()
    const before = await stampOf(await startIndex(a))
    await hasTags(b)
    await promote(b)
    const index = await startIndex(b)
    expect((await stampOf(index)).epoch).not.toBe(before.epoch)
    expect(await index.purgedSince(before, [])).toBe('hard')
  })

  it('a restart of Redis is a new epoch, which is logged', async () => {
    const a = await startServer()
    const index = await startIndex(a)
    log.mockClear()
    await a.kill()
    await a.start()
    await vi.waitFor(async () => expect(await index.stamp()).toBeDefined(), 20_000)
    expect(log.mock.calls.map(([message]) => message)).toEqual([
      'Redis tag index: emptied, restarted, failed over or another replication ID; all that is stored counts as purged',
    ])
  })

  it('a master that was demoted and promoted again without having synced has a new epoch', async () => {
    const [a, b] = await startPair()
    const index = await startIndex(a)
    const before = await stampOf(index)
    await promote(b)
    const other = await startIndex(b)
    await other.purge(['document'], 'hard') // which A never hears of
    b.signal('SIGSTOP')
    await demote(a, b)
    await expect(index.stamp()).rejects.toThrow('READONLY')
    await promote(a)
    await vi.waitFor(async () => expect((await stampOf(index)).epoch).not.toBe(before.epoch), 20_000)
    expect(await index.purgedSince(before, ['document'])).toBe('hard')
  })

  it('notices a demotion and promotion in the time between two requests, over the same connection', async () => {
    const [a, b] = await startPair()
    const index = await startIndex(a)
    await askOften(index)
    const before = await stampOf(index)
    await hasTags(b) // else A comes back without any
    await promote(b)
    await demote(a, b)
    await followsInSync(a)
    await promote(a)
    await new Promise((resolve) => setTimeout(resolve, 150)) // longer than it takes the master for granted
    expect((await stampOf(index)).epoch).not.toBe(before.epoch)
  })

  it('a replica gives no stamp', async () => {
    const [a, b] = await startPair()
    await startIndex(a)
    const { client, close } = await connect(kind, b.port)
    cleanups.push(close)
    const index = redisTagIndex({ client, log })
    cleanups.push(() => index.close())
    await expect(index.stamp()).rejects.toThrow('READONLY')
    expect(await index.purgedSince({ epoch: 'e', sequence: 0 }, [])).toBe('hard')
    const countScripts = async () =>
      /number_of_cached_scripts:\d+/.exec(await redisCommand(b.port, 'INFO memory'))?.[0] ?? ''
    const before = await countScripts()
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(index.purge(['document'], 'hard')).rejects.toThrow('no master')
    }
    expect(await countScripts()).toBe(before)
  })

  it('a master that lost its replicas gives no stamp, with min-replicas-to-write', async () => {
    const [a, b] = await startPair(['--min-replicas-to-write', '1', '--min-replicas-max-lag', '1'])
    const index = await startIndex(a)
    const before = await stampOf(index)
    b.signal('SIGSTOP')
    await vi.waitFor(() => expect(stampOf(index)).rejects.toThrow('NOREPLICAS'), 20_000)
    await expect(index.purge(['document'], 'hard')).rejects.toThrow('NOREPLICAS')
    b.signal('SIGCONT')
    await vi.waitFor(async () => expect(await stampOf(index)).toEqual(before), 20_000)
  })

  it('stamps are not replicated', async () => {
    const [a] = await startPair()
    const index = await startIndex(a)
    const lengthOf = async () => Number(/master_repl_offset:(\d+)/.exec(await info(a))?.[1])
    const before = await lengthOf()
    for (let round = 0; round < 500; round++) await index.stamp()
    expect((await lengthOf()) - before).toBeLessThan(500) // pings to the replica
  })

  it('asks INFO when the process may be another one, and not with each stamp', async () => {
    const a = await startServer()
    const index = await startIndex(a)
    await askOften(index)
    const callsOf = async (name: string) =>
      Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(await redisCommand(a.port, 'INFO commandstats'))?.[1] ?? 0)
    await redisCommand(a.port, 'CONFIG RESETSTAT')
    const startedAt = performance.now()
    for (let round = 0; round < 500; round++) await index.stamp()
    const periods = (performance.now() - startedAt) / 100
    expect(await callsOf('evalsha')).toBeGreaterThan(490)
    expect(await callsOf('info')).toBeLessThanOrEqual(periods + 3)
  })

  it('leaves no script in Redis for each process that started and asked little, as on serverless platforms', async () => {
    const a = await startServer()
    for (let process = 0; process < 10; process++) {
      const index = await startIndex(a)
      for (let round = 0; round < 10; round++) await index.stamp()
      await index.purge(['document'], 'hard')
    }
    expect(await redisCommand(a.port, 'INFO memory')).toContain('number_of_cached_scripts:1\r\n')
  })

  it('fails closed where INFO does not say who is the master', async () => {
    const a = await startServer()
    const { client, close } = await connect(kind, a.port)
    cleanups.push(close)
    const index = redisTagIndex({ client, log })
    cleanups.push(() => index.close())
    await redisCommand(a.port, 'ACL SETUSER default -info')
    await expect(index.stamp()).rejects.toThrow("can't run this command")
    await expect(index.purge(['document'], 'hard')).rejects.toThrow("can't run this command")
    // As where a provider leaves lines out.
    const other = await startServer()
    const source = tagSource.replace("'replication'", "'clients'").replaceAll('\n', ' ')
    const reply = await redisCommand(other.port, `EVAL "${source}" 1 sitewright:tags epoch "" channel stamp`)
    expect(reply).toContain('-ERR no master, or INFO lacks role and master_replid')
  })
})

it('a replica that leaves for good, as after a backup, is a new epoch, and none with repl-backlog-ttl 0', async () => {
  const open = async (backlogTtl: string) => {
    const [{ port }, replica] = await startPair(['--repl-backlog-ttl', backlogTtl])
    const { client, close } = await connect('redis', port)
    const index = redisTagIndex({ client, log: () => {} })
    cleanups.push(close, () => index.close())
    const before = (await index.stamp()) as Stamp
    await replica.kill()
    return async () => ((await index.stamp()) as Stamp).epoch !== before.epoch
  }
  const hasNewEpoch = [await open('1'), await open('0')]
  // Redis looks once a second, at both by the same clock.
  await vi.waitFor(async () => expect(await hasNewEpoch[0]?.()).toBe(true), { timeout: 25_000, interval: 100 })
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect(await hasNewEpoch[1]?.()).toBe(false)
})

function connectWithoutResending(port: number) {
  const client = new Redis({ port, autoResendUnfulfilledCommands: false })
  client.on('error', () => {})
  return { client, close: () => client.disconnect() }
}

describe.each(clientPackages)('durable, with replicas and %s', (kind) => {
  const startDurable = async ({ port }: Server, replicas = 1) => {
    const { client, close } = kind === 'redis' ? await connect(kind, port) : connectWithoutResending(port)
    const index = redisTagIndex({ client, durable: { replicas }, timeout: 2_000, pollInterval: 20, log: () => {} })
    cleanups.push(close, () => index.close())
    await vi.waitFor(async () => expect(await index.stamp()).toBeDefined(), 20_000)
    return index
  }

  /** On a machine that does other things, a replica may take longer than the time limit. */
  const purge = (
    index: { purge(tags: string[], mode: 'hard' | 'soft'): Promise<void> | void },
    mode: 'hard' | 'soft',
  ) => vi.waitFor(() => index.purge(['document'], mode), 20_000)

  it('a purge is acknowledged once the replicas have it, and outlives a failover', async () => {
    const [a, b] = await startPair()
    const index = await startDurable(a)
    const before = (await index.stamp()) as Stamp
    await purge(index, 'hard')
    const acknowledged = (await index.stamp()) as Stamp
    expect(acknowledged).toEqual({ epoch: before.epoch, sequence: expect.any(Number) })
    await a.kill()
    await promote(b)
    const other = await startDurable(b, 1)
    expect(await other.stamp()).toEqual(acknowledged)
    expect(await other.purgedSince(before, ['document'])).toBe('hard')
    expect(await other.purgedSince(before, ['another'])).toBe('none')
  })

  it('a number that was lost with its master is not given out again', async () => {
    const [a, b] = await startPair()
    const index = await startDurable(a)
    await purge(index, 'hard')
    await promote(b)
    // B never hears of it.
    await expect(index.purge(['another'], 'hard')).rejects.toThrow('expected 1 replicas to have the purge, got 0')
    const lost = (await index.stamp()) as Stamp
    await a.kill()
    await demote(await startServer(), b)
    await until(async () => (await info(b)).includes('state=online'))
    const other = await startDurable(b)
    expect(await other.purgedSince(lost, ['a third'])).toBe('hard')
    await purge(other, 'hard')
    expect(await other.purgedSince(lost, ['document'])).toBe('hard')
    const after = (await other.stamp()) as Stamp
    expect(await other.purgedSince(after, ['document'])).toBe('none')
    await purge(other, 'soft')
    expect(await other.purgedSince(after, ['document'])).toBe('soft')
    expect(after.sequence).toBeGreaterThan(lost.sequence)
  })

  it('a purge rejects while a replica does not answer', async () => {
    const [a, b] = await startPair()
    const index = await startDurable(a)
    b.signal('SIGSTOP')
    await expect(index.purge(['document'], 'hard')).rejects.toThrow('expected 1 replicas to have the purge, got 0')
    b.signal('SIGCONT')
    await vi.waitFor(() => index.purge(['document'], 'hard'), 20_000)
  })
})

describe('durable', () => {
  it.each([
    [{}, 'durable.replicas: expected a whole number >= 1, got undefined'],
    [{ replicas: 0 }, 'durable.replicas: expected a whole number >= 1, got 0'],
    [
      { replicas: 1 },
      "client: expected node-redis' createClient, or ioredis with autoResendUnfulfilledCommands: false, got an object; durable.replicas needs one connection",
    ],
  ])('%j is rejected for a client that sends commands again', async (durable, message) => {
    const client = new Redis({ lazyConnect: true })
    expect(() => redisTagIndex({ client, durable: durable as { replicas: number } })).toThrow(new TypeError(message))
  })
})
