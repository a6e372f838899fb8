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
  const { appendFileSync, existsSync } = require('node:fs')
  const { setTimeout } = require('node:timers/promises')
  const answer = (image) => process.send({ type: 'done', image, memory: 0, processorTime: 0 })
  process.on('message', async (task) => { 
    if (task.allowHeavy) {
      ${heavy}
      return
    }
    appendFileSync(__dirname + '/light', 'x')
    answer(undefined)
  })
  process.send({ type: 'ready', version: ${JSON.stringify(rendererVersion)} })`

const start = async (origins: string[], worker: string, options: Partial<Parameters<typeof startService>[0]> = {}) => {
  const folder = await folderWith({ 'photo.jpg': photograph, 'worker.cjs': worker })
  const service = startService({
    sources: { '/media/': folder, ...Object.fromEntries(origins.map((origin) => [`${origin}/`, true as const])) },
    allowNetworks: ['127.0.0.0/8'],
    sourceTimeout: 60_000,
    isolation: 'process',
    workerFile: join(folder, 'worker.cjs'),
    ...options,
  })
  const visitors = new AbortController()
  stops.push(() => visitors.abort())
  const statusOf = (source: string) => {
    const status = service.get(urlOf(source, 'w:9'), avif, { signal: visitors.signal }).then((each) => each.status)
    status.catch(() => {}) // those who leave at the end
    return status
  }
  const sources = (type: 'transform' | 'load') =>
    service.events.filter((event) => event.type === type).map((event) => 'source' in event && event.source)
  const lightTasks = async () => (await readFile(join(folder, 'light'), 'utf8').catch(() => '')).length
  const go = () => writeFile(join(folder, 'go'), '')
  return { ...service, statusOf, sources, lightTasks, go }
}

test('one origin of heavy images delays those of others by one transform, however many it has waiting', async () => {
  const hostile = await startHeavyOrigin()
  const other = await startHeavyOrigin()
  const worker = heavyWorker(`${waitToGo}; answer(${image})`)
  const service = await start([hostile.origin, other.origin], worker, { transformTimeout: 100_000 })
  const flood = Array.from({ length: 20 }, (_, index) => service.statusOf(`${hostile.origin}/${index}.jpg`))
  await vi.waitUntil(async () => (await service.lightTasks()) === 20, { timeout: 60_000 })
  const others = ['/media/photo.jpg', `${other.origin}/1.jpg`]
  const statuses = others.map(service.statusOf)
  await vi.waitUntil(async () => (await service.lightTasks()) === 22, { timeout: 60_000 })
  await service.go()
  expect(await Promise.all([...flood, ...statuses])).toEqual([...flood, ...statuses].map(() => 200))
  const order = service.sources('transform')
  // One ran when they came, and one may have been next before their answers were read.
  expect(Math.max(...others.map((source) => order.indexOf(source)))).toBeLessThanOrEqual(3)
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

describe('an origin whose heavy images crash the decoder, each time with other bytes,', () => {
  test('gets 503 for further ones, and the images of others are made', async () => {
    const hostile = await startHeavyOrigin()
    const worker = heavyWorker(`task.original.length > ${photograph.length} ? process.abort() : answer(${image})`)
    const service = await start([hostile.origin], worker)
    for (let index = 0; index < 3; index++) expect(await service.statusOf(`${hostile.origin}/${index}.jpg`)).toBe(422)
    expect(await service.statusOf(`${hostile.origin}/3.jpg`)).toBe(503)
    expect(await service.statusOf('/media/photo.jpg')).toBe(200)
  })

  test('is not even asked again for the same URL for a while', async () => {
    const hostile = await startHeavyOrigin()
    const service = await start([hostile.origin], heavyWorker('process.abort()'))
    for (let index = 0; index < 3; index++) expect(await service.statusOf(`${hostile.origin}/1.jpg`)).toBe(422)
    expect(hostile.requests).toHaveLength(1)
  })
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
