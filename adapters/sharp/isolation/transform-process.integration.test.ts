import { type ChildProcess, fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { withScript } from '../../disk/testing/bundle.js'
import { folderWith } from '../../disk/testing/folder.js'
import { TransformFailure } from '../failure.js'
import { photograph } from '../testing/originals.js'
import { descendants } from '../testing/processes.js'
import { manyScansJpeg } from '../testing/slow-jpeg.js'
import { buildWorker } from '../testing/worker.js'
import type { RenderTask } from '../transforms/render-image.js'
import { rendererVersion } from '../transforms/renderer-version.js'
import { getProcessPool } from './process-pool.js'
import { startTransformProcess } from './transform-process.js'

const limits = { processorTime: 30_000, timeout: 90_000, maxMemory: 2 * 1024 ** 3 }
const never = new AbortController().signal
const task = (original: Uint8Array): RenderTask => ({
  original,
  options: { resize: 'fill', width: 64, height: 0, gravity: 'centre', quality: 0, format: undefined },
  accepted: ['webp'],
  allowHeavy: true,
  quality: undefined,
  maxPixels: 50_000_000,
  maxAvifPixels: 50_000_000,
  transformTimeout: 10_000,
})

// Processes of low priority, on machines that do other things: nothing here is timed.
vi.setConfig({ testTimeout: 120_000 })

let file: string
const server = createServer()
beforeAll(async () => {
  file = await buildWorker()
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close())

const start = async () => {
  const before = await descendants(process.pid)
  const worker = await startTransformProcess(file)
  const [pid] = (await descendants(process.pid)).filter((each) => !before.includes(each))
  return { worker, pid: pid as number }
}

test('renders one image after another', async () => {
  const { worker } = await start()
  for (let index = 0; index < 3; index++) {
    expect(await worker.run(task(photograph), limits, never)).toMatchObject({ format: 'webp' })
  }
  await expect(worker.run(task(Buffer.from('x')), limits, never)).rejects.toMatchObject({ status: 422 })
  expect(worker.memory()).toBeGreaterThan(10_000_000)
  worker.end()
})

test('has no secret of the site in its environment, but what libraries and the allocator read', async () => {
  const kept = {
    TZ: 'Europe/Zurich',
    LC_ALL: 'C.UTF-8',
    MALLOC_ARENA_MAX: '2',
    VIPS_CONCURRENCY: '1',
    NODE_OPTIONS: '--no-warnings',
  }
  const secret = 'correct-horse-battery-staple'
  const secrets = [
    'REVALIDATE_SECRET',
    'DATABASE_URL',
    'IMGPROXY_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'npm_config__authToken',
  ]
  for (const [name, value] of Object.entries(kept)) vi.stubEnv(name, value)
  for (const name of secrets) vi.stubEnv(name, secret)
  try {
    const { worker, pid } = await start()
    const lines = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter(Boolean)
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
    const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)))
    expect(environment).toMatchObject({ ...kept, UV_THREADPOOL_SIZE: '1' })
    expect(environment.PATH).toBe(process.env.PATH)
    expect(await worker.run(task(photograph), limits, never)).toMatchObject({ format: 'webp' })
    worker.end()
  } finally {
    vi.unstubAllEnvs()
  }
})

