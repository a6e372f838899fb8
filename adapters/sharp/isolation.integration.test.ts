import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { readMemory } from './isolation/process-usage.js'
import { photograph } from './testing/originals.js'
import { descendants } from './testing/processes.js'
import { avif, renderInProcesses, startService, urlOf } from './testing/service.js'
import { manyScansJpeg } from './testing/slow-jpeg.js'
import { buildWorker } from './testing/worker.js'

// Processes of low priority, on machines that do other things: nothing here is timed.
vi.setConfig({ testTimeout: 300_000 })

// The program of the processes that a test chooses never ends decoding it.
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
  startService({ sources: { '/media/': folder }, ...options })
const small = (index: number) => urlOf('/media/photo.jpg', `w:${100 + index}`)

describe('a picture that takes too long to decode', () => {
  test('is ended, and small images are served meanwhile', async () => {
    const service = start({ transformTimeout: 4_000, workerFile: join(folder, 'worker.mjs') })
    let response: Response | undefined
    const slow = service.get(urlOf('/media/endless.jpg'), avif).then((ended) => {
      response = ended
    })
    let served = 0
    for (let index = 0; !response; index++) {
      expect((await service.get(small(index), avif)).status).toBe(200)
      served++
      // Without a pause, the small ones, which have priority, would keep the slow one from using up its processor time.
      await sleep(50)
    }
    await slow
    // By its processor time, or by the clock where the machine does other things.
    expect([422, 504]).toContain(response.status)
    expect(served).toBeGreaterThan(0)
    // Another process has taken the place of the one that was killed.
    expect((await start().get(urlOf('/media/large.png'), avif)).status).toBe(200)
  })

  test('is not tried again for a while, and neither is any other size after three', async () => {
    const service = start({ transformTimeout: 100 })
    const get = async (width: number) => (await service.get(urlOf('/media/slow.jpg', `w:${width}`), avif)).status
    // By the clock, where the machine does other things, it is 504 and tried again.
    for (const width of [10, 11, 12]) {
      await vi.waitUntil(async () => (await get(width)) === 422, { timeout: 100_000 })
    }
    const started = await descendants(process.pid)
    for (let width = 10; width < 60; width++) expect(await get(width)).toBe(422)
    expect(await descendants(process.pid)).toEqual(started)
  })
})

test.each(['scans.jpg', 'scans-small.jpg'])(
  '%s, whose decoder would be kept busy, is 422 before the work, and read once',
  async (name) => {
    const service = start({ transformTimeout: 100_000 })
    for (const width of [10, 11, 10, 12]) {
      const response = await service.get(urlOf(`/media/${name}`, `w:${width}`), avif)
      const error = 'The original has 2647 scans, more than 100'
      expect([response.status, await response.json()]).toEqual([422, { error }])
    }
    expect(service.count('load')).toBe(1)
  },
)

test('six requests for a tiny file of 49 megapixels: small images are served meanwhile, and all six are AVIF', async () => {
  const service = start({ concurrency: 2, transformTimeout: 200_000 })
  let waiting = 6
  const heavy = Array.from({ length: 6 }, (_, index) =>
    service.get(urlOf('/media/flat.avif', `w:${index + 1}`), avif).finally(() => waiting--),
  )
  for (let index = 0; index < 20; index++) expect((await service.get(small(index), avif)).status).toBe(200)
  expect(waiting).toBeGreaterThan(0)
  for (const response of await Promise.all(heavy)) expect(response.headers.get('content-type')).toBe('image/avif')
})

test('a picture that takes too much memory is 422, and the next one is served', async () => {
  const service = start({ maxWorkerMemory: 300 * 1024 ** 2 })
  const response = await service.get(urlOf('/media/flat.avif', 'w:64'), avif)
  expect([response.status, await response.json()]).toEqual([422, { error: 'Rendering the image took too much memory' }])
  expect((await service.get(small(0), avif)).status).toBe(200)
})

test('an image whose process is killed twice is 503, and others are served', async () => {
  const service = start({ transformTimeout: 100_000 })
  const slow = service.get(urlOf('/media/slow.jpg', 'w:77'), avif)
  for (let kills = 0; kills < 2; kills++) process.kill(await findBusy(), 'SIGKILL')
  expect((await slow).status).toBe(503)
  expect(service.logged[0]?.detail.reason).toBe('The image process was killed: the image process ended with SIGKILL')
  expect((await service.get(small(0), avif)).status).toBe(200)
})

test('AVIF holds for every size', async () => {
  const response = await start({ transformTimeout: 100_000 }).get(urlOf('/media/large.png', 'w:3840'), avif)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/avif'])
})

/** Waits for a process that decodes `slow.jpg`: it holds a number per coefficient. */
const findBusy = () =>
  vi.waitUntil(async () => (await descendants(process.pid)).find((pid) => (readMemory(pid) ?? 0) > 250_000_000), {
    timeout: 20_000,
  }) as Promise<number>
