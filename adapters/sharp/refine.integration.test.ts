import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSsim } from '../../bench/ssim.js'
import { memoryStore, memoryTagIndex } from '../../core/cache/index.js'
import { sourceTag } from '../../core/image/internal.js'
import { diskStore } from '../disk/index.js'
import { folderWith } from '../disk/testing/folder.js'
import { startOrigin } from './testing/origin.js'
import { photograph, photographs } from './testing/originals.js'
import { descendants } from './testing/processes.js'
import { avif, bytesOf, renderInProcesses, startService, type TestOptions, urlOf, webp } from './testing/service.js'
import { buildWorker } from './testing/worker.js'

const jpeg = { accept: 'image/jpeg' }
const url = urlOf('/media/photo.jpg')
const other = urlOf('/media/other.jpg')
type Service = ReturnType<typeof startService>

let folder: string
beforeAll(async () => {
  await renderInProcesses()
  folder = await folderWith({ 'photo.jpg': photograph, 'other.jpg': await sharp(photograph).flop().jpeg().toBuffer() })
})
const start = (options: Partial<TestOptions> = {}) => startService({ sources: { '/media/': folder }, ...options })

const tagOf = async (service: Service, of: string, headers = webp) =>
  (await service.get(of, headers)).headers.get('etag') as string
const isRefined = async (service: Service, of: string, headers = webp) =>
  /-refined"$/.test(await tagOf(service, of, headers))
const untilRefined = (service: Service, of: string, headers = webp) =>
  vi.waitUntil(() => isRefined(service, of, headers), { timeout: 60_000, interval: 50 })
const askTwice = async (service: Service, of: string, headers = webp) => {
  await tagOf(service, of, headers)
  return await tagOf(service, of, headers)
}

describe('an image that was asked for twice is encoded again', async () => {
  const photos = ['locomotion-house-cat.jpg', 'nagasaki-boats.jpg', 'acanthus-mollis.jpg']
  test.each(
    photos.flatMap((photo) =>
      Object.entries({ avif, webp, jpeg }).map(([format, headers]) => ({ photo, format, headers })),
    ),
  )('$photo as $format: smaller, and as similar to the original', async ({ photo, headers }) => {
    const service = startService({ sources: { '/media/': photographs.pathname } })
    const address = urlOf(`/media/${photo}`, 'w:400')
    const first = await bytesOf(await service.get(address, headers))
    await untilRefined(service, address, headers)
    const refined = await bytesOf(await service.get(address, headers))
    const original = await readFile(new URL(photo, photographs))
    const ssim = await createSsim(await sharp(original).resize(400).png().toBuffer())
    expect(refined.length).toBeLessThan(first.length)
    expect(await ssim(refined)).toBeGreaterThan((await ssim(first)) - 0.005)
  })

  test('and not one that was asked for once', async () => {
    const service = start()
    await askTwice(service, other)
    await tagOf(service, url) // would be refined before the other, as the last that was asked for
    await untilRefined(service, other)
    expect(await isRefined(service, url)).toBe(false)
  })

  test('and not with `refine: false`', async () => {
    const [off, on] = [start({ refine: false }), start()]
    await askTwice(off, url)
    await askTwice(on, url)
    await untilRefined(on, url)
    expect(await isRefined(off, url)).toBe(false)
  })

  test('graphics and originals that are sent as they are stay the same', async () => {
    const own = await folderWith({
      'photo.jpg': photograph,
      'graphic.png': await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    })
    const service = start({ sources: { '/media/': own } })
    const graphic = urlOf('/media/graphic.png', 'w:640')
    await askTwice(service, url)
    const tag = await askTwice(service, graphic) // is tried before the photograph
    await untilRefined(service, url)
    expect(await tagOf(service, graphic)).toBe(tag)
  })
})

test('browsers that revalidate get the refined image, with an entity tag of its own', async () => {
  const service = start()
  const first = await askTwice(service, url)
  await untilRefined(service, url)
  const refined = await tagOf(service, url)
  const statusOf = async (of: Service, tag: string) => (await of.get(url, { ...webp, 'if-none-match': tag })).status
  expect(await statusOf(service, first)).toBe(200)
  expect(await statusOf(service, refined)).toBe(304)
  expect(await statusOf(start(), refined)).toBe(304) // an instance that has not rendered it
})

