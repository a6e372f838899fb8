// What a site takes to run: the bytes of a page in each store, and the bytes and processor time of a photograph.
// The numbers for large sites in docs/start/cost.md are computed from these.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from 'redis'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { diskStore, diskTagIndex } from 'sitewright/disk'
import { createImages } from 'sitewright/image'
import { redisStore, redisTagIndex } from 'sitewright/redis'
import { sharpService } from 'sitewright/sharp'
import { measureImages } from 'sitewright/styleguide'
import { cpuTime } from './cpu.js'
import { record } from './figures.js'

const pages = 10_000
const pageBytes = 11_000

export async function benchCost() {
  console.log(`\nA page of ${pageBytes / 1000} kB, of ${pages} pages`)
  const directory = await mkdtemp(join(tmpdir(), 'sitewright-cost-'))
  const port = 16_380
  const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
    stdio: 'ignore',
  })
  const client = createClient({ socket: { port, host: '127.0.0.1', reconnectStrategy: () => 50 } })
  client.on('error', () => {})
  await client.connect()
  const diskIndex = diskTagIndex({ directory: join(directory, 'tags') })
  const redisIndex = redisTagIndex({ client, timeout: 60_000 })
  const maxBytes = 2 * 1024 ** 3
  const redisBytes = async () => Number(/used_memory:(\d+)/.exec(await client.sendCommand(['INFO', 'memory']))?.[1])
  const diskBytes = () => allocatedBytes(join(directory, 'pages'))
  try {
    await measurePages('memory', { store: memoryStore({ maxBytes }) }, heldBytes)
    const onDisk = diskStore({ directory: join(directory, 'pages'), maxBytes })
    await measurePages('disk', { store: onDisk, tagIndex: diskIndex }, diskBytes)
    const inRedis = redisStore({ client, timeout: 60_000 })
    await measurePages('Redis', { store: inRedis, tagIndex: redisIndex }, redisBytes)
    await measurePhotograph()
  } finally {
    redisIndex.close()
    client.destroy()
    server.kill()
    await once(server, 'exit')
    await rm(directory, { recursive: true, force: true })
  }
}

async function measurePages(name, options, bytesOf) {
  const text = await readFile(new URL('../examples/site/media/CREDITS.md', import.meta.url), 'utf8')
  const body = text.repeat(Math.ceil(pageBytes / text.length)).slice(0, pageBytes)
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 's-maxage=86400',
    'Cache-Tag': 'a,b,c,d,e',
  }
  const handle = createResponseCache(options).wrap(() => new Response(body, { headers }))
  const read = async (number) => (await handle(new Request(`https://site.test/articles/${number}`))).text()
  const before = await bytesOf()
  for (let number = 0; number < pages; number++) await read(number)
  await setTimeout(5_000) // for the writes that are still under way
  const bytes = ((await bytesOf()) - before) / pages
  console.log(`  ${name.padEnd(10)} ${(bytes / 1000).toFixed(1)} kB a page`)
  record(`Cost of a page: ${name}`, 'bytes', { page: bytes })
}

async function heldBytes() {
  if (!globalThis.gc)
    throw new Error('node: expected the flag --expose-gc, got none; write node --expose-gc run.js cost')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The bytes that files take on the disk, by the blocks that they fill. */
async function allocatedBytes(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).blocks * 512),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** All widths and formats of a photograph that is 2,048 pixels wide. */
async function measurePhotograph() {
  const folder = fileURLToPath(new URL('../examples/site/media', import.meta.url))
  const images = createImages({ sources: { '/media/': folder }, service: sharpService() })
  const src = '/media/black-canyon-large.jpg'
  const before = await processorTime()
  const measured = await measureImages({ fetch: images.handler, loader: images.loader, src })
  const time = (await processorTime()) - before
  const all = measured.flatMap(({ deliveries }) => deliveries)
  const bytes = all.reduce((sum, delivery) => sum + delivery.bytes, 0)
  console.log(
    `  a photograph in ${measured.length} widths and 3 formats: ${(bytes / 1000).toFixed(0)} kB, ${(time / 1e6).toFixed(1)} s of one core`,
  )
  record('Cost of a photograph', 'bytes', { all: bytes, files: all.length })
  record('Cost of a photograph, processor time', 'ms', { all: time / 1000 })
}

/** The processor time of this process and of its children, in microseconds. */
async function processorTime() {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = await Promise.all(
    ids.map(async (id) => [
      id,
      (await readFile(`/proc/${id}/stat`, 'latin1').catch(() => '')).split(') ')[1]?.split(' ')[1],
    ]),
  )
  const own = parents.filter(([id, parent]) => id === String(process.pid) || parent === String(process.pid))
  const times = await Promise.all(own.map(([id]) => cpuTime(id).catch(() => 0)))
  return times.reduce((sum, time) => sum + time, 0)
}
