import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex, type Store, type TagIndex, tieredStore } from './index.js'
import { cacheable, deferred, rest, startCache } from './testing/harness.js'

// Attacks on the promises of SECURITY.md have found the defects that these tests show.
describe('shared pages', () => {
  it('a shared page does not see a value that a handler has set for another request by enterWith', async () => {
    const storage = new AsyncLocalStorage<string>()
    const cache = startCache({ cookies: ['theme'] })
    cache.serve(({ headers }) => {
      const renderStore = storage.getStore()
      storage.enterWith(headers.get('cookie') ?? '')
      return cacheable(`${renderStore}`)
    })
    await storage.run('', () => cache.get('/1', { cookie: 'theme=dark' }))
    expect((await cache.get('/2')).body).toBe('undefined')
  })

  it('a reader that changes the bytes of a page does not change the stored page', async () => {
    const cache = startCache()
    cache.serve(cacheable('x'.repeat(70_000)))
    await cache.get()
    for (let visit = 0; visit < 2; visit++) {
      const response = await cache.wrapped(new Request('https://site.test/'))
      const reader = response?.body?.getReader()
      const value = (await reader?.read())?.value
      expect(value?.[0]).toBe('x'.charCodeAt(0))
      value?.fill(0)
      await reader?.cancel()
    }
  })

  it('a shared page has no field that Cache-Control calls private, even if a targeted field omits it', async () => {
    const cache = startCache()
    const headers = { 'Cache-Control': 'private="x-user"', 'CDN-Cache-Control': 'max-age=60', 'X-User': 'Ann' }
    cache.serve(cacheable('page', headers))
    await cache.get()
    const hit = await cache.get()
    expect([hit.cacheStatus, hit.headers.get('x-user')]).toEqual([expect.stringContaining('hit'), null])
  })
})

describe('the answer to a visitor’s own request', () => {
  it.each([
    ['OPTIONS', { 'Cache-Control': 'public, max-age=60' }, 'private, max-age=60'],
    ['GET', { 'Cache-Control': 'no-store; public, s-maxage=60' }, 'private, no-store; public'],
    [
      'GET',
      { 'Cache-Control': 'PUBLIC, ext="a, b", no-cache="set-cookie"' },
      'private, ext="a, b", no-cache="set-cookie"',
    ],
    ['GET', { 'Cache-Control': 'no-store' }, 'no-store'],
    ['GET', { 'Cache-Control': 'Private, max-age=5' }, 'Private, max-age=5'],
  ])('the answer to a visitor’s own %s becomes private: %o', async (method, headers, expected) => {
    const cache = startCache()
    cache.serve(new Response(null, { headers }))
    const answer = await cache.get('/', { cookie: 'session=1' }, { method })
    expect(answer.headers.get('cache-control')).toBe(expected)
  })

  it.each(['X-Accel-Expires', 'Edge-Control', 'X-LiteSpeed-Cache-Control', 'Surrogate-Control', 'Netlify-Cache-Tag'])(
    'the answer to a visitor’s own request has no %s',
    async (name) => {
      const cache = startCache()
      cache.serve(cacheable('own', { [name]: 'max-age=60' }))
      const { headers } = await cache.get('/', { cookie: 'session=1' })
      expect([headers.get(name), headers.get('cache-control')]).toEqual([null, 'private'])
    },
  )
})

describe('a soft purge', () => {
  it('a soft purge is not undone by an earlier render that ends after the new one', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(async () => {
      await gate.promise
      return cacheable('old')
    })
    const earlier = cache.get()
    await rest()
    await cache.invalidate(['document'], { mode: 'soft' })
    cache.serve(cacheable('new'))
    expect((await cache.get()).body).toBe('new')
    gate.resolve()
    expect((await earlier).body).toBe('old')
    await rest()
    expect(await cache.get()).toMatchObject({ body: 'new', cacheStatus: expect.stringMatching(/hit; ttl=\d+$/) })
  })

  it('a soft purge removes a page whose route is gone', async () => {
    const cache = startCache()
    await cache.get()
    cache.serve(undefined)
    await cache.invalidate(['document'], { mode: 'soft' })
    await cache.get()
    await rest()
    expect((await cache.get()).status).toBe(0)
  })

  it('after a soft purge, a refresh that fails runs once a second, even if the visitors who trigger it leave', async () => {
    const cache = startCache()
    await cache.get()
    cache.serve(() => rest().then(() => Promise.reject(new Error('down'))))
    await cache.invalidate(['document'], { mode: 'soft' })
    for (let visit = 0; visit < 10; visit++) {
      const client = new AbortController()
      await cache.get('/', {}, { signal: client.signal })
      client.abort()
      await rest(15)
    }
    expect(cache.requests).toHaveLength(2)
  })

  it('after a soft purge, a refresh that takes too long runs once a second', async () => {
    const cache = startCache({ refreshTimeout: 20 })
    await cache.get()
    cache.serve(() => new Promise(() => {}))
    await cache.invalidate(['document'], { mode: 'soft' })
    for (let visit = 0; visit < 5; visit++) {
      await cache.get()
      await rest(40)
    }
    expect(cache.requests).toHaveLength(2)
  })
})

