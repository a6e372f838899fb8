import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { beforeAll, expect, test, vi } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { describe as describeImage, photograph } from './testing/originals.js'
import { bytesOf, startService, urlOf } from './testing/service.js'
import { manyScansJpeg } from './testing/slow-jpeg.js'
import { buildWorker } from './testing/worker.js'

// The visitor's wait ends before the work does.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** An animation in which a camera pans over the photograph. */
const panned = async (frames: number, { width, height }: { width: number; height: number }) => {
  const cut = (index: number) =>
    sharp(photograph)
      .extract({ left: 2 * index, top: index, width, height })
      .png({ compressionLevel: 1 })
      .toBuffer()
  const images = await Promise.all(Array.from({ length: frames }, (_, index) => cut(index)))
  return await sharp(images, { join: { animated: true } })
    .webp({ quality: 60, effort: 0 })
    .toBuffer()
}

/** Writes one letter for each task that is begun. */
const logTasks = `
  import { appendFileSync } from 'node:fs'
  const file = new URL('tasks', import.meta.url)
  process.on('message', () => appendFileSync(file, 'x'))`

let folder: string
beforeAll(async () => {
  const worker = pathToFileURL(await buildWorker()).href
  folder = await folderWith({
    'panned.webp': await panned(60, { width: 384, height: 288 }),
    'slow.jpg': manyScansJpeg(7000, 7000, 100),
    'worker.mjs': `${logTasks}\nawait import(${JSON.stringify(worker)})`,
  })
})

const start = (transformTimeout: number) => {
  const service = startService({
    sources: { '/media/': folder },
    transformTimeout,
    isolation: 'process',
    workerFile: join(folder, 'worker.mjs'),
    waitTimeout: 100,
  })
  return { ...service, get: (name: string) => service.get(urlOf(`/media/${name}`, 384)) }
}

test('a long animation is rendered once, although the visitor no longer waits', async () => {
  const service = start(100_000)
  const firstResponse = await service.get('panned.webp')
  expect([firstResponse.status, await firstResponse.json()]).toEqual([504, { error: 'Image service timed out' }])
  const response = await vi.waitUntil(
    async () => {
      const response = await service.get('panned.webp')
      return response.status === 200 && response
    },
    { timeout: 200_000 },
  )
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect(await describeImage(await bytesOf(response))).toMatchObject({ width: 384, height: 288, pages: 60 })
  expect(service.count('transform')).toBe(1)
  expect(await readFile(join(folder, 'tasks'), 'utf8')).toBe('x')
})

test('an image that exceeds its time limit is remembered, although the visitor no longer waits', async () => {
  const service = start(1_000)
  for (let index = 0; index < 5; index++) expect((await service.get('slow.jpg')).status).toBe(504)
  await vi.waitUntil(() => service.lastFailure() !== undefined || service.get('slow.jpg').then(() => false), 200_000)
  const loadsBefore = service.count('load')
  for (let index = 0; index < 3; index++) expect((await service.get('slow.jpg')).status).toBe(504)
  expect(service.count('load')).toBe(loadsBefore)
})
