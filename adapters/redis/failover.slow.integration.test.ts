import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Stamp } from '../../core/cache/index.js'
import { redisTagIndex } from './index.js'
import { tagSource } from './scripts.js'
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
  const startIndex = async ({ port }: Server) => {
    const { client, close } = await connect(kind, port)
    const index = redisTagIndex({ client, log })
    cleanups.push(close, () => index.close())
    // A client that is still connecting rejects.
    await vi.waitFor(async () => expect(await index.stamp()).toBeDefined(), 20_000)
    return index
  }
  const stampOf = async (index: { stamp(): unknown }) => (await index.stamp()) as Stamp

  it('the replica that takes over has a new epoch', async () => {
    const [a, b] = await startPair()
    const oldStamp = await stampOf(await startIndex(a))
    await hasTags(b)
    await promote(b)
    const index = await startIndex(b)
    expect((await stampOf(index)).epoch).not.toBe(oldStamp.epoch)
    expect(await index.purgedSince(oldStamp, [])).toBe('hard')
  })

  it('a restart of Redis is a new epoch, which is logged', async () => {
    const a = await startServer()
    const index = await startIndex(a)
    log.mockClear()
    await a.kill()
    await a.start()
    await vi.waitFor(async () => expect(await index.stamp()).toBeDefined(), 20_000)
    expect(log.mock.calls.map(([message]) => message)).toEqual([
      'Redis tag index: emptied, restarted, failed over, or more tags than maxBytes; all that is stored counts as purged',
    ])
  })

  it('a master that was demoted and promoted again without having synced has a new epoch', async () => {
    const [a, b] = await startPair()
    const index = await startIndex(a)
    const before = await stampOf(index)
    await promote(b)
    const indexOfB = await startIndex(b)
    await indexOfB.purge(['document'], 'hard') // A never learns of this purge
    b.signal('SIGSTOP')
    await demote(a, b)
    await expect(index.stamp()).rejects.toThrow('READONLY')
    await promote(a)
    await vi.waitFor(async () => expect((await stampOf(index)).epoch).not.toBe(before.epoch), 20_000)
    expect(await index.purgedSince(before, ['document'])).toBe('hard')
  })

  it('a demotion and promotion between two requests over the same connection is a new epoch', async () => {
    const [a, b] = await startPair()
    const index = await startIndex(a)
    const before = await stampOf(index)
    await hasTags(b) // otherwise A comes back without tags
    await promote(b)
    await demote(a, b)
    await followsInSync(a)
    await promote(a)
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
    await expect(index.purgedSince({ epoch: 'e', sequence: 0 }, [])).rejects.toThrow('READONLY')
    await expect(index.purge(['document'], 'hard')).rejects.toThrow('no master')
  })

  it('a master that lost its replicas gives no stamp, with min-replicas-to-write', async () => {
    const [a, b] = await startPair(['--min-replicas-to-write', '1', '--min-replicas-max-lag', '1'])
    const index = await startIndex(a)
    const before = await stampOf(index)
    b.signal('SIGSTOP')
    await vi.waitFor(() => expect(stampOf(index)).rejects.toThrow('NOREPLICAS'), 20_000)
    await expect(index.purge(['document'], 'hard')).rejects.toThrow('NOREPLICAS')
    b.signal('SIGCONT')
    // The purge that has failed is repeated before the next stamp.
    await vi.waitFor(async () => expect((await stampOf(index)).epoch).toBe(before.epoch), 20_000)
    expect(await index.purgedSince(before, ['document'])).toBe('hard')
    expect(await index.purgedSince(before, ['other'])).toBe('none')
  })

  it('stamps are not replicated', async () => {
    const [a] = await startPair()
    const index = await startIndex(a)
    const lengthOf = async () => Number(/master_repl_offset:(\d+)/.exec(await info(a))?.[1])
    const before = await lengthOf()
    for (let round = 0; round < 500; round++) await index.stamp()
    expect((await lengthOf()) - before).toBeLessThan(500) // pings to the replica
  })

  it('no stamp is given if INFO does not name the master', async () => {
    const a = await startServer()
    const { client, close } = await connect(kind, a.port)
    cleanups.push(close)
    const index = redisTagIndex({ client, log })
    cleanups.push(() => index.close())
    await redisCommand(a.port, 'ACL SETUSER default -info')
    await expect(index.stamp()).rejects.toThrow("can't run this command")
    await expect(index.purge(['document'], 'hard')).rejects.toThrow("can't run this command")
    // Some providers leave these lines out.
    const other = await startServer()
    const source = tagSource.replace("'replication'", "'clients'").replaceAll('\n', ' ')
    const reply = await redisCommand(other.port, `EVAL "${source}" 1 sitewright:tags stamp epoch channel`)
    expect(reply).toContain('-ERR no master, or INFO lacks role and master_replid')
  })
})

it('a replica that leaves for good, as after a backup, causes a new epoch, but not with repl-backlog-ttl 0', async () => {
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
  // Redis checks both once a second, by the same clock.
  await vi.waitFor(async () => expect(await hasNewEpoch[0]?.()).toBe(true), { timeout: 25_000, interval: 100 })
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  expect(await hasNewEpoch[1]?.()).toBe(false)
})
