// Processor time of one Redis for each operation of store and tag index, by the number of entries and tags. Processor time
// and not duration, so that other work on the machine changes little. After `npm run build`: node bench/redis-scale.js
import { spawn } from 'node:child_process'
import { createClient } from 'redis'
import { redisStore, redisTagIndex } from 'sitewright/redis'
import { record } from './figures.js'

const seconds = Number(process.env.SECONDS ?? 3)
const port = Number(process.env.REDIS_PORT ?? 16379)
const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], { stdio: 'ignore' })
const open = []
const connect = async () => {
  const client = createClient({ socket: { port, host: '127.0.0.1', reconnectStrategy: () => 50 } })
  client.on('error', () => {})
  open.push(await client.connect())
  return client
}
const control = await connect()
const timeout = 60_000
const instances = await Promise.all(
  Array.from({ length: 20 }, async () => {
    const client = await connect()
    const index = redisTagIndex({ client, timeout, maxBytes: 2 ** 30, log: () => {} })
    return { index, store: redisStore({ client, timeout }) }
  }),
)
const processorTime = async () => {
  const info = await control.sendCommand(['INFO', 'cpu'])
  const of = (name) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1])
  return (of('used_cpu_user_main_thread') + of('used_cpu_sys_main_thread')) * 1e6
}
const rows = {}
/** Runs work of 20 instances at the same time, each with `size` operations in one batch, again and again. */
async function measure(name, work, size = 1) {
  const round = () => Promise.all(instances.map((instance, number) => work(instance, number)))
  await round()
  const before = await processorTime()
  const end = performance.now() + seconds * 1000
  let done = 0
  for (; performance.now() < end; done += instances.length * size) await round()
  const cost = ((await processorTime()) - before) / done
  rows[name] = { 'µs of Redis': Math.round(cost * 10) / 10, 'a second at most': Math.round(1e6 / cost) }
  console.error(name, rows[name])
}
const range = (length, prefix) => Array.from({ length }, (_, number) => `${prefix}-${number}`)
const entry = (length) => ({ kind: 'value', metadata: {}, body: new Uint8Array(length), ttl: 3600 })

await measure('stamp', ({ index }) => index.stamp())
const since = await instances[0].index.stamp()
await instances[0].index.purge(range(1000, 'other'), 'hard')
for (const tags of [1, 10, 100, 1000]) {
  await measure(`purgedSince, ${tags} tags`, ({ index }) => index.purgedSince(since, range(tags, 'tag')))
}
await measure(
  'purgedSince, 10 tags, each of 100 at once',
  ({ index }) => Promise.all(range(100, 'page').map(() => index.purgedSince(since, range(10, 'tag')))),
  100,
)
for (const bytes of [1_000, 10_000, 100_000]) {
  await instances[0].store.set('page', entry(bytes))
  await measure(`get, ${bytes} bytes`, ({ store }) => store.get('page'))
}
const key = (number) => `https://site.test/${number}`
const fill = `for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  redis.call('RESTORE', 'sitewright:entry:https://site.test/' .. i, 3600000, ARGV[3], 'REPLACE') end`
await instances[0].store.set(key(0), entry(100))
const dump = await control
  .withTypeMapping({ 36: Buffer })
  .sendCommand(['DUMP', `sitewright:entry:${key(0)}`], { typeMapping: { 36: Buffer } })
let filled = 0
for (const entries of [1e3, 1e4, 1e5, 1e6]) {
  for (; filled < entries; filled += 1000)
    await control.sendCommand(['EVAL', fill, '0', String(filled), String(filled + 999), dump])
  await measure(`get, of ${entries} entries`, ({ store }) => store.get(key(Math.floor(Math.random() * entries))))
}
await control.sendCommand(['FLUSHALL'])
let purged = 0
for (const tags of [1e3, 1e4, 1e5, 1e6]) {
  for (; purged < tags; purged += 1000) {
    const batch = Array.from({ length: 1000 }, (_, number) => `document-${purged + number}`)
    await instances[0].index.purge(batch, 'hard')
  }
  await measure(`purge of a tag, of ${tags}`, ({ index }) =>
    index.purge([`document-${Math.floor(Math.random() * tags)}`], 'hard'),
  )
  const bytes = await control.sendCommand(['MEMORY', 'USAGE', 'sitewright:tags'])
  rows[`purge of a tag, of ${tags}`]['bytes a tag'] = Math.round(bytes / tags)
}
await measure('stamp, with a million tags', ({ index }) => index.stamp())

console.table(rows)
record('Redis', 'µs', Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row['µs of Redis']])))
for (const { index } of instances) index.close()
for (const client of open) client.destroy()
server.kill()
