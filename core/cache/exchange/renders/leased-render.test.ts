import { describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore, memoryTagIndex, type Store, tieredStore } from '../../index.js'
import { cacheable, deferred, rest, startCache } from '../../testing/harness.js'
import { sharedStore } from '../../testing/shared-store.js'

/** Two caches, as in two processes, that share a store and a tag index. */
function startTwo(wrap: (store: Store) => Store = (store) => store) {
  const { store, leases } = sharedStore()
  const tagIndex = memoryTagIndex()
  const caches = [0, 1].map(() => startCache({ store: wrap(store), tagIndex })) as [Cache, Cache]
  const asked = () => caches.map((cache) => cache.asked.length)
  return { caches, asked, leases, tagIndex }
}
type Cache = ReturnType<typeof startCache>

const tiered = (shared: Store) => tieredStore([memoryStore({ maxBytes: 1e7 }), shared])

describe.each([
  ['one store', (store: Store) => store],
  ['tiers', tiered],
])('%s', (_, wrap) => {
  it('renders once for all processes, at first and after each purge', async () => {
    const { caches, asked, leases, tagIndex } = startTwo(wrap)
    const [a, b] = caches
    for (const version of ['1', '2', '3']) {
      for (const cache of caches) cache.serve(() => cacheable(version))
      const replies = await Promise.all([a.get(), b.get(), b.get(), a.get()])
      expect(replies.map(({ body }) => body)).toEqual([version, version, version, version])
      expect(replies[2]?.cacheStatus).toMatch(/collapsed/)
      expect(asked()).toEqual([Number(version), 0])
      await tagIndex.purge(['document'], 'hard')
    }
    await rest()
    expect(leases.size).toBe(0)
  })

  it.each([
    ['is not stored', () => cacheable('private', { 'Cache-Control': 'private' })],
    ['fails', () => cacheable('failed', { 'Cache-Control': 'no-store' }, 500)],
  ])('each process renders for itself when the response of the other %s', async (_, page) => {
    const { caches, asked } = startTwo(wrap)
    for (const cache of caches) cache.serve(page)
    await Promise.all(caches.map((cache) => cache.get()))
    expect(asked()).toEqual([1, 1])
  })

  it('renders once more at most for each client whose response is its own', async () => {
    const { caches, asked } = startTwo(wrap)
    for (const cache of caches) {
      cache.serve(async ({ headers }) => {
        await rest(0)
        if (headers.get('user-agent') === 'bot') return new Response('no bots', { status: 403 })
        return cacheable('page')
      })
    }
    const bots = Array.from({ length: 3 }, () => caches[0].get('/', { 'user-agent': 'bot' }))
    const visits = caches.flatMap((cache) => Array.from({ length: 30 }, () => cache.get()))
    expect(new Set((await Promise.all(visits)).map(({ body }) => body))).toEqual(new Set(['page']))
    await Promise.all(bots)
    const total = asked().reduce((sum, number) => sum + number)
    expect(total).toBeLessThanOrEqual(caches.length + 2 * bots.length)
  })

  it('does not wait for a client with a cookie, when one without comes to another process', async () => {
    const { caches, asked } = startTwo(wrap)
    const [a, b] = caches
    const slow = deferred()
    a.serve(() => slow.promise.then(() => cacheable('slow')))
    b.serve(() => cacheable('page'))
    const odd = a.get('/', { cookie: 'slow=1' })
    await vi.waitFor(() => expect(asked()).toEqual([1, 0]), 20_000)
    expect((await b.get()).body).toBe('page')
    slow.resolve()
    expect((await odd).body).toBe('slow')
  })

  it('does not wait for a render that began before a purge', async () => {
    const { caches, asked, tagIndex } = startTwo(wrap)
    const [a, b] = caches
    const gate = deferred()
    a.serve(async () => {
      await gate.promise
      return cacheable('old')
    })
    b.serve(() => cacheable('new'))
    const old = a.get()
    await vi.waitFor(() => expect(asked()).toEqual([1, 0]), 20_000)
    await tagIndex.purge(['document'], 'hard')
    expect((await b.get()).body).toBe('new')
    gate.resolve()
    expect((await old).body).toBe('old')
    expect((await a.get()).body).toBe('new')
  })

  it('refreshes in one process after a soft purge, and serves the old page in both meanwhile', async () => {
    const { caches, asked, tagIndex } = startTwo(wrap)
    const [a, b] = caches
    await a.get()
    await b.get()
    await tagIndex.purge(['document'], 'soft')
    const gate = deferred()
    for (const cache of caches) {
      cache.serve(async () => {
        await gate.promise
        return cacheable('2')
      })
    }
    for (const cache of caches) expect((await cache.get()).body).toBe('1')
    await vi.waitFor(() => expect(asked()).toEqual([2, 0]), 20_000)
    expect((await b.get()).body).toBe('1')
    gate.resolve()
    await vi.waitFor(async () => {
      for (const cache of caches) expect((await cache.get()).body).toBe('2')
    }, 20_000)
    expect(asked()).toEqual([2, 0])
  })

  it('says the age of a page that another process rendered, also to those who joined', async () => {
    const { caches, tagIndex } = startTwo(wrap)
    const [a, b] = caches
    await b.get()
    await tagIndex.purge(['document'], 'hard')
    a.serve(() => cacheable('2', { Age: '30' }))
    await a.get()
    for (const { headers, body } of await Promise.all([b.get(), b.get()])) {
      expect([body, headers.get('age')]).toEqual(['2', '30'])
    }
  })

  it('selects variants that another process rendered', async () => {
    const { caches, asked, tagIndex } = startTwo(wrap)
    for (const cache of caches) {
      cache.serve((request) => cacheable(request.headers.get('x-kind'), { Vary: 'X-Kind' }))
      for (const kind of ['a', 'b']) await cache.get('/', { 'x-kind': kind })
    }
    expect(asked()).toEqual([2, 0])
    await tagIndex.purge(['document'], 'hard')
    for (const cache of caches) {
      for (const kind of ['a', 'b']) expect((await cache.get('/', { 'x-kind': kind })).body).toBe(kind)
    }
    expect(asked()).toEqual([4, 0])
  })
})

