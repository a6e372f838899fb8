import { freePort } from '../../../test/setup/free-port.js'
import { redisCommand, startRedis, until } from './redis-server.js'

/** Starts a Redis Cluster of three masters. */
export async function startCluster() {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-announce-hostname', '']
  // The port between nodes, by default 10,000 above the other, would be among those that connections of other tests take.
  const start = async () => {
    const busPort = await freePort()
    return { ...(await startRedis([...settings, '--cluster-port', `${busPort}`])), busPort }
  }
  const nodes = [await start(), await start(), await start()]
  const ranges = ['0 5460', '5461 10922', '10923 16383']
  for (const [index, { port }] of nodes.entries()) {
    await redisCommand(port, `CLUSTER ADDSLOTSRANGE ${ranges[index]}`)
    await redisCommand(port, `CLUSTER MEET 127.0.0.1 ${nodes[0]?.port} ${nodes[0]?.busPort}`)
  }
  for (const { port } of nodes) {
    await until(async () => {
      const state = await redisCommand(port, 'CLUSTER INFO')
      return state.includes('cluster_state:ok') && state.includes('cluster_known_nodes:3')
    })
  }
  return {
    nodes,
    async stop() {
      for (const node of nodes) await node.stop()
    },
  }
}
