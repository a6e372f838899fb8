import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { withScript } from '../../disk/testing/bundle.js'
import { photograph } from '../testing/originals.js'
import { descendants } from '../testing/processes.js'
import { manyScansJpeg } from '../testing/slow-jpeg.js'
import { buildWorker } from '../testing/worker.js'
import { startTransformProcess } from './transform-process.js'
import type { TaskMessage } from './transform-worker.js'

const timeout = 90_000
const task = (original: Uint8Array): TaskMessage => ({
  maxMemory: 2 * 1024 ** 3,
  original,
  box: { width: 64, height: 0, gravity: undefined },
  accepted: ['webp'],
  quality: undefined,
  maxPixels: 50_000_000,
  maxAvifPixels: 50_000_000,
  svg: false,
})

// The limits are long, for busy machines: nothing here is timed.
vi.setConfig({ testTimeout: 120_000 })

let file: string
const server = createServer()
beforeAll(async () => {
  file = await buildWorker()
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close())

const start = async () => {
  const earlierPids = await descendants(process.pid)
  const worker = await startTransformProcess(file)
  const [pid] = (await descendants(process.pid)).filter((childPid) => !earlierPids.includes(childPid))
  return { worker, pid: pid as number }
}

test('an image process renders one image after another', async () => {
  const { worker } = await start()
  for (let index = 0; index < 3; index++) {
    expect(await worker.run(task(photograph), timeout)).toMatchObject({ format: 'webp' })
  }
  await expect(worker.run(task(Buffer.from('x')), timeout)).rejects.toMatchObject({ status: 422 })
  expect(worker.getMemory()).toBeGreaterThan(10_000_000)
  worker.end()
})

test('an image process has no secret of the site in its environment, only variables of libraries and the allocator', async () => {
  const keptVariables = {
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
  for (const [name, value] of Object.entries(keptVariables)) vi.stubEnv(name, value)
  for (const name of secrets) vi.stubEnv(name, secret)
  try {
    const { worker, pid } = await start()
    const lines = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter(Boolean)
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
    const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)))
    expect(environment).toMatchObject({ ...keptVariables, UV_THREADPOOL_SIZE: '1' })
    expect(environment.PATH).toBe(process.env.PATH)
    expect(await worker.run(task(photograph), timeout)).toMatchObject({ format: 'webp' })
    worker.end()
  } finally {
    vi.unstubAllEnvs()
  }
})

test('an image process has no socket or file of the site', async () => {
  const { worker, pid } = await start()
  await worker.run(task(photograph), timeout)
  const links = await Promise.all((await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`)))
  const sockets = new Set(links.filter((link) => link.startsWith('socket:')))
  expect(sockets.size).toBe(1) // the channel
  expect(links.filter((link) => link.startsWith('/') && !/^\/dev\/(?:null|urandom)$/.test(link))).toEqual([])
  worker.end()
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  '%s, which reaches all processes of a terminal or service, does not end an image process',
  async (signal) => {
    const { worker, pid } = await start()
    process.kill(pid, signal)
    expect(await worker.run(task(photograph), timeout)).toMatchObject({ format: 'webp' })
    worker.end()
  },
)

test('a crash is an error of the image', async () => {
  const { worker, pid } = await start()
  const running = worker.run(task(manyScansJpeg(7000, 7000, 100)), timeout)
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
/** Starts a site in its own process, which decodes for a long time on command. */
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

test('an image process ends when the site is killed, also while it decodes', async () => {
  await withSite(async (site) => {
    site.send('decode')
    await once(site, 'message')
    const workers = await descendants(site.pid as number)
    expect(workers.length).toBe(1)
    site.kill('SIGKILL')
    for (const pid of workers) await vi.waitUntil(async () => !(await isRunning(pid)), { timeout: 20_000 })
  })
})

test.each(['idle', 'refine'])('an image process does not keep the site from ending: %s', async (command) => {
  await withSite(async (site) => {
    if (command === 'refine') {
      site.send(command)
      await once(site, 'message')
    }
    site.send('leave')
    expect(await once(site, 'exit')).toEqual([0, null])
  })
})
