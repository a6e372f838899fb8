import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryTagIndex } from '../../core/cache/index.js'
import { sourceTag } from '../../core/image/internal.js'
import { startOrigin } from './testing/origin.js'
import { animated, photograph } from './testing/originals.js'
import { bytesOf, startService, urlOf, webp } from './testing/service.js'

const stops: (() => unknown)[] = []
const now = performance.now.bind(performance)
let passed = 0
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const stop of stops.splice(0)) stop()
})

type Answer = (res: ServerResponse) => unknown

/** Starts a service for which each remote original is out of date as soon as it was fetched. */
const start = async (options: { sourceTimeout?: number; fetchConcurrencyPerOrigin?: number } = {}) => {
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
  const get = async (options = 'w:200', headers = {}, of = source, signal: AbortSignal | null = null) => {
    const response = await service.get(urlOf(of, options), { ...webp, ...headers }, { signal })
    return { status: response.status, etag: response.headers.get('etag'), body: await bytesOf(response) }
  }
  const answerBy = (next: Answer) => {
    answer = next
  }
  return { ...service, get, answerBy, requests, source, tagIndex }
}

const outages: [string, number, Answer][] = [
  ['answers 503', 502, (res) => res.writeHead(503).end()],
  ['does not answer', 504, () => {}],
  ['closes the connection', 502, (res) => res.destroy()], // of a GET, that is asked once more
  ['breaks off', 502, (res) => res.write(photograph.subarray(0, 5_000), () => res.destroy())],
  ['answers 408', 502, (res) => res.writeHead(408).end()], // on a connection that it was about to close
  ['answers 425', 502, (res) => res.writeHead(425).end()],
  ['sends a page about its maintenance', 422, (res) => res.end('<!doctype html><title>Back soon</title>'.repeat(99))],
  ['sends half of an image', 422, (res) => res.end(photograph.subarray(0, photograph.length / 2))],
]

describe.each(outages)('while the origin %s', (name, failure, answer) => {
  test('what is stored of its images is used, and it is asked again a minute later', async () => {
    const service = await start()
    const stored = await service.get()
    service.answerBy(answer)
    service.requests.length = 0
    expect(await service.get()).toEqual(stored)
    expect(await service.get()).toEqual(stored)
    expect((await service.get('w:200', { 'if-none-match': `${stored.etag}` })).status).toBe(304)
    expect(service.requests).toHaveLength(name === 'closes the connection' ? 2 : 1)
    expect(service.logged.map(({ message }) => message)).toEqual([
      'Image service uses a stored image: its original cannot be fetched',
    ])
    expect((await service.get('w:100')).status).toBe(failure)

    const other = await animated('gif')
    service.answerBy((res) => res.end(other))
    passed += 61_000
    const replaced = await service.get()
    expect([replaced.status, replaced.etag === stored.etag]).toEqual([200, false])
  })

  test('but not what was purged since', async () => {
    const service = await start()
    await service.get()
    service.answerBy(answer)
    await service.tagIndex.purge([sourceTag(service.source) as string], 'hard')
    expect((await service.get()).status).toBe(failure)
  })
})

test('an original that is gone is 404, although an image of it is stored', async () => {
  const service = await start()
  await service.get()
  service.answerBy((res) => res.writeHead(404).end())
  expect((await service.get()).status).toBe(404)
})

describe('while the origin does not answer for long', () => {
  test('nobody waits for that whose image is stored, and it is replaced as soon as it answers', async () => {
    const service = await start({ sourceTimeout: 60_000 })
    const stored = await service.get()
    const late: ServerResponse[] = []
    service.answerBy((res) => late.push(res))
    service.requests.length = 0
    expect(await service.get()).toEqual(stored)
    expect(await Promise.all([service.get(), service.get()])).toEqual([stored, stored])
    expect((await service.get('w:200', { 'if-none-match': `${stored.etag}` })).status).toBe(304)
    expect(service.requests).toHaveLength(1)

    const other = await animated('gif')
    service.answerBy((res) => res.end(other))
    late[0]?.end(other)
    await expect.poll(async () => (await service.get()).etag).not.toBe(stored.etag)
    expect(service.logged).toEqual([])
  })

  test('an original that turns out to be gone is 404 from then on', async () => {
    const service = await start({ sourceTimeout: 60_000 })
    await service.get()
    const late: ServerResponse[] = []
    service.answerBy((res) => late.push(res))
    expect((await service.get()).status).toBe(200)
    late[0]?.writeHead(404).end()
    service.answerBy((res) => setTimeout(() => res.writeHead(404).end(), 2_500))
    await expect.poll(async () => (await service.get()).status, { timeout: 10_000 }).toBe(404)
    expect((await service.get()).status).toBe(404)
  })

  test('another size is waited for', async () => {
    const service = await start({ sourceTimeout: 60_000 })
    await service.get()
    const late: ServerResponse[] = []
    service.answerBy((res) => late.push(res))
    const [stored, other] = [service.get(), service.get('w:100')]
    expect((await stored).status).toBe(200)
    late[0]?.end(photograph)
    expect((await other).status).toBe(200)
  })

  test.each(['have left', 'have what is stored'])(
    'others of its images have places when all who waited %s',
    async (how) => {
      const service = await start({ sourceTimeout: 60_000, fetchConcurrencyPerOrigin: 4 })
      const sources = Array.from({ length: 12 }, (_, number) => service.source.replace('photo', `slow-${number}`))
      for (const each of sources) await service.get('w:200', {}, each)
      service.answerBy((res) => (res.req.url?.includes('slow') ? undefined : res.end(photograph)))
      service.requests.length = 0
      const leaving = new AbortController()
      const answers = sources.map((each) => service.get('w:200', {}, each, leaving.signal))
      await expect.poll(() => service.requests.length).toBe(4)
      if (how === 'have left') leaving.abort(new Error('left'))
      await Promise.allSettled(answers)
      expect((await service.get('w:200', {}, service.source)).status).toBe(200)
    },
  )
})
