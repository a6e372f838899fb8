// Renders distinct images of one large original and prints statuses and memory. Arguments: the folder of `large.jpg`,
// the program of transform processes ('': images are rendered in this one), how many images, and the most bytes of
// memory that each process may have in the end.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSigner } from '../../../core/image/sign.js'
import { defaultWidths, encodeSource } from '../../../core/image/url.js'
import { createServiceWith } from '../service.js'
import { descendants, readMemory } from './processes.js'

const [, , folder = '', workerFile = '', count = '', maxMemory = ''] = process.argv
const maxOfWorker = Number(maxMemory) || Number.POSITIVE_INFINITY
const key = { key: '00', salt: '00' }
const sign = createSigner(key)
const service = createServiceWith(
  {
    keys: [key],
    sources: { '/': folder },
    transformTimeout: 120_000,
    isolation: workerFile ? 'process' : 'none',
    workerFile: workerFile || undefined,
    log: () => {},
  },
  {},
)
const types: Record<string, number> = {}

const memoryOfWorkers = async () => (await descendants(process.pid)).map((pid) => readMemory(pid))
let peakOfWorkers = 0
setInterval(async () => {
  const sum = (await memoryOfWorkers()).reduce((total, memory) => total + memory, 0)
  peakOfWorkers = Math.max(peakOfWorkers, sum)
}, 100).unref()

const request = async (options: string) => {
  const path = `/${options}/${encodeSource('/large.jpg')}`
  const response = await service(
    new Request(`http://images.invalid/${sign(path)}${path}`, { headers: { accept: 'image/avif,image/webp' } }),
  )
  await response.arrayBuffer()
  const type = response.headers.get('Content-Type') ?? ''
  types[type] = (types[type] ?? 0) + 1
  return response.status
}

// Each allowed width at several qualities; in waves, so that the queue is full at first.
let wave = Array.from({ length: Number(count) }, (_, index) => {
  const width = defaultWidths[index % defaultWidths.length]
  return `rs:fill:${width}/g:sm/q:${30 + Math.floor(index / defaultWidths.length)}`
})
const statuses: Record<number, number> = {}
while (wave.length > 0) {
  const results = await Promise.all(wave.map(async (options) => ({ options, status: await request(options) })))
  for (const { status } of results) statuses[status] = (statuses[status] ?? 0) + 1
  wave = results.filter(({ status }) => status === 503).map(({ options }) => options)
}

// A process that uses too much memory to stay idle is ended. Its memory counts until the system has ended it.
const deadline = Date.now() + 20_000
let workers = await memoryOfWorkers()
while (workers.some((memory) => memory > maxOfWorker) && Date.now() < deadline) {
  await sleep(100)
  workers = await memoryOfWorkers()
}

const peak = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
process.stdout.write(
  JSON.stringify({
    statuses,
    types,
    rss: process.memoryUsage().rss,
    peak: Number(peak) * 1024,
    workers,
    peakOfWorkers,
  }),
)