describe('a hard purge', () => {
  it('a hard purge counts while a 304 changes the tags of the page', async () => {
    const cache = startCache()
    cache.serve(cacheable('old', { 'Cache-Control': 'max-age=1', 'Cache-Tag': 'product', ETag: '"1"' }))
    await cache.get()
    cache.advance(2)
    cache.serve(async () => {
      await cache.invalidate(['product'])
      return cacheable(null, { 'Cache-Tag': 'list', ETag: '"1"' }, 304)
    })
    await cache.get()
    cache.serve(cacheable('new'))
    expect((await cache.get()).body).toBe('new')
  })

  it.each([
    ['document', 'the option'],
    ['product', 'the body'],
    ['list', 'the 304'],
  ])('a hard purge of %s, a tag of %s, reaches a page that a 304 with tags has confirmed', async (tag) => {
    const cache = startCache({ tags: (_, { status }) => (status === 200 ? ['document'] : []) })
    cache.serve(cacheable('old', { 'Cache-Control': 'max-age=1', 'Cache-Tag': 'product', ETag: '"1"' }))
    await cache.get()
    cache.advance(2)
    cache.serve(cacheable(null, { 'Cache-Tag': 'list', ETag: '"1"' }, 304))
    // A CDN must be able to purge the page by the same tags.
    const tags = ['product', 'document', '/', 'list']
    expect((await cache.get()).headers.get('cache-tag')?.split(',')).toEqual(tags)
    expect((await cache.get()).headers.get('cache-tag')?.split(',')).toEqual(tags)
    await cache.invalidate([tag])
    cache.serve(cacheable('new'))
    expect((await cache.get()).body).toBe('new')
  })

  it('after a hard purge, a request that had waited for another render sends no validators of the purged page', async () => {
    const cache = startCache()
    cache.serve(cacheable('old', { 'Cache-Control': 'max-age=1', ETag: '"1"' }))
    await cache.get()
    cache.advance(2)
    const gate = deferred()
    cache.serve(() => gate.promise.then(() => cacheable('mine', { 'Cache-Control': 'private' })))
    const visits = [cache.get(), cache.get()]
    await rest()
    await cache.invalidate(['document'])
    gate.resolve()
    await Promise.all(visits)
    expect(cache.requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"1"', null])
  })

  it.each([undefined, null, true, {}])('a hard purge counts with an index that answers %o', async (state) => {
    const index = memoryTagIndex()
    const tagIndex = { ...index, purgedSince: () => state } as unknown as TagIndex
    const cache = startCache({ tagIndex })
    await cache.get()
    await cache.invalidate(['document'])
    cache.serve(cacheable('2'))
    expect((await cache.get()).body).toBe('2')
  })

  it.each([
    ['a long path with a slash at its end', `/${'ü'.repeat(300)}/`, `/${'ü'.repeat(300)}`, {}],
    ['a prefix with slashes at its end', '/x', '/app/x', { 'x-forwarded-prefix': '/app//' }],
  ])('a hard purge reaches %s', async (_, path, purged, headers) => {
    const cache = startCache()
    await cache.get(path, headers)
    await cache.invalidate([purged])
    expect((await cache.get(path, headers)).cacheStatus).not.toContain('hit')
  })
})

describe('a POST', () => {
  it('a POST waits for the store and the tag index for storeTimeout at most', async () => {
    const [warmCache, index] = [startCache(), memoryTagIndex()]
    await warmCache.get()
    const delayed =
      <T extends unknown[], R>(run: (...values: T) => R) =>
      (...values: T) =>
        rest(800).then(() => run(...values))
    const store = { ...warmCache.store, get: delayed(warmCache.store.get) } as Store
    // Each operation takes less than its limit of 1,500 ms, but both together take more than 2,000 ms.
    const cache = startCache({ store, tagIndex: { ...index, purge: () => rest(1_400) }, storeTimeout: 2_000 })
    expect((await cache.get('/', {}, { method: 'POST' })).body).toBe('1')
    expect(cache.log.mock.calls.map(([message]) => message)).toEqual([
      'Response cache: purge by an unsafe method failed',
    ])
  })

  it('a POST is answered even if a function of fields throws', async () => {
    const failingField = () => {
      throw new Error('no such field')
    }
    const cache = startCache({ fields: { 'Accept-Language': failingField } })
    cache.serve(new Response('ordered'))
    expect((await cache.get('/', {}, { method: 'POST' })).body).toBe('ordered')
  })

  it('a POST purges the page that its Location names, and no page that another site’s URL names', async () => {
    const cache = startCache()
    for (const path of ['/list', '/other']) await cache.get(path)
    cache.serve(
      new Response(null, {
        status: 303,
        headers: { Location: '/list', 'Content-Location': 'https://other.test/other' },
      }),
    )
    await cache.get('/new', {}, { method: 'POST' })
    cache.serve(cacheable('2'))
    expect([(await cache.get('/list')).body, (await cache.get('/other')).body]).toEqual(['2', '1'])
  })
})

it('a waitUntil that throws is logged, and the page is stored', async () => {
  const waitUntil = vi.fn(() => {
    throw new Error('not in a request')
  })
  const cache = startCache({ waitUntil })
  expect((await cache.get()).body).toBe('1')
  expect((await cache.get()).cacheStatus).toContain('hit')
  await rest()
  expect(cache.log).toHaveBeenCalledWith('Response cache: waitUntil failed', { reason: 'not in a request' })
})

it('a tier that does not store an entry drops its older entry', async () => {
  const secondTier = memoryStore({ maxBytes: 1e6 })
  const refusing: Store = {
    ...secondTier,
    set: (key, entry, age) => entry.ttl !== 2 && secondTier.set(key, entry, age),
  }
  const store = tieredStore([memoryStore({ maxBytes: 1e6 }), refusing])
  const entry = (ttl: number) => ({ kind: 'value' as const, metadata: {}, body: new Uint8Array(1), ttl })
  await store.set('page', entry(1))
  await store.set('page', entry(2))
  await rest()
  expect([await secondTier.get('page'), (await store.get('page'))?.entry.ttl]).toEqual([undefined, 2])
})
