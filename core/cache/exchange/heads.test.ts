import { expect, it } from 'vitest'
import { memoryStore, type Store } from '../index.js'
import { cacheable, rest, startCache } from '../testing/harness.js'

/** Starts a cache whose store reads heads apart, as those on a disk and in Redis do, and that records what is read. */
function start() {
  let time = 0
  const memory = memoryStore({ maxBytes: 1_000_000, clock: () => time })
  const read: string[] = []
  const get = async (key: string, what: 'head' | 'whole') => {
    read.push(what)
    const hit = await memory.get(key)
    const isBodiless = hit === undefined || hit.entry.kind === 'vary' || what === 'whole'
    return isBodiless ? hit : { ...hit, entry: { ...hit.entry, body: new Uint8Array(0) } }
  }
  const store: Store = { ...memory, get: (key) => get(key, 'whole'), getHead: (key) => get(key, 'head') }
  const pass = (seconds: number) => {
    time += seconds * 1000
  }
  return { ...startCache({ store, honorRequestCacheControl: true }), pass, read }
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
    cacheable(headers.has('authorization') ? 'own' : 'page', { ETag: '"1"', 'Cache-Control': 'max-age=60' }),
  )
  await cache.get()
  expect(await cache.get('/', { ...known, authorization: 'Bearer x' })).toMatchObject({ status: 200, body: 'own' })
})

it('a HEAD reads no body of what is stale, or was purged, and leads to the new page in the background', async () => {
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
    expect(cache.read).toEqual(['head'])
    await rest()
    if (mode === 'hard') expect(cache.asked.at(-1)?.method).toBe('HEAD')
    else expect((await cache.get()).body).toBe('new')
  }
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
