import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { ProcessingOptions } from '../../../core/image/internal.js'
import { folderWith } from '../../disk/testing/folder.js'
import { CorruptOriginal } from '../failure.js'
import type { ImageServiceOptions } from '../options.js'
import { photograph } from '../testing/originals.js'
import { avif, startService, urlOf } from '../testing/service.js'
import { buildWorker } from '../testing/worker.js'
import { rendererVersion } from '../transforms/renderer-version.js'
import { getProcessPool } from './process-pool.js'

vi.setConfig({ testTimeout: 120_000 })

/** Returns a service whose processes run a program of the test's own. */
const start = async (program: string, options: Partial<ImageServiceOptions> = {}) => {
  const folder = await folderWith({ 'photo.jpg': photograph, 'worker.cjs': logTasks + program })
  /** The processes that received a task, in order. */
  const tasks = async () =>
    (await readFile(join(folder, 'tasks'), 'utf8').catch(() => '')).match(/\d+/g)?.map(Number) ?? []
  const service = startService({
    sources: { '/media/': folder },
    isolation: 'process',
    workerFile: join(folder, 'worker.cjs'),
    transformTimeout: 2_000,
    concurrency: 1,
    ...options,
  })
  const go = () => writeFile(join(folder, 'go'), '')
  const replace = (bytes: Uint8Array) => writeFile(join(folder, 'photo.jpg'), bytes)
  return { ...service, tasks, go, replace, get: () => service.get(urlOf('/media/photo.jpg'), avif) }
}
const logTasks = `
  const { readFileSync, writeFileSync } = require('node:fs')
  const count = () => readFileSync(__dirname + '/tasks', 'utf8').split('\\n').length - 1
  process.on('message', () => writeFileSync(__dirname + '/tasks', process.pid + '\\n', { flag: 'a' }))
`
const ready = (version = rendererVersion) => `process.send({ type: 'ready', version: ${JSON.stringify(version)} })`
const answer = `
  const image = { format: 'webp', body: new Uint8Array([1, 2, 3]), milliseconds: 1 }
  process.send({ type: 'done', image, memory: 0 })`

test('an image that turns out to be slow is rendered again outside of the places of small ones', async () => {
  const program = `process.on('message', (task) => { if (task.allowHeavy) { ${answer} } })\n${ready()}`
  const service = await start(program, { transformTimeout: 600 }) // the light stage ends after 1.5 s by the clock
  const response = await service.get()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
})

test.each([
  ['of another version', ready('older'), /is of another version than this service, or uses another version of sharp$/],
  [
    'that fails',
    'throw new Error()',
    /^the image process ended with 1: files that it imports may be missing, see by node \/.+$/,
  ],
])('a program %s is 500, and the reason is logged', async (_, program, reason) => {
  const service = await start(program)
  const response = await service.get()
  expect([response.status, await response.json()]).toEqual([500, { error: 'Image service failed' }])
  expect(service.logged[0]?.detail.reason).toMatch(reason)
})

test('a corrupt original is decoded for three images at most, until it has other bytes', async () => {
  const corrupt = `{ type: 'failed', status: 422, kind: 'corrupt', message: 'The original is corrupt', reason: '', memory: 0 }`
  const service = await start(`process.on('message', () => process.send(${corrupt}))\n${ready()}`)
  const statuses: number[] = []
  for (const width of [1, 2, 3, 1, 4, 5]) {
    statuses.push((await service.handler(new Request(urlOf('/media/photo.jpg', `w:${width}`)))).status)
  }
  expect(statuses).toEqual(statuses.map(() => 422))
  expect(await service.tasks()).toHaveLength(3)
  await service.replace(Buffer.concat([photograph, Buffer.of(0)]))
  expect((await service.get()).status).toBe(422)
  expect(await service.tasks()).toHaveLength(4)
})

test('the program of the package says which original is corrupt', async () => {
  const task = {
    ...{ quality: undefined, maxPixels: 1e6, maxAvifPixels: 1e6, transformTimeout: 10_000, allowHeavy: true },
    ...{
      original: photograph.subarray(0, 50_000),
      options: { resize: 'fit', width: 9 } as ProcessingOptions,
      accepted: [],
    },
  }
  const run = getProcessPool(await buildWorker(), 'light')
  const limits = { processorTime: 10_000, timeout: 60_000, maxMemory: 1e9 }
  await expect(run(task, limits, new AbortController().signal)).rejects.toBeInstanceOf(CorruptOriginal)
})

