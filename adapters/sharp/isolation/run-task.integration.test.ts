import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../disk/testing/folder.js'
import { photograph } from '../testing/originals.js'
import { avif, startService, type TestOptions, type TestSize, urlOf } from '../testing/service.js'
import { rendererVersion } from '../transforms/render-image.js'

vi.setConfig({ testTimeout: 120_000 })

/** Returns a service whose image processes run the test's own program. */
const start = async (program: string, options: Partial<TestOptions> = {}) => {
  const folder = await folderWith({ 'photo.jpg': photograph, 'worker.cjs': logTasks + program })
  /** The processes that received a task, in order. */
  const tasks = async () =>
    (await readFile(join(folder, 'tasks'), 'utf8').catch(() => '')).match(/\d+/g)?.map(Number) ?? []
  const service = startService({
    sources: { '/media/': folder },
    isolation: 'process',
    workerFile: join(folder, 'worker.cjs'),
    transformTimeout: 60_000,
    concurrency: 1,
    ...options,
  })
  const go = () => writeFile(join(folder, 'go'), '')
  const replace = (bytes: Uint8Array) => writeFile(join(folder, 'photo.jpg'), bytes)
  const get = (size?: TestSize) => service.get(urlOf('/media/photo.jpg', size), avif)
  return { ...service, tasks, go, replace, get }
}
const logTasks = `
  const { readFileSync, writeFileSync } = require('node:fs')
  const count = () => readFileSync(__dirname + '/tasks', 'utf8').split('\\n').length - 1
  process.on('message', () => writeFileSync(__dirname + '/tasks', process.pid + '\\n', { flag: 'a' }))
`
const ready = (version = rendererVersion) => `process.send({ type: 'ready', version: ${JSON.stringify(version)} })`
const answer = `
  const image = { format: 'webp', body: new Uint8Array([1, 2, 3]) }
  process.send({ type: 'done', image, memory: 0 })`

test.each([
  ['of another version', ready('older'), /is of another version than this service, or uses another version of sharp$/],
  [
    'that fails',
    'throw new Error()',
    /^the image process ended with 1: files that it imports may be missing, see by node \/.+$/,
  ],
])('a program %s is a failure of the service, and the reason is logged', async (_, program, reason) => {
  const service = await start(program)
  const response = await service.get()
  expect([response.status, await response.json()]).toEqual([502, { error: 'Image service failed' }])
  expect(service.logged[0]?.detail).toMatchObject({ status: 500, failure: expect.stringMatching(reason) })
})

describe('an original that fails is tried once a minute', () => {
  test.each([
    [
      'corrupt',
      `process.send({ type: 'failed', status: 422, message: 'The original is corrupt', reason: '', memory: 0 })`,
      { status: 422, error: 'The original is corrupt' },
    ],
    ['crashes the decoder', 'process.abort()', { status: 422, error: 'The original could not be decoded' }],
    ['never ends', 'while (true);', { status: 504, error: 'Rendering the image took too long' }],
    [
      'makes the kernel kill the process',
      `process.kill(process.pid, 'SIGKILL')`,
      { status: 503, error: 'The image process was killed' },
    ],
  ])(
    'an original that %s is tried once a minute for all its sizes, until its bytes change',
    async (_, program, { status, error }) => {
      const options = { transformTimeout: 1_000 }
      const service = await start(`process.on('message', () => { ${program} })\n${ready()}`, options)
      const responses = await Promise.all([1, 2, 3].map((width) => service.get(width)))
      responses.push(await service.get(1), await service.get(4))
      for (const response of responses) expect(response.status).toBe(status)
      expect(service.lastFailure()).toContain(error)
      expect(await service.tasks()).toHaveLength(1)
      await service.replace(Buffer.concat([photograph, Buffer.of(0)]))
      expect((await service.get()).status).toBe(status)
      expect(await service.tasks()).toHaveLength(2)
    },
  )
})

test('a process that was killed while it was idle is replaced', async () => {
  const service = await start(`process.on('message', () => { ${answer} })\n${ready()}`)
  expect((await service.get()).status).toBe(200)
  const [idlePid = 0] = await service.tasks()
  process.kill(idlePid, 'SIGKILL')
  await vi.waitUntil(() => !isRunning(idlePid), { timeout: 60_000 })
  expect((await service.get(9)).status).toBe(200)
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

  test('a transform that has begun is finished and stored when its last client leaves, and the next visitor gets it', async () => {
    const service = await start(waitForFile)
    const client = new AbortController()
    const response = service.handler(new Request(urlOf('/media/photo.jpg'), { headers: avif, signal: client.signal }))
    await vi.waitUntil(async () => (await service.tasks()).length > 0, { timeout: 60_000 })
    client.abort(new Error('gone'))
    expect((await response).status).toBe(502) // which nobody gets
    // Joins the transform.
    const joined = service.get()
    await service.go()
    expect((await joined).status).toBe(200)
    expect((await service.get()).status).toBe(200)
    expect(await service.tasks()).toHaveLength(1)
    // The visitor who joins comes in time, or finds the stored image.
    expect(service.count('transform')).toBe(1)
  })

  test('a transform that has not begun is dropped when its last client leaves', async () => {
    const service = await start(waitForFile)
    const first = service.get()
    await vi.waitUntil(async () => (await service.tasks()).length === 1, { timeout: 60_000 })
    const client = new AbortController()
    const waiting = service.handler(new Request(urlOf('/media/photo.jpg', 9), { signal: client.signal }))
    client.abort(new Error('gone'))
    expect((await waiting).status).toBe(502)
    await service.go()
    expect((await first).status).toBe(200)
    expect((await service.get()).status).toBe(200)
    expect(await service.tasks()).toHaveLength(1)
  })
})