it('gives up the lease of a refresh that failed: those of other processes are not to wait for its result', async () => {
  const { store } = sharedStore()
  const ends: unknown[] = []
  const lease: Store['lease'] = async (name, timeout) => {
    const end = await store.lease?.(name, timeout)
    return (
      end &&
      (async (isDone) => {
        ends.push(isDone)
        await end(isDone)
      })
    )
  }
  const cache = startCache({ store: { ...store, lease } })
  const ended = (count: number) => vi.waitUntil(() => ends.length === count, 20_000)
  await cache.get()
  await ended(1)
  await cache.invalidate(['document'], { mode: 'soft' })
  cache.serve(({ headers }) => (headers.has('x-odd') ? new Response('odd', { status: 500 }) : cacheable('2')))
  expect((await cache.get('/', { 'x-odd': '1' })).body).toBe('1')
  await ended(2)
  expect((await cache.get()).body).toBe('1')
  await ended(3)
  expect((await cache.get()).body).toBe('2')
  expect(ends).toEqual([true, false, true])
})

it('renders when a lease fails', async () => {
  const { store } = sharedStore()
  const cache = startCache({ store: { ...store, lease: () => Promise.reject(new Error('away')) } })
  expect((await cache.get()).body).toBe('1')
  expect(cache.log).toHaveBeenCalledWith(expect.stringContaining('store operation failed'), {
    operation: 'lease',
    reason: expect.stringContaining('away'),
  })
})

it('ends its lease when its only visitor leaves', async () => {
  const { store, leases } = sharedStore()
  const cache = startCache({ store, maxBackgroundRenders: 0 })
  cache.serve(() => new Promise<never>(() => {}))
  const controller = new AbortController()
  const reply = cache.get('/', {}, { signal: controller.signal }).catch(() => 'left')
  await vi.waitFor(() => expect(leases.size).toBe(1), 20_000)
  controller.abort()
  expect(await reply).toBe('left')
  await vi.waitFor(() => expect(leases.size).toBe(0), 20_000)
})

it('finds in a later tier what another process has replaced, without leases', async () => {
  const disk = memoryStore({ maxBytes: 1e7 })
  const tagIndex = memoryTagIndex()
  const [a, b] = [0, 1].map(() => startCache({ store: tiered(disk), tagIndex })) as [Cache, Cache]
  await a.get()
  await b.get()
  await tagIndex.purge(['document'], 'hard')
  await a.get()
  await b.get()
  expect([a.asked.length, b.asked.length]).toEqual([2, 0])
})

