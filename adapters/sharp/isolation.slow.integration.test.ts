import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { beforeAll, expect, test, vi } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { photograph } from './testing/originals.js'
import { descendants, readMemory } from './testing/processes.js'
import { avif, renderInProcesses, startService, urlOf } from './testing/service.js'
import { manyScansJpeg } from './testing/slow-jpeg.js'
import { buildWorker } from './testing/worker.js'

// The limits are long, for busy machines: nothing here is timed.
vi.setConfig({ testTimeout: 300_000 })

// The image processes of some tests run a program that never finishes decoding this file.
const endless = Buffer.concat([photograph, Buffer.of(0)])

let folder: string
beforeAll(async () => {
  await renderInProcesses()
  const worker = pathToFileURL(await buildWorker()).href
  const flat = sharp({ create: { width: 7000, height: 7000, channels: 3, background: '#777' } })
  folder = await folderWith({
    'photo.jpg': photograph,
    'endless.jpg': endless,
    'worker.mjs': `
      process.on('message', ({ original }) => { while (original.length === ${endless.length}); })
      await import(${JSON.stringify(worker)})`,
    'slow.jpg': manyScansJpeg(7000, 7000, 100),
    'scans.jpg': manyScansJpeg(7000, 7000),
    'scans-small.jpg': manyScansJpeg(160, 160),
    'large.png': await sharp(photograph).resize(3840).png({ compressionLevel: 1 }).toBuffer(),
    'flat.avif': await flat.avif({ effort: 0 }).toBuffer(),
  })
}, 120_000)
const start = (options: Partial<Parameters<typeof startService>[0]> = {}) =>
  startService({ sources: { '/media/': folder, '/other/': folder }, ...options })
const small = (index: number) => urlOf('/media/photo.jpg', 100 + index)

test('a picture that decodes forever is ended, costs one process for all its sizes, and small images are served', async () => {
  const service = start({ transformTimeout: 3_000, workerFile: join(folder, 'worker.mjs'), concurrency: 2 })
  let waiting = 3
  const slow = [10, 11, 12].map((width) =>
    service.get(urlOf('/media/endless.jpg', width), avif).finally(() => waiting--),
  )
  let served = 0
  for (let index = 0; waiting > 0; index++) {
    const { status } = await service.get(urlOf('/other/photo.jpg', 100 + index), avif)
    expect(status).toBe(200)
    served++
  }
  for (const { status } of await Promise.all(slow)) expect(status).toBe(504)
  expect(served).toBeGreaterThan(0)
  const started = await descendants(process.pid)
  for (let width = 13; width < 30; width++) {
    expect((await service.get(urlOf('/media/endless.jpg', width), avif)).status).toBe(504)
  }
  expect(await descendants(process.pid)).toEqual(started)
  expect(service.count('load')).toBeLessThan(served + 4)
})

test.each(['scans.jpg', 'scans-small.jpg'])(
  '%s, which would keep the decoder busy, is 422 before it is decoded, and is read once',
  async (name) => {
    const service = start({ transformTimeout: 100_000 })
    for (const width of [10, 11, 10, 12]) {
      const response = await service.get(urlOf(`/media/${name}`, width), avif)
      const error = 'The original has 2647 scans, more than 100'
      expect([response.status, service.lastFailure()]).toEqual([422, error])
    }
    expect(service.count('load')).toBe(1)
  },
)

test('a picture that takes too much memory is 422, and the next one is served', async () => {
  const service = start({ maxWorkerMemory: 300 * 1024 ** 2 })
  const response = await service.get(urlOf('/media/flat.avif', 64), avif)
  const failure = expect.stringContaining('Rendering the image took too much memory')
  expect([response.status, service.lastFailure()]).toEqual([422, failure])
  expect((await service.get(small(0), avif)).status).toBe(200)
})

test('an image whose process is killed is 503, and others are served', async () => {
  const service = start({ transformTimeout: 100_000 })
  const slow = service.get(urlOf('/media/slow.jpg', 77), avif)
  process.kill(await findBusy(), 'SIGKILL')
  expect((await slow).status).toBe(503)
  expect(service.lastFailure()).toBe('The image process was killed: the image process ended with SIGKILL')
  expect((await service.get(small(0), avif)).status).toBe(200)
})

test('AVIF is the format of every size', async () => {
  const response = await start({ transformTimeout: 100_000 }).get(urlOf('/media/large.png', 3840), avif)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/avif'])
})

/** Waits for a process that decodes `slow.jpg`: it holds a number per coefficient. */
const findBusy = () =>
  vi.waitUntil(async () => (await descendants(process.pid)).find((pid) => readMemory(pid) > 250_000_000), {
    timeout: 20_000,
  }) as Promise<number>