test('has no socket or file of the site, and all its threads have a lower priority', async () => {
  const { worker, pid } = await start()
  await worker.run(task(photograph), limits, never)
  const links = await Promise.all((await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`)))
  const sockets = new Set(links.filter((link) => link.startsWith('socket:')))
  expect(sockets.size).toBe(1) // the channel
  expect(links.filter((link) => link.startsWith('/') && !/^\/dev\/(?:null|urandom)$/.test(link))).toEqual([])
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'latin1')
    const nice = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    expect(nice).toBe(Math.min(19, getPriority() + 10))
  }
  worker.end()
})

test('an idle process that is killed when the next image comes costs nothing', async () => {
  const before = await descendants(process.pid)
  const run = getProcessPool(file, 'light')
  await run(task(photograph), limits, never)
  const [pid] = (await descendants(process.pid)).filter((each) => !before.includes(each))
  process.kill(pid as number, 'SIGKILL')
  expect(await run(task(photograph), limits, never)).toMatchObject({ format: 'webp' })
})

test('a process that a heavy image may end is none of those of light ones', async () => {
  const before = await descendants(process.pid)
  const [runLight, runHeavy] = [getProcessPool(file, 'light'), getProcessPool(file, 'heavy')]
  await runLight(task(photograph), limits, never)
  const started = async () => (await descendants(process.pid)).filter((each) => !before.includes(each))
  const light = await started()
  await runHeavy(task(photograph), limits, never)
  expect(await started()).toHaveLength(light.length + 1)
  await runLight(task(photograph), limits, never)
  expect(await started()).toHaveLength(light.length + 1)
})

test('when memory runs out, the kernel ends it before the site', async () => {
  const { worker, pid } = await start()
  expect(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8')).toBe('1000\n')
  worker.end()
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s, which reaches all processes of a terminal or service, does not end it',
  async (signal) => {
    const { worker, pid } = await start()
    process.kill(pid, signal)
    expect(await worker.run(task(photograph), limits, never)).toMatchObject({ format: 'webp' })
    worker.end()
  },
)

test('a crash is an error of the image', async () => {
  const { worker, pid } = await start()
  const running = worker.run(task(manyScansJpeg(7000, 7000, 100)), limits, never)
  process.kill(pid, 'SIGSEGV')
  await expect(running).rejects.toMatchObject({ status: 422, message: 'The original could not be decoded' })
  expect(worker.isAlive()).toBe(false)
})

test('a program that ends, or is missing, is an error', async () => {
  await expect(startTransformProcess('/missing/worker.js')).rejects.toThrow(
    'the image process ended with 1: files that it imports may be missing, see by node /missing/worker.js',
  )
})

const script = new URL('../testing/site.ts', import.meta.url)
/** Starts a site in a process of its own, which decodes for long when told to. */
const withSite = (run: (site: ChildProcess) => Promise<void>) =>
  withScript(script, async (path) => {
    const site = fork(path, [file], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    try {
      await once(site, 'message')
      await run(site)
    } finally {
      site.kill('SIGKILL')
    }
  })
const isRunning = async (pid: number) =>
  (await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') Z')).match(/\) (\w)/)?.[1] !== 'Z'

test('ends when the site is killed, also while it decodes', async () => {
  await withSite(async (site) => {
    site.send('decode')
    await once(site, 'message')
    const workers = await descendants(site.pid as number)
    expect(workers.length).toBe(1)
    site.kill('SIGKILL')
    for (const pid of workers) await vi.waitUntil(async () => !(await isRunning(pid)), { timeout: 20_000 })
  })
})

test('does not keep the site from ending when idle', async () => {
  await withSite(async (site) => {
    site.send('leave')
    expect(await once(site, 'exit')).toEqual([0, null])
  })
})

/** Starts a program of the test's own. */
const startProgram = async (program: string) => {
  const ready = `process.send({ type: 'ready', version: ${JSON.stringify(rendererVersion)} })`
  const folder = await folderWith({ 'worker.cjs': `${program}\n${ready}` })
  return await startTransformProcess(join(folder, 'worker.cjs'))
}

test('a large original is sent in pieces, so that the event loop goes round meanwhile', async () => {
  const program = await startProgram(`
    const hash = require('node:crypto').createHash('sha256')
    let largest = 0
    process.on('message', ({ piece, original }) => {
      hash.update(piece ?? original)
      largest = Math.max(largest, (piece ?? original).length)
      const image = { format: 'webp', body: original && hash.digest(), milliseconds: largest }
      if (original) process.send({ type: 'done', image, memory: 0, processorTime: 0 })
    })`)
  const original = randomBytes(5_000_000)
  const received = await program.run(task(original), limits, never)
  expect(received?.body).toEqual(createHash('sha256').update(original).digest())
  expect(received?.milliseconds).toBeLessThanOrEqual(2 ** 20)
  program.end()

  const { worker } = await start()
  const expected = await worker.run(task(photograph), limits, never)
  for (const size of [2 ** 19, 2 ** 19 + 1, 3 * 2 ** 19]) {
    const padded = Buffer.concat([photograph], Math.max(size, photograph.length))
    expect((await worker.run(task(padded), limits, never))?.body).toEqual(expected?.body)
  }
  worker.end()
})

describe('limits of time', () => {
  test('an image that takes its processor time is 422, and another try would be the same', async () => {
    const worker = await startProgram(`process.on('message', () => { while (true); })`)
    const running = worker.run(task(photograph), { ...limits, processorTime: 300, timeout: 600_000 }, never)
    await expect(running).rejects.toThrow(TransformFailure)
    await expect(running).rejects.toMatchObject({
      status: 422,
      message:
        'Rendering the image takes longer than 300 ms; choose a smaller width, a smaller original or another format',
    })
    expect(worker.isAlive()).toBe(false)
  })

  test('one that only waits for longer than that is made', async () => {
    const answer = `process.send({ type: 'done', image: undefined, memory: 0, processorTime: 0 })`
    const worker = await startProgram(`process.on('message', () => setTimeout(() => ${answer}, 500))`)
    expect(await worker.run(task(photograph), { ...limits, processorTime: 400 }, never)).toBe(undefined)
    worker.end()
  })

  test('a process that hangs without taking processor time is 504, which says nothing about the image', async () => {
    const worker = await startProgram(`process.on('message', () => {})`)
    const running = worker.run(task(photograph), { ...limits, timeout: 300 }, never)
    await expect(running).rejects.toMatchObject({ status: 504, message: 'Rendering the image took too long' })
    await expect(running).rejects.not.toThrow(TransformFailure)
    expect(worker.isAlive()).toBe(false)
  })
})
