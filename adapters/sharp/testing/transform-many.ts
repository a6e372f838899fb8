// Renders distinct images of one large original and prints statuses and memory. Arguments: the folder of `large.jpg`,
// the program of transform processes ('': images are rendered in this one), how many images, and the most bytes of
// memory that each process may have in the end.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryTagIndex } from '../../../core/cache/index.js'
import { createSharpService } from '../service.js'
import { descendants, readMemory } from './processes.js'

const [, , folder = '', workerFile = '', count = '', maxMemory = ''] = process.argv
const maxOfWorker = Number(maxMemory) || Number.POSITIVE_INFINITY
const log = () => {}
const service = createSharpService(
  { transformTimeout: 120_000, isolation: workerFile ? 'process' : 'none', workerFile: workerFile || undefined },
  { sources: { '/': folder }, cache: undefined, tagIndex: memoryTagIndex(), maxAge: 300, log },
  { waitTimeout: 1_000_000 },
)
const types: Record<string, number> = {}

const memoryOfWorkers = async () => (await descendants(process.pid)).map((pid) => readMemory(pid))
let peakOfWorkers = 0
setInterval(async () => {
  const sum = (await memoryOfWorkers()).reduce((total, memory) => total + memory, 0)
  peakOfWorkers = Math.max(peakOfWorkers, sum)
}, 100).unref()

const request = async (width: number) => {
  const image = { source: '/large.jpg', width, ratio: undefined, focus: undefined, version: undefined }
  const client = { formats: ['avif', 'webp'] as const, etags: [], modifiedSince: null, needsBody: () => true }
  const result = await service.getImage(image, { ...client, signal: () => undefined, onBodyError() {} })
  const type = 'type' in result ? result.type : ''
  types[type] = (types[type] ?? 0) + 1
  return result.status
}

// Widths up to the largest allowed one; in waves, so that the queue is full at first.
let wave = Array.from({ length: Number(count) }, (_, index) => Math.round((3840 * (index + 1)) / Number(count)))
const statuses: Record<number, number> = {}
while (wave.length > 0) {
  const results = await Promise.all(wave.map(async (width) => ({ width, status: await request(width) })))
  for (const { status } of results) statuses[status] = (statuses[status] ?? 0) + 1
  wave = results.filter(({ status }) => status === 503).map(({ width }) => width)
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
