import { readFile, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { startOrigin } from './testing/origin.js'
import { photograph } from './testing/originals.js'
import { avif, startService, type TestOptions, urlOf } from './testing/service.js'
import { rendererVersion } from './transforms/render-image.js'

// The responses of one origin must not prevent the images of other origins from being rendered.
vi.setConfig({ testTimeout: 120_000 })

const stops: (() => unknown)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** An origin of JPEG files that are never the same twice. */
const startChangingOrigin = async () => {
  let count = 0
  const origin = await startOrigin((_, res) => {
    const added = Buffer.alloc(16)
    added.writeUInt32BE(++count)
    res.end(Buffer.concat([photograph, added]))
  })
  stops.push(origin.stop)
  return origin
}

const image = `{ format: 'webp', body: new Uint8Array([1, 2, 3]) }`
/** A program that renders nothing. It writes a byte to `tasks` for each task, then waits until there is a file `go`. */
const waitingWorker = `
  const { appendFileSync, existsSync } = require('node:fs')
  const { setTimeout } = require('node:timers/promises')
  process.on('message', async () => {
    appendFileSync(__dirname + '/tasks', 'x')
    while (!existsSync(__dirname + '/go')) await setTimeout(10)
    process.send({ type: 'done', image: ${image}, memory: 0 })
  })
  process.send({ type: 'ready', version: ${JSON.stringify(rendererVersion)} })`

const start = async (origins: string[], options: Partial<TestOptions> = {}) => {
  const folder = await folderWith({ 'photo.jpg': photograph, 'worker.cjs': waitingWorker })
  const service = startService({
    allowNetworks: ['127.0.0.0/8'],
    sourceTimeout: 60_000,
    transformTimeout: 100_000,
    concurrency: 1,
    ...options,
    sources: {
      '/media/': folder,
      ...Object.fromEntries(origins.map((origin) => [`${origin}/`, true as const])),
      ...options.sources,
    },
    ...(options.isolation !== 'none' && { isolation: 'process', workerFile: join(folder, 'worker.cjs') }),
  })
  const visitors = new AbortController()
  stops.push(() => visitors.abort())
  const statusOf = (source: string) => {
    const status = service.get(urlOf(source, 9), avif, { signal: visitors.signal }).then((response) => response.status)
    status.catch(() => {}) // those who leave at the end
    return status
  }
  const transforms = () => service.events.filter(({ type }) => type === 'transform').map(({ source }) => source)
  const isLoaded = (of: string) => service.events.some(({ type, source }) => type === 'load' && source === of)
  const tasks = async () => (await readFile(join(folder, 'tasks'), 'utf8').catch(() => '')).length
  const go = () => writeFile(join(folder, 'go'), '')
  return { ...service, statusOf, transforms, isLoaded, tasks, go }
}

test('an origin of slow images delays images of other origins by two transforms, however many of its images wait', async () => {
  const hostile = await startChangingOrigin()
  const otherOrigin = await startChangingOrigin()
  const service = await start([hostile.origin, otherOrigin.origin])
  const flood = Array.from({ length: 20 }, (_, index) => service.statusOf(`${hostile.origin}/${index}.jpg`))
  await vi.waitUntil(async () => (await service.tasks()) === 1, { timeout: 60_000 })
  const otherSources = ['/media/photo.jpg', `${otherOrigin.origin}/1.jpg`]
  const statuses = otherSources.map((source) => service.statusOf(source))
  await vi.waitUntil(() => otherSources.every(service.isLoaded), { timeout: 60_000 })
  await service.go()
  expect(await Promise.all([...flood, ...statuses])).toEqual([...flood, ...statuses].map(() => 200))
  const order = service.transforms()
  // One transform was running when they came, and one may have been next.
  expect(Math.max(...otherSources.map((source) => order.indexOf(source)))).toBeLessThanOrEqual(4)
})

test('a folder of slow images delays images of another folder by two transforms', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `${index}.jpg`)
  const files = names.map((name, index) => [name, Buffer.concat([photograph, Buffer.alloc(index)])])
  const service = await start([], { sources: { '/uploads/': await folderWith(Object.fromEntries(files)) } })
  const flood = names.map((name) => service.statusOf(`/uploads/${name}`))
  await vi.waitUntil(async () => (await service.tasks()) === 1, { timeout: 60_000 })
  const good = service.statusOf('/media/photo.jpg')
  await vi.waitUntil(() => service.isLoaded('/media/photo.jpg'), { timeout: 60_000 })
  await service.go()
  expect(await Promise.all([...flood, good])).toEqual([...flood, good].map(() => 200))
  expect(service.transforms().indexOf('/media/photo.jpg')).toBeLessThanOrEqual(3)
})

test('origins that send byte by byte delay no other origin, and requests beyond their own queue get 503', async () => {
  const drip = (res: ServerResponse) => {
    const timer = setInterval(() => res.write('x'), 50)
    res
      .on('close', () => clearInterval(timer))
      .writeHead(200)
      .flushHeaders()
  }
  const dripping = await Promise.all(Array.from({ length: 6 }, () => startOrigin((_, res) => drip(res))))
  const good = await startChangingOrigin()
  stops.push(...dripping.map(({ stop }) => stop))
  const origins = [...dripping, good].map(({ origin }) => origin)
  const service = await start(origins, { isolation: 'none', maxQueue: 4 })
  const statuses = dripping.map(({ origin }) =>
    Array.from({ length: 20 }, (_, index) => service.statusOf(`${origin}/${index}.jpg`)),
  )
  for (const ofOrigin of statuses) expect(await Promise.race(ofOrigin)).toBe(503)
  expect(await service.statusOf(`${good.origin}/1.jpg`)).toBe(200)
  expect(dripping.map(({ requests }) => requests.length)).toEqual(dripping.map(() => 2))
})
