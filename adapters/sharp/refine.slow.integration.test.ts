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
const otherUrl = urlOf('/media/other.jpg')

let folder: string
beforeAll(async () => {
  await renderInProcesses()
  folder = await folderWith({ 'photo.jpg': photograph, 'other.jpg': await sharp(photograph).flop().jpeg().toBuffer() })
})
const start = (options: Partial<TestOptions> = {}) => {
  const { cache = memoryStore({ maxBytes: 1e8 }) } = options
  return { ...startService({ sources: { '/media/': folder }, ...options, cache }), cache }
}
type Service = ReturnType<typeof start>

const ask = async (service: Service, of: string, headers = webp) => {
  const response = await service.get(of, headers)
  return { tag: response.headers.get('etag') as string, bytes: await bytesOf(response) }
}
const askTwice = async (service: Service, of: string, headers = webp) => {
  await ask(service, of, headers)
  return await ask(service, of, headers)
}
// Reads from the store, because a request would change which image is refined next: the most recently requested one.
const isRefined = async ({ cache }: Service, tag: string) => {
  const hit = await cache.get(`image\n${tag.replace(/"\w+:/, '"')}`)
  return hit?.entry.kind === 'value' && hit.entry.metadata.isRefined === true
}
const untilRefined = (service: Service, tag: string) =>
  vi.waitUntil(() => isRefined(service, tag), { timeout: 80_000, interval: 50 })

describe('an image that was requested twice is encoded again', async () => {
  const photos = ['locomotion-house-cat.jpg', 'acanthus-mollis.jpg']
  const allCases = photos.flatMap((photo) =>
    Object.entries({ avif, webp, jpeg }).map(([format, headers]) => ({ photo, format, headers })),
  )
  // Each format once, alternating between the photographs.
  test.each(allCases.filter((_, index) => [0, 4, 2].includes(index)))(
    'refined, $photo as $format is smaller, and as similar to the original',
    async ({ photo, headers }) => {
      const service = start({ sources: { '/media/': photographs.pathname } })
      const address = urlOf(`/media/${photo}`, 320)
      const firstAnswer = await askTwice(service, address, headers)
      await untilRefined(service, firstAnswer.tag)
      const refined = await ask(service, address, headers)
      const original = await readFile(new URL(photo, photographs))
      const ssim = await createSsim(await sharp(original).resize(320).png().toBuffer())
      expect(refined.bytes.length).toBeLessThan(firstAnswer.bytes.length)
      expect(await ssim(refined.bytes)).toBeGreaterThan((await ssim(firstAnswer.bytes)) - 0.005)
    },
  )

  test('an image that was requested once is not encoded again', async () => {
    const service = start()
    const askedTwice = await askTwice(service, otherUrl)
    const askedOnce = await ask(service, url) // would be the first to be refined
    await untilRefined(service, askedTwice.tag)
    expect(await isRefined(service, askedOnce.tag)).toBe(false)
  })

  test('with `refine: false`, no image is encoded again', async () => {
    const [off, on] = [start({ refine: false }), start()]
    await askTwice(off, url)
    const { tag } = await askTwice(on, url)
    await untilRefined(on, tag)
    expect(await isRefined(off, tag)).toBe(false)
  })

  test('a graphic that was requested twice stays the same', async () => {
    const graphic = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const folder = await folderWith({ 'photo.jpg': photograph, 'graphic.png': graphic })
    const service = start({ sources: { '/media/': folder } })
    const photo = await askTwice(service, url)
    const graphicAnswer = await askTwice(service, urlOf('/media/graphic.png', 640)) // is tried before the photograph
    await untilRefined(service, photo.tag)
    expect(await ask(service, urlOf('/media/graphic.png', 640))).toEqual(graphicAnswer)
  })
})

test('browsers that revalidate keep the image that they have, and others get the refined one with its own entity tag', async () => {
  const service = start()
  const first = await askTwice(service, url)
  await untilRefined(service, first.tag)
  const refined = await ask(service, url)
  const statusOf = async (of: Service, tag: string) => (await of.get(url, { ...webp, 'if-none-match': tag })).status
  expect(refined.tag).not.toBe(first.tag)
  // The same picture, which would only be transferred once more.
  expect(await statusOf(service, first.tag)).toBe(304)
  expect(await statusOf(service, refined.tag)).toBe(304)
  expect(await statusOf(start(), refined.tag)).toBe(304) // an instance that has not rendered it
})

test('a refined image survives a restart', async () => {
  const directory = await folderWith()
  const open = () => diskStore({ directory, maxBytes: 1e9 })
  const firstService = start({ cache: open() })
  const first = await askTwice(firstService, url)
  await untilRefined(firstService, first.tag)
  const refined = await ask(firstService, url)
  const restarted = start({ cache: open() })
  expect(await ask(restarted, url)).toEqual(refined)
  expect([restarted.count('transform'), restarted.count('load'), restarted.count('hit')]).toEqual([0, 0, 1])
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

test('a transform that a visitor waits for ends a refinement, which has the lowest priority and starts again later', async () => {
  const { workerFile, untilStopped } = await stoppingWorker()
  const service = start({ workerFile })
  const { tag } = await askTwice(service, url)
  await untilStopped()
  if (process.platform === 'linux') expect(await priorities()).toContainEqual(new Set([19]))
  expect((await service.get(otherUrl, webp)).status).toBe(200)
  await untilRefined(service, tag)
})

describe('a refined image is not stored', () => {
  const tagIndex = memoryTagIndex()
  test.each<[string, (file: string, source: string) => unknown]>([
    ['whose source was purged meanwhile', (_, source) => tagIndex.purge([sourceTag(source) as string], 'hard')],
    ['whose file was replaced meanwhile', (file) => writeFile(file, Buffer.concat([photograph, Buffer.of(0)]))],
    ['whose file was deleted meanwhile', (file) => rm(file)],
  ])('a refined image %s is not stored', async (name, change) => {
    const own = await folderWith({ 'photo.jpg': photograph })
    const { origin, stop } = await startOrigin((_, response) => response.end(photograph))
    onTestFinished(stop)
    const source = `${origin}/photo.jpg`
    const { workerFile, untilStopped, goOn } = await stoppingWorker()
    const sources = { '/media/': folder, '/own/': own, [`${origin}/`]: true as const }
    const service = start({ sources, tagIndex, workerFile, allowNetworks: ['127.0.0.0/8'] })
    const nextAnswer = await askTwice(service, otherUrl)
    const { tag } = await askTwice(service, urlOf(name.includes('purged') ? source : '/own/photo.jpg'))
    await untilStopped()
    await change(join(own, 'photo.jpg'), source)
    await goOn()
    await untilRefined(service, nextAnswer.tag)
    expect(await isRefined(service, tag)).toBe(false)
  })
})
