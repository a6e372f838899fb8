import { describe, expect, it } from 'vitest'
import { memoryStore, type Store } from '../index.js'
import { cacheable, rest, startCache } from '../testing/harness.js'

/** Starts a cache whose store reads heads apart, as those on a disk and in Redis do, and that records what is read. */
function start() {
  let time = 0
  const memory = memoryStore({ maxBytes: 1_000_000, clock: () => time })
  const read: string[] = []
  const get = async (key: string, part?: [start: number, end: number]) => {
    read.push(part ? (part[1] === 0 ? 'head' : part.join('-')) : 'whole')
    if (part?.[1]) await cache.beforePart?.()
    const hit = await memory.get(key)
    if (!part || hit === undefined || hit.entry.kind === 'vary') return hit
    return { ...hit, entry: { ...hit.entry, body: hit.entry.body.slice(...part) } }
  }
  const store: Store = { ...memory, get, getPart: (key, ...part) => get(key, part) }
  const pass = (seconds: number) => {
    time += seconds * 1000
  }
  const cache = {
    ...startCache({ store, honorRequestCacheControl: true }),
    pass,
    read,
    /** Called before a part of a body is read. */
    beforePart: undefined as (() => Promise<void>) | undefined,
  }
  return cache
}

const head = { method: 'HEAD' }
const known = { 'if-none-match': '"1"' }
const page = { ETag: '"1"', 'Cache-Control': 's-maxage=60, stale-while-revalidate=60' }

it.each([
  ['a HEAD', {}, head, 200],
  ['a HEAD of a client that has the page', known, head, 304],
  ['a GET of a client that has the page', known, {}, 304],
  ['a HEAD with a range', { range: 'bytes=0-1' }, head, 200],
])('%s is answered from the head of the stored page', async (_, fields, init, status) => {
  const cache = start()
  cache.serve(() => cacheable('page', page))
  await cache.get()
  cache.read.length = 0
  const response = await cache.get('/', fields, init)
  expect(response).toMatchObject({ status, body: '', cacheStatus: expect.stringContaining('hit') })
  if (status === 200) expect(response.headers.get('content-length')).toBe('4')
  expect(cache.read).toEqual(['head'])
})

it.each([
  ['of a client that has another page', { 'if-none-match': '"0"' }, 0],
  ['of a range', { 'if-none-match': '"0"', range: 'bytes=0-9' }, 0],
  ['of what is stale, and refreshed meanwhile', known, 61],
  ['of what is too old', known, 999],
  ['that asks for a fresh page', { ...known, 'cache-control': 'no-cache' }, 0],
])('a GET %s is answered from the whole page', async (_, fields, seconds) => {
  const cache = start()
  cache.serve(() => cacheable('page', page))
  await cache.get()
  cache.pass(seconds)
  const { body, status } = await cache.get('/', fields)
  expect([200, 206, 304]).toContain(status)
  expect(body).toBe(status === 304 ? '' : 'page')
  expect((await cache.get()).body).toBe('page')
})

it('of a page that varies, a client that has it in another language gets it whole', async () => {
  const cache = start()
  cache.serve(({ headers }) => {
    const language = headers.get('accept-language')
    return cacheable(`page ${language}`, { Vary: 'Accept-Language', ETag: `"${language}"` })
  })
  for (const language of ['de', 'en']) await cache.get('/', { 'accept-language': language })
  const known = { 'if-none-match': '"de"' }
  expect((await cache.get('/', { ...known, 'accept-language': 'de' })).status).toBe(304)
  expect((await cache.get('/', { ...known, 'accept-language': 'en' })).body).toBe('page en')
})