test('a refined image survives a restart', async () => {
  const directory = await folderWith()
  const open = () => diskStore({ directory, maxBytes: 1e9 })
  const before = start({ cache: open() })
  await askTwice(before, url)
  await untilRefined(before, url)
  const refined = await bytesOf(await before.get(url, webp))
  const after = start({ cache: open() })
  expect(await bytesOf(await after.get(url, webp))).toEqual(refined)
  expect([after.count('transform'), after.count('load'), after.count('hit')]).toEqual([0, 0, 1])
})

/** Creates a program of processes that stops in the first refinement, until a file `go` appears beside it. */
const stoppingWorker = async () => {
  const directory = await folderWith()
  const [stopped, go, workerFile] = ['stopped', 'go', 'worker.mjs'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]
  const program = `
    import { existsSync, writeFileSync } from 'node:fs'
    const [stopped, go] = ${JSON.stringify([stopped, go])}
    process.on('message', ({ isRefined }) => {
      if (!isRefined || existsSync(stopped)) return
      writeFileSync(stopped, '')
      while (!existsSync(go));
    })
    await import(${JSON.stringify(pathToFileURL(await buildWorker()).href)})`
  await writeFile(workerFile, program)
  return {
    workerFile,
    untilStopped: () => vi.waitUntil(() => existsSync(stopped), { timeout: 60_000 }),
    goOn: () => writeFile(go, ''),
  }
}

/** Returns the priorities of all threads of the processes that this process has started: Linux, proc(5), stat. */
const priorities = async () => {
  const threads = await Promise.all(
    (await descendants(process.pid)).map(async (pid) => {
      const ids = await readdir(`/proc/${pid}/task`)
      return Promise.all(ids.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'latin1')))
    }),
  )
  return threads.map(
    (stats) => new Set(stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))),
  )
}

test('a transform that a visitor waits for ends a refinement, which has the lowest priority and begins anew', async () => {
  const { workerFile, untilStopped } = await stoppingWorker()
  const service = start({ workerFile })
  await askTwice(service, url)
  await untilStopped()
  if (process.platform === 'linux') expect(await priorities()).toContainEqual(new Set([19]))
  expect((await service.get(other, webp)).status).toBe(200)
  await untilRefined(service, url)
})

describe('a refined image is not stored', () => {
  const tagIndex = memoryTagIndex()
  test.each<[string, (file: string, source: string) => unknown]>([
    ['when its source was purged meanwhile', (_, source) => tagIndex.purge([sourceTag(source) as string], 'hard')],
    ['when its file was replaced meanwhile', (file) => writeFile(file, Buffer.concat([photograph, Buffer.of(0)]))],
    ['when its file was deleted meanwhile', (file) => rm(file)],
  ])('%s', async (_, change) => {
    const own = await folderWith({ 'photo.jpg': photograph })
    const { origin, stop } = await startOrigin((__, response) => response.end(photograph))
    onTestFinished(stop)
    const source = `${origin}/photo.jpg`
    const isPurge = change.length === 2
    const { workerFile, untilStopped, goOn } = await stoppingWorker()
    const cache = memoryStore({ maxBytes: 1e8 })
    const sources = { '/media/': folder, '/own/': own, [`${origin}/`]: true as const }
    const service = start({ sources, cache, tagIndex, workerFile, allowNetworks: ['127.0.0.0/8'] })
    await askTwice(service, other)
    const tag = await askTwice(service, isPurge ? urlOf(source) : urlOf('/own/photo.jpg'))
    await untilStopped()
    await change(join(own, 'photo.jpg'), source)
    await goOn()
    await untilRefined(service, other) // is refined after it
    const stored = await cache.get(`image\n${tag}`)
    expect(stored?.entry.kind === 'value' && stored.entry.metadata.isRefined).toBe(false)
  })
})
