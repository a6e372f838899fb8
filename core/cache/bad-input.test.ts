import { expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex, type Store, type TagIndex } from './index.js'
import { cacheable, type Page, startCache } from './testing/harness.js'

// After any bad input, the visitor gets the handler's response or a clear error, never another visitor's page, and the
// next page is served as usual.

const expectNextPage = async (cache: ReturnType<typeof startCache>) => {
  cache.serve(() => cacheable('fine'))
  expect((await cache.get('/next')).body).toBe('fine')
  expect((await cache.get('/next')).cacheStatus).toContain('hit')
}

it.each<[string, Page, string]>([
  ['returns nothing', () => undefined, ''],
  [
    'returns a text',
    () => 'page' as never,
    'handler: expected a function from Request to Response, got one that returns',
  ],
  ['throws', () => Promise.reject(new Error('broken')), 'broken'],
  ['throws a number', () => Promise.reject(7), '7'],
  [
    'fails within its body',
    () => cacheable(new ReadableStream({ pull: (body) => body.error(new Error('cut')) })),
    'cut',
  ],
  ['sends a number in its body', () => cacheable(new ReadableStream({ pull: (body) => body.enqueue(7) })), ''],
])('a handler that %s does not affect the next page', async (_, page, message) => {
  const cache = startCache()
  for (let visit = 0; visit < 3; visit++) {
    cache.serve(page)
    const answer = cache.get().then(
      ({ body }) => body,
      (error) => String(error?.message ?? error),
    )
    expect(await answer).toContain(message)
  }
  await expectNextPage(cache)
})

it.each([
  ['garbage', ';;=,"\\,max-age=,s-maxage="x'],
  ['a lifetime of 10¹⁵', 'public, max-age=1000000000000000'],
  ['a lifetime of -1', 's-maxage=-1'],
  ['two lifetimes', 's-maxage=60, s-maxage=0'],
  ['100 KB of text', `x="${'y'.repeat(100_000)}", s-maxage=60`],
])('a page whose Cache-Control has %s is served', async (_, field) => {
  const cache = startCache()
  cache.serve(() => cacheable('page', { 'Cache-Control': field }))
  for (let visit = 0; visit < 2; visit++) expect((await cache.get()).body).toBe('page')
  await expectNextPage(cache)
})

it('a page with a Vary of 50,000 names is served, and not stored', async () => {
  const cache = startCache()
  cache.serve(() => cacheable('page', { Vary: Array.from({ length: 50_000 }, (_, number) => `a-${number}`).join() }))
  for (let visit = 0; visit < 3; visit++) {
    expect(await cache.get()).toMatchObject({ body: 'page', cacheStatus: expect.stringContaining('detail=vary-a-0') })
  }
  expect(cache.log).toHaveBeenCalledOnce()
  await expectNextPage(cache)
})

it('of a body of a gigabyte, no more than a few megabytes are held in memory', async () => {
  const cache = startCache({ maxBodyBytes: 1024 ** 2 })
  const piece = new Uint8Array(1024 ** 2)
  let sent = 0
  cache.serve(() =>
    cacheable(
      new ReadableStream(
        { pull: (body) => (sent++ < 1024 ? body.enqueue(piece) : body.close()) },
        { highWaterMark: 0 },
      ),
    ),
  )
  const response = await cache.wrapped(new Request('https://site.test/'))
  let length = 0
  let maxHeld = 0
  for await (const part of response?.body ?? []) {
    length += part.length
    maxHeld = Math.max(maxHeld, sent * piece.length - length)
  }
  expect(length).toBe(1024 ** 3)
  expect(maxHeld).toBeLessThanOrEqual(3 * 1024 ** 2)
  await expectNextPage(cache)
})

it('a body that never ends is aborted after refreshTimeout', async () => {
  const cache = startCache({ refreshTimeout: 50 })
  cache.serve(() => cacheable(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) })))
  await expect(cache.get()).rejects.toThrow('not done within 50 ms')
  await expectNextPage(cache)
})

it.each<[string, Record<string, string>]>([
  ['a cookie of 16 KB', { cookie: `_ga=${'x'.repeat(16_384)}` }],
  ['5,000 cookies', { cookie: Array.from({ length: 5_000 }, (_, number) => `_ga_${number}=1`).join('; ') }],
  ['a Cookie header without cookies', { cookie: ';;;=;; ' }],
  ['a hundred hosts in X-Forwarded-Host', { 'x-forwarded-host': Array(100).fill('evil.test').join(', ') }],
  ['a URL in X-Forwarded-Prefix', { 'x-forwarded-prefix': 'https://evil.test/?a#b' }],
  ['an empty Authorization', { authorization: '' }],
])('a request with %s is answered', async (_, headers) => {
  const cache = startCache()
  cache.serve(({ headers }) => cacheable(headers.get('x-forwarded-host') ?? 'page'))
  for (let visit = 0; visit < 3; visit++) {
    expect((await cache.get('/', headers)).body).toBe(headers['x-forwarded-host'] ?? 'page')
  }
  expect((await cache.get()).body).toBe('page')
  await expectNextPage(cache)
})

it('a thousand range requests for a page that is not stored do not affect the next page', async () => {
  const cache = startCache()
  cache.serve(({ headers }) => new Response('p', { status: headers.has('range') ? 206 : 200 }))
  for (let request = 0; request < 1_000; request++) {
    expect((await cache.get('/', { range: 'bytes=0-0' })).body).toBe('p')
  }
  expect(cache.requests).toHaveLength(1_000)
  await expectNextPage(cache)
})

it.each<[string, Partial<Store>]>([
  [
    'hangs',
    { get: () => new Promise(() => {}), set: () => new Promise(() => {}), delete: () => new Promise(() => {}) },
  ],
  ['is full', { set: () => false }],
  ['fails', { get: () => Promise.reject(new Error('gone')), set: () => Promise.reject(new Error('gone')) }],
  ['returns an invalid entry', { get: () => ({ entry: { kind: 'response', status: 7 }, age: Number.NaN }) as never }],
])('each request is answered by a render if the store %s', async (_, broken) => {
  const cache = startCache({ store: { ...memoryStore({ maxBytes: 1e6 }), ...broken }, storeTimeout: 20 })
  cache.serve(() => cacheable('page'))
  for (let visit = 0; visit < 3; visit++) expect((await cache.get()).body).toBe('page')
  expect((await cache.get('/', {}, { method: 'POST' })).status).toBe(200)
})

it('a slow store and a tag index that hangs delay a request by storeTimeout at most', async () => {
  vi.useFakeTimers()
  const [inner, index] = [memoryStore({ maxBytes: 1e6 }), memoryTagIndex()]
  let isSlow = false
  const slow = <T>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, 150, value))
  const store: Store = { ...inner, get: (key) => (isSlow ? slow(inner.get(key) as undefined) : inner.get(key)) }
  const purgedSince: TagIndex['purgedSince'] = (...query) =>
    isSlow ? new Promise<never>(() => {}) : index.purgedSince(...query)
  const cache = startCache({ store, tagIndex: { ...index, purgedSince }, storeTimeout: 200 })
  await cache.get()
  await index.purge(['other'], 'hard')
  isSlow = true
  const answered = vi.fn()
  const answer = cache.get().then(answered)
  await vi.advanceTimersByTimeAsync(190)
  expect(answered).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(15)
  expect(answered).toHaveBeenCalledWith(expect.objectContaining({ body: '1' }))
  await answer
  vi.useRealTimers()
})