it('a client with Authorization gets none that others have led to, unless the page allows that', async () => {
  const cache = start()
  cache.serve(({ headers }) =>
    headers.has('authorization')
      ? cacheable('own', { ETag: '"own"', 'Cache-Control': 'max-age=60' })
      : cacheable('page', { ETag: '"1"', 'Cache-Control': 'max-age=60' }),
  )
  await cache.get()
  expect(await cache.get('/', { ...known, authorization: 'Bearer x' })).toMatchObject({ status: 200, body: 'own' })
})

it('a HEAD reads no body of what is stale, or was purged; the refresh in the background does, once', async () => {
  for (const mode of ['soft', 'hard', 'stale'] as const) {
    const cache = start()
    cache.serve(() => cacheable('page', page))
    await cache.get()
    if (mode === 'stale') cache.pass(61)
    else await cache.invalidate(['document'], { mode })
    cache.read.length = 0
    cache.serve(({ headers }) =>
      headers.has('if-none-match')
        ? new Response(null, { status: 304, headers: page })
        : cacheable('new', { ETag: '"2"' }),
    )
    expect((await cache.get('/', {}, head)).status).toBe(200)
    await rest()
    expect(cache.read).toEqual(mode === 'hard' ? ['head'] : ['head', 'whole'])
    const { body, cacheStatus } = await cache.get()
    if (mode === 'hard') expect(cache.asked.at(-2)?.method).toBe('HEAD')
    expect([body, cacheStatus.includes('hit')]).toEqual([mode === 'stale' ? 'page' : 'new', mode !== 'hard'])
  }
})

describe.each([
  ['stale, and refreshed meanwhile', { 'Cache-Control': 's-maxage=60, stale-while-revalidate=600' }],
  ['stale, while the handler fails', { 'Cache-Control': 's-maxage=60, stale-if-error=600' }],
])('of what is %s', (_, lifetime) => {
  it.each([
    ['a range', { range: 'bytes=1-2' }, ['head', '1-3']],
    ['a client that has the page', known, ['head']],
  ])('%s reads no more than its part, but for the refresh', async (_, fields, read) => {
    const cache = start()
    cache.serve(() => cacheable('page', { ...page, ...lifetime }))
    await cache.get()
    cache.pass(61)
    cache.serve(() => new Response('down', { status: 503 }))
    await cache.get() // finds out that it fails
    await rest()
    cache.read.length = 0
    for (let number = 0; number < 20; number++) {
      const { status, body } = await cache.get('/', fields)
      expect([status, body]).toEqual(status === 206 ? [206, 'ag'] : [304, ''])
    }
    await rest()
    expect(cache.read).toEqual(Array.from({ length: 20 }, () => read).flat())
  })
})

it('a HEAD that shows that the stored page is outdated keeps its body', async () => {
  const cache = start()
  cache.serve(() => cacheable('page', { ETag: '"1"', 'Cache-Control': 's-maxage=60, stale-if-error=60' }))
  await cache.get()
  cache.serve(() => cacheable(null, { ETag: '"2"' }))
  await cache.get('/', { 'cache-control': 'no-cache' }, head)
  cache.serve(new Error('down'))
  expect(await cache.get()).toMatchObject({ body: 'page', cacheStatus: expect.stringContaining('stale-if-error') })
})

it('what is not stored is looked for once', async () => {
  const cache = start()
  await cache.get('/', known, head)
  expect(cache.read).toEqual(['head'])
})

it('after a purge, a client that has the page gets the new one', async () => {
  const cache = start()
  cache.serve(() => cacheable('page', page))
  await cache.get()
  await cache.invalidate(['document'])
  cache.serve(() => cacheable('new', { ETag: '"2"' }))
  expect(await cache.get('/', known)).toMatchObject({ status: 200, body: 'new' })
})

