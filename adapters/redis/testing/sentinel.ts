import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../test/setup/free-port.js'
import { redisCommand, startProxy, startRedis, until } from './redis-server.js'

export interface SentinelOptions {
  /** Settings of all three redis-servers, as on the command line. */
  settings?: readonly string[]
  /** Milliseconds without an answer after which a Sentinel counts the master as down. */
  downAfter?: number
}

/**
 * Starts three redis-servers, a master and two replicas, and three Sentinels that watch over them. The third server is
 * never promoted, so that a failover and another one lead back to the first. Servers and Sentinels reach each other by
 * proxies, so that a server can be separated from all others; who connects to its own `port` is on its side.
 */
export async function startSentinel({ settings = [], downAfter = 800 }: SentinelOptions = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'sitewright-sentinel-'))
  const start = async (roleSettings: readonly string[] = []) => {
    const server = await startRedis(['--repl-diskless-sync-delay', '0', ...settings, ...roleSettings])
    const proxy = await startProxy(server.port)
    await redisCommand(server.port, `CONFIG SET replica-announce-ip 127.0.0.1 replica-announce-port ${proxy.port}`)
    return { ...server, proxy }
  }
  const firstServer = await start()
  const nodes = [firstServer, await start(), await start(['--replica-priority', '0'])]
  for (const { port } of nodes.slice(1)) await redisCommand(port, `REPLICAOF 127.0.0.1 ${firstServer.proxy.port}`)
  await until(async () => (await redisCommand(firstServer.port, 'INFO replication')).includes('connected_slaves:2'))

  const sentinels: { process: ChildProcess; port: number }[] = []
  for (let index = 0; index < 3; index++) {
    const port = await freePort()
    const file = join(directory, `sentinel-${index}.conf`)
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${directory}`,
      `sentinel monitor pages 127.0.0.1 ${firstServer.proxy.port} 2`,
      `sentinel down-after-milliseconds pages ${downAfter}`,
      'sentinel failover-timeout pages 4000',
      'sentinel parallel-syncs pages 1',
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    sentinels.push({ process: spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' }), port })
  }
  const [watching] = sentinels
  if (!watching) throw new Error('no Sentinel')
  // There is no failover until the Sentinels know each other and the replicas.
  await until(async () => {
    const state = await redisCommand(watching.port, 'SENTINEL MASTER pages').catch(() => '')
    return /num-other-sentinels\r\n\$\d+\r\n2/.test(state) && /num-slaves\r\n\$\d+\r\n2/.test(state)
  })
  const proxyOfMaster = async () => {
    const reply = await redisCommand(watching.port, 'SENTINEL GET-MASTER-ADDR-BY-NAME pages')
    return Number(reply.split('\r\n')[4])
  }
  return {
    nodes,
    sentinelPorts: sentinels.map(({ port }) => port),
    async master() {
      const port = await proxyOfMaster()
      return nodes.find(({ proxy }) => proxy.port === port) ?? firstServer
    },
    async stop() {
      for (const { process } of sentinels) process.kill('SIGKILL')
      for (const node of nodes) {
        await node.proxy.stop()
        await node.stop()
      }
      await rm(directory, { recursive: true, force: true })
    },
  }
}
