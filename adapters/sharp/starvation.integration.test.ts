import { readFile, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { startOrigin } from './testing/origin.js'
import { photograph } from './testing/originals.js'
import { avif, startService, urlOf } from './testing/service.js'
import { rendererVersion } from './transforms/renderer-version.js'

// What one origin sends must not keep the images of others from being made.
vi.setConfig({ testTimeout: 120_000 })

const stops: (() => unknown)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** An origin of JPEG files that are never the same twice, with that many bytes added. */
const startHeavyOrigin = async (addedBytes = 16) => {
  let count = 0
  const origin = await startOrigin((_, res) => {
    const added = Buffer.alloc(addedBytes)
    added.writeUInt32BE(++count)
    res.end(Buffer.concat([photograph, added]))
  })
  stops.push(origin.stop)
  return origin
}

const waitToGo = `while (!existsSync(__dirname + '/go')) await setTimeout(10)`
const image = `{ format: 'webp', body: new Uint8Array([1, 2, 3]), milliseconds: 1 }`
/** A program for which every image is heavy: `heavy` says what it does with one. It writes a byte to `light` before. */
const heavyWorker = (heavy: string) => `
  const { appendFileSync, existsSync, readFileSync } = require('node:fs')
  const { setTimeout } = require('node:timers/promises')
  const answer = (image) => process.send({ type: 'done', image, memory: 0, processorTime: 0 })
  process.on('message', async (task) => {
    if (task.piece) return // of a large original, which the task comes after
    if (task.allowHeavy) {
      ${heavy}
      return
    }
    appendFileSync(__dirname + '/light', 'x')
    answer(undefined)
  })
  process.send({ type: 'ready', version: ${JSON.stringify(rendererVersion)} })`

const start = async (
  origins: string[],
  worker: string,
  options: Partial<Parameters<typeof startService>[0]> = {},
  files: Record<string, Uint8Array> = {},
) => {
  const folder = await folderWith({ 'photo.jpg': photograph, ...files, 'worker.cjs': worker })
  const service = startService({
    allowNetworks: ['127.0.0.0/8'],
    sourceTimeout: 60_000,
    isolation: 'process',
    workerFile: join(folder, 'worker.cjs'),
    ...options,
    sources: {
      '/media/': folder,
      ...Object.fromEntries(origins.map((origin) => [`${origin}/`, true as const])),
      ...options.sources,
    },
  })
  const visitors = new AbortController()
  const leave = () => visitors.abort()
  stops.push(leave)
  const statusOf = (source: string, options = 'w:9') => {
    const status = service.get(urlOf(source, options), avif, { signal: visitors.signal }).then((each) => each.status)
    status.catch(() => {}) // those who leave at the end
    return status
  }
  const sources = (type: 'transform' | 'load') =>
    service.events.filter((event) => event.type === type).map((event) => 'source' in event && event.source)
  const tasks = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')
  const lightTasks = async () => (await tasks('light')).length
  const heavyTasks = () => tasks('heavy')
  const go = () => writeFile(join(folder, 'go'), '')
  return { ...service, statusOf, leave, sources, tasks, lightTasks, heavyTasks, go }
}

test('one origin of heavy images delays those of others by one transform, however many it has waiting', async () => {
  const hostile = await startHeavyOrigin()
  const other = await startHeavyOrigin()
  const worker = heavyWorker(`${waitToGo}; answer(${image})`)
  const service = await start([hostile.origin, other.origin], worker, { transformTimeout: 100_000 })
  const flood = Array.from({ length: 20 }, (_, index) => service.statusOf(`${hostile.origin}/${index}.jpg`))
  await vi.waitUntil(async () => (await service.lightTasks()) === 20, { timeout: 60_000 })
  const others = ['/media/photo.jpg', `${other.origin}/1.jpg`]
  const statuses = others.map((source) => service.statusOf(source))
  await vi.waitUntil(async () => (await service.lightTasks()) === 22, { timeout: 60_000 })
  await service.go()
  expect(await Promise.all([...flood, ...statuses])).toEqual([...flood, ...statuses].map(() => 200))
  const order = service.sources('transform')
  // One ran when they came, and one may have been next before their answers were read.
  expect(Math.max(...others.map((source) => order.indexOf(source)))).toBeLessThanOrEqual(3)
})

test('a folder of heavy images delays those of another one in the same way', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}.jpg`)
  const files = names.map((name, index) => [name, Buffer.concat([photograph, Buffer.alloc(index)])])
  const sources = { '/uploads/': await folderWith(Object.fromEntries(files)) }
  const service = await start([], heavyWorker(`${waitToGo}; answer(${image})`), { transformTimeout: 100_000, sources })
  const flood = names.map((name) => service.statusOf(`/uploads/${name}`))
  await vi.waitUntil(async () => (await service.lightTasks()) === 20, { timeout: 60_000 })
  const good = service.statusOf('/media/photo.jpg')
  await vi.waitUntil(async () => (await service.lightTasks()) === 21, { timeout: 60_000 })
  await service.go()
  expect(await Promise.all([...flood, good])).toEqual([...flood, good].map(() => 200))
  expect(service.sources('transform').indexOf('/media/photo.jpg')).toBeLessThanOrEqual(2)
})

test('the bytes of one origin that wait leave room for those of another', async () => {
  const hostile = await startHeavyOrigin(10_000)
  const other = await startHeavyOrigin(10_000)
  const worker = heavyWorker(`${waitToGo}; answer(${image})`)
  const service = await start([hostile.origin, other.origin], worker, { maxSourceBytes: 5 * photograph.length })
  const flood = Array.from({ length: 20 }, (_, index) => service.statusOf(`${hostile.origin}/${index}.jpg`))
  await vi.waitUntil(() => service.count('failure') > 0, { timeout: 60_000 })
  const good = service.statusOf(`${other.origin}/1.jpg`)
  await vi.waitUntil(() => service.sources('load').length === 21, { timeout: 60_000 })
  await service.go()
  expect(await good).toBe(200)
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200, 503]))
})

test('an original of more than 25 MB is none of those of small images', async () => {
  const large = Buffer.concat([photograph, Buffer.alloc(25_000_000)])
  const service = await start([], heavyWorker(`answer(${image})`), {}, { 'large.jpg': large })
  expect(await service.statusOf('/media/large.jpg')).toBe(200)
  expect(await service.lightTasks()).toBe(0)
  expect(await service.statusOf('/media/photo.jpg')).toBe(200)
  expect(await service.lightTasks()).toBe(1)
})

describe('an original whose image takes longer than a first attempt', () => {
  // The first attempt takes processor time until it is ended, the second one waits to go.
  const worker = heavyWorker(`
    const isHostile = task.original.length > ${photograph.length + 9}
    appendFileSync(__dirname + '/heavy', isHostile ? 'h' : 'g')
    const isFirst = isHostile && readFileSync(__dirname + '/heavy', 'latin1').replaceAll('g', '').length === 1
    while (isFirst);
    if (isHostile) { ${waitToGo} }
    answer(${image})`)
  const withBytes = (count: number) => Buffer.concat([photograph, Buffer.alloc(count)])
  const files = { 'hostile.jpg': withBytes(10), '1.jpg': withBytes(1), '2.jpg': withBytes(2), '3.jpg': withBytes(3) }

  test('costs other heavy images that time once, though it is asked for in many sizes', async () => {
    const service = await start([], worker, { transformTimeout: 4_000 }, files)
    const hostile = ['w:1', 'w:2', 'w:3'].map((options) => service.statusOf('/media/hostile.jpg', options))
    await vi.waitUntil(async () => (await service.heavyTasks()) !== '', { timeout: 60_000 })
    const good = ['1.jpg', '2.jpg', '3.jpg'].map((name) => service.statusOf(`/media/${name}`))
    expect(await Promise.all(good)).toEqual([200, 200, 200])
    expect(service.sources('transform')).not.toContain('/media/hostile.jpg')
    await service.go()
    expect(await Promise.all(hostile)).toEqual([200, 200, 200])
    expect((await service.heavyTasks()).replaceAll('g', '')).toBe('hhhh')
  })
})

describe('an origin whose heavy images crash the decoder, each time with other bytes,', () => {
  const worker = heavyWorker(`task.original.length > ${photograph.length} ? process.abort() : answer(${image})`)

  test('is 422 for each of them, and all others of it are made', async () => {
    let count = 0
    const origin = await startOrigin(({ url }, res) => {
      res.end(url === '/good.jpg' ? photograph : Buffer.concat([photograph, Buffer.of(++count)]))
    })
    stops.push(origin.stop)
    const service = await start([origin.origin], worker)
    for (let index = 0; index < 4; index++) expect(await service.statusOf(`${origin.origin}/${index}.jpg`)).toBe(422)
    expect(await service.statusOf(`${origin.origin}/good.jpg`)).toBe(200)
    expect(await service.statusOf('/media/photo.jpg')).toBe(200)
  })

  test('is not even asked again for the same URL for a while', async () => {
    const hostile = await startHeavyOrigin()
    const service = await start([hostile.origin], worker)
    for (let index = 0; index < 3; index++) expect(await service.statusOf(`${hostile.origin}/1.jpg`)).toBe(422)
    expect(hostile.requests).toHaveLength(1)
  })
})

test('an origin of images that look light and decode slowly takes one of two places, each time for a tenth of the time', async () => {
  const hostile = await startHeavyOrigin()
  const good = await startOrigin((_, res) => res.end(photograph))
  stops.push(good.stop)
  // The first three light tasks of the hostile origin take processor time until they are ended, the others wait to go.
  const isHostile = `task.original.length > ${photograph.length}`
  const worker = `
    const { appendFileSync, existsSync, readFileSync } = require('node:fs')
    const { setTimeout } = require('node:timers/promises')
    process.on('message', async (task) => {
      const isHostile = ${isHostile}
      if (!task.allowHeavy) {
        appendFileSync(__dirname + '/light', isHostile ? '<' : 'g')
        while (isHostile && readFileSync(__dirname + '/light', 'latin1').length < 4);
        if (isHostile) { ${waitToGo} }
      }
      process.send({ type: 'done', image: ${image}, memory: 0, processorTime: 0 })
    })
    process.send({ type: 'ready', version: ${JSON.stringify(rendererVersion)} })`
  const service = await start([hostile.origin, good.origin], worker, { concurrency: 2, transformTimeout: 10_000 })
  for (const index of [1, 2, 3]) expect(await service.statusOf(`${hostile.origin}/${index}.jpg`)).toBe(200)
  const waiting = Array.from({ length: 6 }, (_, index) => service.statusOf(`${hostile.origin}/${4 + index}.jpg`))
  await vi.waitUntil(async () => (await service.lightTasks()) === 4, { timeout: 60_000 })
  // While one runs, the others wait, and images of another origin have the other place.
  for (const options of ['w:1', 'w:2', 'w:3']) expect(await service.statusOf(`${good.origin}/1.jpg`, options)).toBe(200)
  expect(await service.tasks('light')).toBe('<<<<ggg')
  await service.go()
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 200))
})

test('an origin that has no place for light images soon gets one of another origin', async () => {
  const [busy, good] = [await startHeavyOrigin(), await startHeavyOrigin(17)]
  // Light tasks of the first origin never end.
  const worker = `
    const { appendFileSync } = require('node:fs')
    process.on('message', (task) => {
      const isBusy = task.original.length === ${photograph.length + 16}
      appendFileSync(__dirname + '/light', task.allowHeavy ? 'H' : isBusy ? '<' : 'g')
      if (task.allowHeavy || !isBusy) process.send({ type: 'done', image: ${image}, memory: 0, processorTime: 0 })
    })
    process.send({ type: 'ready', version: ${JSON.stringify(rendererVersion)} })`
  const service = await start([busy.origin, good.origin], worker, { concurrency: 2, transformTimeout: 1_000_000 })
  const waiting = [1, 2].map((index) => service.statusOf(`${busy.origin}/${index}.jpg`))
  await vi.waitUntil(async () => (await service.tasks('light')) === '<<', { timeout: 60_000 })
  expect(await service.statusOf(`${good.origin}/1.jpg`)).toBe(200)
  // The longest one is heavy from then on, and so is the other one if its process took that long to end, on a busy machine.
  expect(await waiting[0]).toBe(200)
  expect([...(await service.tasks('light'))].sort().join('')).toMatch(/^<<HH?g$/)
  expect(service.events.filter(({ type }) => type === 'failure')).toEqual([])
})

test('a heavy image of one origin soon leaves its place to one of another, and slow origins have none from then on', async () => {
  const [busy, good] = [await startHeavyOrigin(), await startHeavyOrigin(17)]
  // Heavy tasks of the first origin wait to go.
  const worker = heavyWorker(`
    const isBusy = task.original.length === ${photograph.length + 16}
    appendFileSync(__dirname + '/heavy', isBusy ? 'H' : 'g')
    if (isBusy) { ${waitToGo} }
    answer(${image})`)
  const service = await start([busy.origin, good.origin], worker, { transformTimeout: 1_000_000 })
  const heavyOfBusy = async () => (await service.heavyTasks()).replaceAll('g', '').length
  const waiting: Promise<number>[] = []
  // Each loses its place to the good image. The first one has that of second attempts then, for which the others wait.
  for (const [index, begun] of [1, 3, 4].entries()) {
    waiting.push(service.statusOf(`${busy.origin}/${index}.jpg`))
    await vi.waitUntil(async () => (await heavyOfBusy()) === begun, { timeout: 60_000 })
    expect(await service.statusOf(`${good.origin}/${index}.jpg`)).toBe(200)
  }
  waiting.push(service.statusOf(`${busy.origin}/3.jpg`))
  await vi.waitUntil(async () => (await service.lightTasks()) === 7, { timeout: 60_000 })
  expect(await service.statusOf(`${good.origin}/3.jpg`)).toBe(200)
  expect(await heavyOfBusy()).toBe(4)
  await service.go()
  expect(await Promise.all(waiting)).toEqual([200, 200, 200, 200])
  expect(service.events.filter(({ type }) => type === 'failure')).toEqual([])
})

test('those who leave one origin do not keep the image of another from being finished when its client leaves', async () => {
  const hostile = await startHeavyOrigin()
  const other = await startHeavyOrigin(17)
  const worker = heavyWorker(`${waitToGo}; answer(${image})`)
  const service = await start([hostile.origin, other.origin], worker, { transformTimeout: 100_000 })
  const flood = Array.from({ length: 8 }, (_, index) => `${hostile.origin}/${index}.jpg`)
  const statuses = [...flood, `${other.origin}/1.jpg`].map((source) => service.statusOf(source))
  await vi.waitUntil(async () => (await service.lightTasks()) === 9, { timeout: 60_000 })
  service.leave()
  await Promise.allSettled(statuses)
  await service.go()
  await vi.waitUntil(() => service.sources('transform').includes(`${other.origin}/1.jpg`), { timeout: 60_000 })
})

test('origins that send drop by drop hold their places only until another waits', async () => {
  const drip = (res: ServerResponse) => {
    const timer = setInterval(() => res.write('x'), 50)
    res
      .on('close', () => clearInterval(timer))
      .writeHead(200)
      .flushHeaders()
  }
  const dripping = await Promise.all(Array.from({ length: 6 }, () => startOrigin((_, res) => drip(res))))
  const good = await startHeavyOrigin()
  stops.push(...dripping.map(({ stop }) => stop))
  const worker = heavyWorker(`answer(${image})`)
  const service = await start(
    [...dripping, good].map(({ origin }) => origin),
    worker,
  )
  for (const { origin } of dripping) {
    for (let index = 0; index < 20; index++) void service.statusOf(`${origin}/${index}.jpg`)
  }
  const asked = () => dripping.reduce((sum, { requests }) => sum + requests.length, 0)
  await vi.waitUntil(() => asked() >= 8, { timeout: 60_000 })
  // Their own time limit is a minute; of what was revoked the reason is known.
  expect(await service.statusOf(`${good.origin}/1.jpg`)).toBe(200)
  expect(service.events.filter((event) => event.type === 'failure' && event.status !== 503)).toEqual([])
})