describe('of a stored page, a range', () => {
  const digits = '0123456789'
  const serveDigits = async (fields: Record<string, string> = {}) => {
    const cache = start()
    cache.serve(() => cacheable(digits, { ...page, ...fields }))
    await cache.get()
    cache.read.length = 0
    return cache
  }

  it.each([
    ['bytes=2-4', {}, '234', 'bytes 2-4/10', '2-5'],
    ['bytes=7-', {}, '789', 'bytes 7-9/10', '7-10'],
    ['bytes=-1', {}, '9', 'bytes 9-9/10', '9-10'],
    ['bytes=0-99', {}, digits, 'bytes 0-9/10', '0-10'],
    ['bytes=2-4', { 'if-range': '"1"' }, '234', 'bytes 2-4/10', '2-5'],
    ['bytes=2-4', { 'if-none-match': '"0"' }, '234', 'bytes 2-4/10', '2-5'],
  ])('%s with %o is read alone', async (range, fields, body, contentRange, part) => {
    const cache = await serveDigits()
    const response = await cache.get('/', { range, ...fields })
    expect(response).toMatchObject({ status: 206, body, cacheStatus: expect.stringContaining('hit') })
    expect(response.headers.get('content-range')).toBe(contentRange)
    expect(response.headers.get('content-length')).toBe(String(body.length))
    expect(cache.read).toEqual(['head', part])
  })

  it.each([
    ['beyond the end', 'bytes=10-', {}, 416],
    ['of a client that has the page', 'bytes=0-1', known, 304],
  ])('%s needs no body', async (_, range, fields, status) => {
    const cache = await serveDigits()
    expect(await cache.get('/', { range, ...fields })).toMatchObject({ status, body: '' })
    expect(cache.read).toEqual(['head'])
  })

  it.each([
    ['several', { range: 'bytes=0-1,3-4' }, 200, digits],
    ['malformed', { range: 'bytes=x' }, 200, digits],
    ['of another representation', { range: 'bytes=0-1', 'if-range': '"0"' }, 200, digits],
  ])('%s: the whole page is read', async (_, fields, status, body) => {
    const cache = await serveDigits()
    expect(await cache.get('/', fields)).toMatchObject({ status, body })
    expect(cache.read).toEqual(['head', 'whole'])
  })

  it.each([
    [300_000, 262_144, true],
    [300_000, 262_145, false],
    [700_000, 350_000, true],
    [700_000, 350_001, false],
  ])(
    'of a page of %i bytes, one of %i is read alone: %s, since most of it is read with the rest',
    async (all, size, isAlone) => {
      const cache = start()
      cache.serve(() => cacheable('x'.repeat(all), page))
      await cache.get()
      cache.read.length = 0
      const { status, body } = await cache.get('/', { range: `bytes=0-${size - 1}` })
      expect([status, body.length]).toEqual([206, size])
      expect(cache.read).toEqual(['head', isAlone ? `0-${size}` : 'whole'])
    },
  )

  it('of a page that is stale or purged is taken from the new one', async () => {
    for (const change of [
      (cache: ReturnType<typeof start>) => cache.pass(999),
      (cache: ReturnType<typeof start>) => cache.invalidate(['document']),
    ]) {
      const cache = await serveDigits()
      cache.serve(() => cacheable('abcdefghij', { ...page, ETag: '"2"' }))
      await change(cache)
      expect((await cache.get('/', { range: 'bytes=2-4' })).body).toMatch(/^(cde|abcdefghij)$/)
    }
  })

  it.each([
    ['of another length', 'abc', [206, 'c']],
    ['that is shorter than the range begins', 'ab', [416, '']],
    ['of the same length', 'abcdefghij', [206, 'cde']],
  ])(
    'is that of the newest page, also when one %s has replaced the other between two reads',
    async (_, body, expected) => {
      const cache = await serveDigits()
      cache.beforePart = async () => {
        cache.beforePart = undefined
        await cache.invalidate(['document'])
        cache.serve(() => cacheable(body, { ...page, ETag: '"2"' }))
        await cache.get()
      }
      const response = await cache.get('/', { range: 'bytes=2-4' })
      expect([response.status, response.body]).toEqual(expected)
    },
  )
})