describe('a process that is killed from outside', () => {
  test('while it renders: another one renders the image', async () => {
    const service = await start(`process.on('message', () => { if (count() > 1) { ${answer} } })\n${ready()}`, {
      transformTimeout: 100_000,
    })
    const response = service.get()
    const [first] = await vi.waitUntil(
      async () => {
        const tasks = await service.tasks()
        return tasks.length > 0 && tasks
      },
      { timeout: 60_000 },
    )
    process.kill(first as number, 'SIGKILL')
    expect((await response).status).toBe(200)
    expect(service.logged).toEqual([])
  })

  test('twice with the same image: 503, which is remembered', async () => {
    const service = await start(`process.on('message', () => process.kill(process.pid, 'SIGKILL'))\n${ready()}`)
    for (let index = 0; index < 3; index++) {
      const response = await service.get()
      expect([response.status, await response.json()]).toEqual([503, { error: 'The image process was killed' }])
    }
    expect(await service.tasks()).toHaveLength(2)
  })
})

test('an image that got no processor time until its time was over is tried again', async () => {
  // None of the three stages is answered.
  const service = await start(`process.on('message', () => { if (count() > 3) { ${answer} } })\n${ready()}`, {
    transformTimeout: 300,
  })
  expect((await service.get()).status).toBe(504)
  expect((await service.get()).status).toBe(200)
})

test('an image that takes its processor time is 422 and remembered, however busy the machine is', async () => {
  const service = await start(`process.on('message', () => { while (true); })\n${ready()}`, { transformTimeout: 200 })
  // Before, it may run out of wall-clock time, which is not remembered.
  const response = await vi.waitUntil(
    async () => {
      const each = await service.get()
      if (each.status === 422) return each
      expect(each.status).toBe(504)
      return undefined
    },
    { timeout: 100_000 },
  )
  const error =
    'Rendering the image takes longer than 200 ms; choose a smaller width, a smaller original or another format'
  expect(await response.json()).toEqual({ error })
  expect(response.headers.has('retry-after')).toBe(false)
  const before = (await service.tasks()).length
  for (let index = 0; index < 3; index++) expect((await service.get()).status).toBe(422)
  expect(await service.tasks()).toHaveLength(before)
})

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('when the last client has left', () => {
  const waitForFile = `
    const { existsSync } = require('node:fs')
    const go = () => existsSync(__dirname + '/go') ? answer() : setTimeout(go, 10)
    const answer = () => { ${answer} }
    process.on('message', go)\n${ready()}`
  const leave = async (service: Awaited<ReturnType<typeof start>>, url: string) => {
    const tasks = (await service.tasks()).length
    const client = new AbortController()
    const response = service.handler(new Request(url, { headers: avif, signal: client.signal }))
    await vi.waitUntil(async () => (await service.tasks()).length > tasks, { timeout: 60_000 })
    client.abort(new Error('gone'))
    await expect(response).rejects.toThrow('gone')
  }

  test('a transform that has begun is finished and stored, and the next visitor pays nothing', async () => {
    const service = await start(waitForFile, { transformTimeout: 100_000 })
    await leave(service, urlOf('/media/photo.jpg'))
    // Joins what is going on.
    const joined = service.get()
    await service.go()
    expect((await joined).status).toBe(200)
    expect((await service.get()).status).toBe(200)
    expect(await service.tasks()).toHaveLength(1)
    expect([service.count('transform'), service.count('hit')]).toEqual([1, 1])
  })

  test('it is so for eight at once, and further ones are ended', async () => {
    const service = await start(waitForFile, { transformTimeout: 100_000, concurrency: 10 })
    for (let width = 1; width <= 9; width++) await leave(service, urlOf('/media/photo.jpg', `w:${width}`))
    const ninth = (await service.tasks()).at(-1) as number
    await vi.waitUntil(() => !isRunning(ninth), { timeout: 60_000 })
    await service.go()
    await vi.waitUntil(() => service.count('transform') === 8, { timeout: 60_000 })
    // The ninth is rendered again.
    expect((await service.handler(new Request(urlOf('/media/photo.jpg', 'w:9'), { headers: avif }))).status).toBe(200)
    expect(await service.tasks()).toHaveLength(10)
  })

  test('what has not begun is dropped', async () => {
    const service = await start(waitForFile, { transformTimeout: 100_000, concurrency: 1 })
    const first = service.get()
    await vi.waitUntil(async () => (await service.tasks()).length === 1, { timeout: 60_000 })
    const client = new AbortController()
    const waiting = service.handler(new Request(urlOf('/media/photo.jpg', 'w:9'), { signal: client.signal }))
    client.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await service.go()
    expect((await first).status).toBe(200)
    expect((await service.get()).status).toBe(200)
    expect(await service.tasks()).toHaveLength(1)
  })
})
