// What the tag index costs a Redis: its time per stamp, commands per hit, and how often it asks INFO. Run it after
// `npm run build`: NODE_ENV=production node bench/redis.js
import { spawn } from 'node:child_process'
import { createClient } from 'redis'
import { createResponseCache } from 'sitewright/cache'
import { redisStore, redisTagIndex } from 'sitewright/redis'

const instances = Number(process.env.INSTANCES ?? 20)
const seconds = Number(process.env.SECONDS ?? 5)
const port = Number(process.env.REDIS_PORT ?? 16379)

const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' })
const connect = async () => {
  const client = createClient({ socket: { port, host: '127.0.0.1', reconnectStrategy: () => 50 } })
  client.on('error', () => {})
  await client.connect()
  return client
}
const control = await connect()

/** Runs work for some seconds, and returns what Redis counted meanwhile. */
async function measure(work) {
  await work()
  await control.sendCommand(['CONFIG', 'RESETSTAT'])
  const end = performance.now() + seconds * 1000
  let done = 0
  while (performance.now() < end) done += await work()
  const statistics = await control.sendCommand(['INFO', 'commandstats'])
  const of = (name, field) => Number(new RegExp(`cmdstat_${name}:.*?\\b${field}=([\\d.]+)`).exec(statistics)?.[1] ?? 0)
  const round = (number) => Math.round(number * 100) / 100
  return {
    'per second': Math.round(done / seconds),
    'commands for each': round(of('evalsha', 'calls') / done),
    'µs of Redis per command': of('evalsha', 'usec_per_call'),
    'INFO per second': round(of('info', 'calls') / seconds),
    'µs per INFO': of('info', 'usec_per_call'),
  }
}

const clients = await Promise.all(Array.from({ length: instances }, connect))
const indexes = clients.map((client) => redisTagIndex({ client }))
const stamps = await measure(async () => {
  await Promise.all(indexes.map((index) => index.stamp()))
  return indexes.length
})

const pages = createResponseCache({ store: redisStore({ client: clients[0] }), tagIndex: indexes[0] })
const tags = { '/': ['document'], '/10-tags': 10, '/1000-tags': 1_000 }
const handle = pages.wrap(async ({ url }) => {
  const count = tags[new URL(url).pathname]
  const names = typeof count === 'number' ? Array.from({ length: count }, (_, index) => `article-${index}`) : count
  const headers = { 'Cache-Control': 's-maxage=600', 'Cache-Tag': names.join() }
  return new Response('x'.repeat(10_000), { headers })
})
const hits =
  (concurrency, path = '/') =>
  async () => {
    const visit = async () => (await handle(new Request(`http://a.b${path}`))).text()
    await Promise.all(Array.from({ length: concurrency }, visit))
    return concurrency
  }
/** Hits of a page after a purge of what it does not have. */
const hitsAfterPurge = async (path) => {
  await hits(1, path)()
  await pages.invalidate(['another'])
  return measure(hits(1, path))
}
// Commands include the one that reads the page.
console.table({
  [`stamps of ${instances} instances`]: stamps,
  'hits, one at a time': await measure(hits(1)),
  'hits, 100 at a time': await measure(hits(100)),
  'hits after a purge of another tag, 10 tags': await hitsAfterPurge('/10-tags'),
  'hits after a purge of another tag, 1,000 tags': await hitsAfterPurge('/1000-tags'),
})

for (const index of indexes) index.close()
for (const client of [...clients, control]) client.destroy()
server.kill()
