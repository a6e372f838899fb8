import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../disk/testing/folder.js'
import type { ImageServiceOptions } from '../options.js'
import { photograph } from '../testing/originals.js'
import { avif, startService, urlOf } from '../testing/service.js'
import { rendererVersion } from '../transforms/renderer-version.js'

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
  return { ...service, tasks, get: () => service.get(urlOf('/media/photo.jpg'), avif) }
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
  const service = await start(`process.on('message', (task) => { if (task.allowHeavy) { ${answer} } })\n${ready()}`)
  const response = await service.get()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
})

test.each([
  ['of another version', ready('older'), /is of another version than this service, or uses another version of sharp$/],
  ['that fails', 'throw new Error()', /^the image process ended with 1$/],
])('a program %s is 500, and the reason is logged', async (_, program, reason) => {
  const service = await start(program)
  const response = await service.get()
  expect([response.status, await response.json()]).toEqual([500, { error: 'Image service failed' }])
  expect(service.logged[0]?.detail.reason).toMatch(reason)
})

describe('a process that is killed from outside', () => {
  test('while it renders: another one renders the image', async () => {
    const service = await start(`process.on('message', () => { if (count() > 1) { ${answer} } })\n${ready()}`, {
      transformTimeout: 100_000,
    })
    const response = service.get()
    const [first] = await vi.waitUntil(async () => {
      const tasks = await service.tasks()
      return tasks.length > 0 && tasks
    })
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
  // Neither the light nor the heavy attempt is answered.
  const service = await start(`process.on('message', () => { if (count() > 2) { ${answer} } })\n${ready()}`, {
    transformTimeout: 1_000,
  })
  expect((await service.get()).status).toBe(504)
  expect((await service.get()).status).toBe(200)
})

test('an image that takes processor time until its time is over is tried no more, once it took half of it', async () => {
  const service = await start(`process.on('message', () => { while (true); })\n${ready()}`, { transformTimeout: 400 })
  // With other work on the machine that takes several attempts.
  await vi.waitUntil(
    async () => {
      const before = (await service.tasks()).length
      expect((await service.get()).status).toBe(504)
      return (await service.tasks()).length === before
    },
    { timeout: 100_000 },
  )
})
