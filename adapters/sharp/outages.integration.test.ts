import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryTagIndex } from '../../core/cache/index.js'
import { sourceTag } from '../../core/image/internal.js'
import { startOrigin } from './testing/origin.js'
import { animated, photograph } from './testing/originals.js'
import { bytesOf, startService, type TestSize, urlOf, webp } from './testing/service.js'

const stops: (() => unknown)[] = []
const realNow = performance.now.bind(performance)
let passed = 0
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + passed)
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const stop of stops.splice(0)) stop()
})

type Answer = (res: ServerResponse) => unknown

/** Starts a service for which each remote original is outdated immediately after its fetch. */
const start = async (options: { sourceTimeout?: number } = {}) => {
  let answer: Answer = (res) => res.end(photograph)
  const { origin, requests, stop } = await startOrigin((_, res) => void answer(res))
  stops.push(stop)
  const tagIndex = memoryTagIndex()
  const service = startService({
    sources: { [`${origin}/`]: true },
    allowNetworks: ['127.0.0.0/8'],
    remoteMaxAge: 0,
    sourceTimeout: 300,
    tagIndex,
    ...options,
  })
  const source = `${origin}/photo.jpg`
  const get = async (size: TestSize = 200, headers = {}) => {
    const response = await service.get(urlOf(source, size), { ...webp, ...headers })
    return { status: response.status, etag: response.headers.get('etag'), body: await bytesOf(response) }
  }
  const answerBy = (nextAnswer: Answer) => {
    answer = nextAnswer
  }
  return { ...service, get, answerBy, requests, source, tagIndex }
}

const outages: [string, number, Answer][] = [
  ['answers 503', 502, (res) => res.writeHead(503).end()],
  ['does not answer', 504, () => {}],
  ['closes the connection', 502, (res) => res.destroy()],
  ['breaks off', 502, (res) => res.write(photograph.subarray(0, 5_000), () => res.destroy())],
  ['answers 408', 502, (res) => res.writeHead(408).end()], // on a connection that the origin was about to close
  ['answers 425', 502, (res) => res.writeHead(425).end()],
  ['sends a page about its maintenance', 422, (res) => res.end('<!doctype html><title>Back soon</title>'.repeat(99))],
  ['sends half of an image', 422, (res) => res.end(photograph.subarray(0, photograph.length / 2))],
]

describe.each(outages)('while the origin %s', (_, failure, answer) => {
  test('a stored image is used, and the origin is asked again a minute later', async () => {
    const service = await start()
    const stored = await service.get()
    service.answerBy(answer)
    service.requests.length = 0
    expect(await service.get()).toEqual(stored)
    expect(await service.get()).toEqual(stored)
    expect((await service.get(200, { 'if-none-match': `${stored.etag}` })).status).toBe(304)
    const message = 'Image service uses a stored image: its original cannot be fetched'
    await expect.poll(() => service.logged.map((entry) => entry.message)).toEqual([message])
    expect(service.requests).toHaveLength(1)
    expect((await service.get(100)).status).toBe(failure)

    const newImage = await animated('gif')
    service.answerBy((res) => res.end(newImage))
    passed += 61_000
    expect(await service.get()).toEqual(stored)
    const getLater = async () => {
      passed += 61_000
      return (await service.get()).etag
    }
    await expect.poll(getLater).not.toBe(stored.etag)
  })

  test('a stored image that was purged is not used', async () => {
    const service = await start()
    await service.get()
    service.answerBy(answer)
    await service.tagIndex.purge([sourceTag(service.source) as string], 'hard')
    expect((await service.get()).status).toBe(failure)
  })
})

test('an image is 404 once the service has noticed that its original is gone', async () => {
  const service = await start()
  const stored = await service.get()
  service.answerBy((res) => res.writeHead(404).end())
  expect(await service.get()).toEqual(stored)
  await expect.poll(async () => (await service.get()).status).toBe(404)
})

describe('while the origin takes a long time to answer', () => {
  test('while the origin is slow, nobody waits for a stored image, which is replaced as soon as the origin answers', async () => {
    const service = await start({ sourceTimeout: 60_000 })
    const stored = await service.get()
    const late: ServerResponse[] = []
    service.answerBy((res) => late.push(res))
    service.requests.length = 0
    for (let count = 0; count < 3; count++) expect(await service.get()).toEqual(stored)
    expect((await service.get(200, { 'if-none-match': `${stored.etag}` })).status).toBe(304)
    await expect.poll(() => late.length).toBe(1)
    expect(service.requests).toHaveLength(1)
    late[0]?.end(await animated('gif'))
    await expect.poll(async () => (await service.get()).etag).not.toBe(stored.etag)
    expect(service.logged).toEqual([])
  })

  test('while the origin is slow, a request for another size waits', async () => {
    const service = await start({ sourceTimeout: 60_000 })
    await service.get()
    const late: ServerResponse[] = []
    service.answerBy((res) => late.push(res))
    const [stored, other] = [service.get(), service.get(100)]
    expect((await stored).status).toBe(200)
    await expect.poll(() => late.length).toBe(1)
    late[0]?.end(photograph)
    expect((await other).status).toBe(200)
  })
})
