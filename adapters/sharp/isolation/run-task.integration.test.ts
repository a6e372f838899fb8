import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { folderWith } from '../../disk/testing/folder.js'
import { photograph } from '../testing/originals.js'
import { avif, startService, urlOf } from '../testing/service.js'
import { rendererVersion } from '../transforms/renderer-version.js'

vi.setConfig({ testTimeout: 120_000 })

/** Returns a service whose processes run a program of the test's own. */
const start = async (program: string) => {
  const folder = await folderWith({ 'photo.jpg': photograph, 'worker.mjs': program })
  return startService({
    sources: { '/media/': folder },
    isolation: 'process',
    workerFile: join(folder, 'worker.mjs'),
    transformTimeout: 2_000,
    concurrency: 1,
  })
}
const ready = (version = rendererVersion) => `process.send({ type: 'ready', version: ${JSON.stringify(version)} })`
const answer = `
  const image = { format: 'webp', body: new Uint8Array([1, 2, 3]), milliseconds: 1 }
  process.send({ type: 'done', image, memory: 0 })`

test('an image that turns out to be slow is rendered again outside of the places of small ones', async () => {
  const service = await start(`process.on('message', (task) => { if (task.allowHeavy) { ${answer} } })\n${ready()}`)
  const response = await service.get(urlOf('/media/photo.jpg'), avif)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp'])
})

test.each([
  ['of another version', ready('older'), /is of another version than this service, or uses another version of sharp$/],
  ['that fails', 'throw new Error()', /^the image process ended with 1$/],
])('a program %s is 500, and the reason is logged', async (_, program, reason) => {
  const service = await start(program)
  const response = await service.get(urlOf('/media/photo.jpg'), avif)
  expect([response.status, await response.json()]).toEqual([500, { error: 'Image service failed' }])
  expect(service.logged[0]?.detail.reason).toMatch(reason)
})