it('HEADs, ranges and conditional requests are answered from what another process has stored since', async () => {
  for (const [fields, init, expected] of [
    [{}, { method: 'HEAD' }, { status: 200, body: '' }],
    [{ range: 'bytes=0-1' }, {}, { status: 206, body: 'ne' }],
    [{ 'if-match': '"new"' }, {}, { status: 200 }],
    [{ 'if-none-match': '"new"' }, {}, { status: 304, body: '' }],
  ] as const) {
    const { caches, asked, tagIndex } = startTwo(tiered)
    const [a, b] = caches
    for (const cache of caches) cache.serve(() => cacheable('old', { ETag: '"old"' }))
    for (const cache of caches) await cache.get()
    await tagIndex.purge(['document'], 'hard')
    for (const cache of caches) cache.serve(() => cacheable('new', { ETag: '"new"' }))
    await a.get()
    for (let times = 0; times < 2; times++) expect(await b.get('/', fields, init)).toMatchObject(expected)
    expect(asked(), JSON.stringify([fields, init])).toEqual([2, 0])
  }
})

it('what is out of date everywhere is looked for once a second, and by no request that does not need it', async () => {
  const { store } = sharedStore()
  const get = vi.spyOn(store, 'get')
  const cache = startCache({ store: tiered(store) })
  cache.serve(() => cacheable('page'))
  await cache.get()
  await cache.get('/', {}, { method: 'HEAD' })
  const before = get.mock.calls.length
  await cache.invalidate(['document'])
  for (let times = 0; times < 20; times++) await cache.get('/', {}, { method: 'HEAD' })
  expect(get.mock.calls.length - before).toBe(1)
})

describe('what is stale here, and was replaced by another process,', () => {
  const lifetime = { 'Cache-Control': 's-maxage=60, stale-while-revalidate=600' }
  /** Both have the old page; it is purged, and rendered again by one of them. */
  const startReplaced = async (vary: Record<string, string> = {}) => {
    const { caches, asked, tagIndex } = startTwo(tiered)
    const [a, b] = caches
    const page = (text: string) => () => cacheable(text, { ...lifetime, ...vary })
    for (const cache of caches) cache.serve(page('old'))
    for (const cache of caches) await cache.get()
    for (const cache of caches) cache.serve(page('new'))
    await tagIndex.purge(['document'], 'soft')
    expect((await a.get()).body).toBe('old')
    await rest()
    expect((await a.get()).body).toBe('new')
    return { a, b, asked }
  }

  it.each([
    ['pages', {}],
    ['variants', { Vary: 'Accept-Language' }],
  ])('is not served once more: %s, to all who come at once', async (_, vary) => {
    const { b, asked } = await startReplaced(vary)
    const replies = await Promise.all(Array.from({ length: 10 }, () => b.get()))
    expect(new Set(replies.map(({ body }) => body))).toEqual(new Set(['new']))
    await rest()
    expect(asked()).toEqual([2, 0])
  })

  it.each([
    ['HEAD', {}, { method: 'HEAD' }, 200, ''],
    ['a range', { range: 'bytes=0-1' }, {}, 206, 'ne'],
    ['a condition', { 'if-none-match': '"old"' }, {}, 200, 'new'],
  ])('is not served once more: %s', async (_, fields, init, status, body) => {
    const { b } = await startReplaced()
    expect(await b.get('/', fields, init)).toMatchObject({ status, body })
  })

  it('is served while the later tier does not answer', async () => {
    const { store } = sharedStore()
    const cache = startCache({ store: tiered(store) })
    cache.serve(() => cacheable('page', lifetime))
    await cache.get()
    vi.spyOn(store, 'get').mockImplementation(() => new Promise(() => {}))
    await cache.invalidate(['document'], { mode: 'soft' })
    const replies = await Promise.all([cache.get(), cache.get()])
    for (const reply of replies)
      expect(reply).toMatchObject({ body: 'page', cacheStatus: expect.stringMatching(/hit/) })
  })

  it('is looked for once a second', async () => {
    const { store } = sharedStore()
    const get = vi.spyOn(store, 'get')
    const cache = startCache({ store: tiered(store) })
    cache.serve(() => cacheable('page', lifetime))
    await cache.get()
    cache.serve(() => new Promise<never>(() => {}))
    await cache.invalidate(['document'], { mode: 'soft' })
    const before = get.mock.calls.length
    for (let times = 0; times < 20; times++) expect((await cache.get()).body).toBe('page')
    // And once more by the render in the background, before it begins.
    expect(get.mock.calls.length - before).toBeLessThanOrEqual(3)
  })
})

it('a store that processes share without a tag index is warned of', () => {
  const { store } = sharedStore()
  for (const [options, warnings] of [
    [{ store }, 1],
    [{ store: tiered(store) }, 1],
    [{ store, tagIndex: memoryTagIndex() }, 0],
    [{ store: memoryStore({ maxBytes: 1e6 }) }, 0],
  ] as const) {
    const log = vi.fn()
    createResponseCache({ ...options, log })
    expect(log).toHaveBeenCalledTimes(warnings)
  }
})
