// Pages over HTTP: a constant one, and one from a cache. Each server runs in its own process, apart from the client.
import { compareCpu } from './cpu.js'
import { start } from './start.js'

const pages = ['nodeListener', 'honoMiddleware', 'expressMiddleware']
const caches = ['bentocache on Hono', 'cacheable on Hono', 'ocache on Hono']
const constants = [
  'http',
  'nodeListener, FastResponse',
  'nodeListener',
  'hono node-server',
  'srvx FastResponse',
  'srvx Response',
  'remix node-fetch-server',
]
const onExpress = ['express res.send', 'expressMiddleware, FastResponse', 'expressMiddleware', 'express with srvx']

export async function benchPages() {
  const names = [...new Set([...constants, ...onExpress, ...pages, ...caches])]
  const servers = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await start('node', ['servers/pages.js'], { SERVER: name })])),
  )
  const at = (path) => (name) => ({ name, pid: servers[name].pid, url: `${servers[name].origin}${path}` })
  const [constant, cached] = [at('/constant'), at('/cached')]
  try {
    await compareCpu('A constant page of 20 KB', constants.map(constant))
    await compareCpu('The same on Express', onExpress.map(constant))
    for (const [name, base] of [
      ['nodeListener', 'nodeListener, FastResponse'],
      ['honoMiddleware', 'honoMiddleware'],
      ['expressMiddleware', 'express res.send'],
    ]) {
      const contenders = [{ ...constant(base), name: `${base}, constant` }, cached(name)]
      await compareCpu(`A cached page of 20 KB: ${name}`, [
        ...contenders,
        ...(name === 'honoMiddleware' ? caches.map(cached) : []),
      ])
    }
  } finally {
    await Promise.all(Object.values(servers).map(({ close }) => close()))
  }
}
