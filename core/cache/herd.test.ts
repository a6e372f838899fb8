import { describe, expect, it, vi } from 'vitest'
import { cacheable, deferred, rest, startCache } from './testing/harness.js'

const bodies = (answers: { body: string }[]) => answers.map(({ body }) => body)
const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

describe('fifty requests for the same new page', () => {
  it('fifty requests for the same new page cause one call of the handler', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(() => gate.promise.then(() => cacheable('page')))
    const visits = times(50, () => cache.get())
    await rest()
    gate.resolve()
    expect(new Set(bodies(await Promise.all(visits)))).toEqual(new Set(['page']))
    expect(cache.requests).toHaveLength(1)
  })

  it.each([
    ['answers 504', () => new Response('too late', { status: 504, headers: { 'Cache-Control': 'no-store' } })],
    ['answers 503 without a body', () => new Response(null, { status: 503 })],
    ['throws', () => Promise.reject(new Error('too late'))],
  ])('fifty requests for a page whose handler hangs, and then %s, share one call', async (_, fail) => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(() => gate.promise.then(fail))
    const visits = Promise.allSettled(times(50, () => cache.get()))
    await rest()
    gate.resolve()
    const results = await visits
    expect(cache.requests).toHaveLength(1)
    expect(new Set(results.map((result) => (result.status === 'fulfilled' ? result.value.status : String(result.reason)))).size).toBe(1) // biome-ignore format: a row
  })

  it.each<[string, Record<string, string>]>([
    ['is private', { 'Cache-Control': 'private' }],
    ['sets a cookie', { 'Set-Cookie': 'csrf=1' }],
    ['varies by an undeclared field', { Vary: 'X-Theme' }],
  ])(
    'requests for a page that %s each call the handler, and for two minutes no request waits for another',
    async (_, headers) => {
      let pause = 0
      const now = performance.now.bind(performance)
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + pause)
      const cache = startCache()
      let gate = deferred()
      let call = 0
      cache.serve(() => gate.promise.then(() => cacheable(`${++call}`, headers)))
      const visits = times(50, () => cache.get())
      await rest()
      expect(cache.requests).toHaveLength(1)
      gate.resolve()
      expect(new Set(bodies(await Promise.all(visits))).size).toBe(50)
      gate = deferred()
      pause += 119_000
      const laterRequests = times(10, () => cache.get())
      await rest()
      expect(cache.requests).toHaveLength(60)
      gate.resolve()
      await Promise.all(laterRequests)
      // A response that can be stored ends this.
      cache.serve(() => cacheable('for all'))
      await cache.get()
      expect((await cache.get()).cacheStatus).toContain('hit')
      clock.mockRestore()
    },
  )

  it('requests wait for joinTimeout at most, and then call the handler themselves if no page is stored yet', async () => {
    const cache = startCache({ joinTimeout: 50 })
    cache.serve(() => (cache.requests.length === 1 ? new Promise<Response>(() => {}) : cacheable('page')))
    const first = new AbortController()
    cache.get('/', {}, { signal: first.signal }).catch(() => {})
    const visits = await Promise.all(times(10, () => cache.get()))
    expect(new Set(bodies(visits))).toEqual(new Set(['page']))
    // One request may have stored the page before the next one looks.
    expect(cache.requests.length).toBeGreaterThan(1)
    expect(cache.requests.length).toBeLessThanOrEqual(11)
    first.abort()
  })

  it('requests for a page that is stale on arrival do not wait for each other', async () => {
    const cache = startCache({ joinTimeout: 20_000 })
    cache.serve(async () => {
      await rest(1)
      return cacheable('page', { 'Cache-Control': 'max-age=0, must-revalidate', ETag: '"a"' })
    })
    expect(bodies(await Promise.all(times(20, () => cache.get())))).toEqual(times(20, () => 'page'))
  })
})

describe('a page that fails', () => {
  it('a page that fails is refreshed once a second, and served stale in the meantime', async () => {
    let pause = 0
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + pause)
    const cache = startCache()
    cache.serve(() => cacheable('old', { 'Cache-Control': 's-maxage=60, stale-while-revalidate=6000' }))
    await cache.get()
    cache.advance(61)
    cache.serve(new Response('down', { status: 503 }))
    for (let second = 0; second < 5; second++) {
      for (let visit = 0; visit < 5; visit++) {
        expect((await cache.get()).body).toBe('old')
        await rest(0)
      }
      pause += 1_001
    }
    expect(cache.requests).toHaveLength(1 + 5)
    clock.mockRestore()
  })

  it.each([
    ['throws', () => Promise.reject(new Error('down'))],
    ['answers 500', async () => new Response('down', { status: 500 })],
  ])('a page is kept when its refresh %s, and replaced when its refresh answers 404', async (_, fail) => {
    const cache = startCache()
    const lasting = { 'Cache-Control': 's-maxage=60, stale-while-revalidate=6000, stale-if-error=6000' }
    cache.serve(() => cacheable('old', lasting))
    await cache.get()
    cache.advance(61)
    cache.serve(fail)
    await cache.get()
    await rest()
    expect((await cache.get()).body).toBe('old')
    await rest(1_050)
    cache.serve(() => cacheable('gone', { 'Cache-Control': 'no-store' }, 404))
    expect((await cache.get()).body).toBe('old')
    await rest()
    expect((await cache.get()).body).toBe('gone')
  })

  it('a refresh whose response is too large frees its place, and the old page is removed', async () => {
    const cache = startCache({ maxBodyBytes: 1_000, refreshTimeout: 60_000 })
    for (let page = 0; page < 64; page++) await cache.get(`/${page}`)
    await cache.invalidate(['document'], { mode: 'soft' })
    cache.serve(() => cacheable('x'.repeat(2_000)))
    for (let page = 0; page < 64; page++) {
      expect((await cache.get(`/${page}`)).body).toBe('1')
      await rest(0)
      const next = await cache.get(`/${page}`)
      expect([next.body.length, next.cacheStatus]).toEqual([2_000, expect.stringContaining('detail=too-large')])
    }
  })
})

describe('the Cache-Status of the next response', () => {
  it.each<[string, Parameters<typeof startCache>[0], () => Response]>([
    ['too-large', { maxBodyBytes: 10 }, () => cacheable(new Blob(['more than ten bytes']).stream())],
    ['broken-off', {}, () => cacheable(new ReadableStream({ pull: (body) => body.error(new Error('broken')) }))],
    ['store', { store: { get: () => undefined, set: () => false, delete: () => {} } }, () => cacheable('page')],
  ])('the next Cache-Status says why the last response was not stored: %s', async (detail, options, answer) => {
    const cache = startCache(options)
    cache.serve(answer)
    const first = await cache.get().catch(() => undefined)
    expect(first?.cacheStatus ?? 'stored').toContain('stored')
    await rest()
    const next = await cache.wrapped(new Request('https://site.test/'))
    expect(next?.headers.get('cache-status')).toMatch(new RegExp(`detail=${detail}$`))
    await next?.text().catch(() => {})
  })

  it('the next Cache-Status says that the last response was purged during its render', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(() => gate.promise.then(() => cacheable('old')))
    const first = cache.get()
    await rest()
    await cache.invalidate(['document'])
    gate.resolve()
    await first
    expect((await cache.get()).cacheStatus).toBe('sitewright; fwd=uri-miss; fwd-status=200; stored; detail=purged')
    expect((await cache.get()).cacheStatus).toContain('hit')
  })
})
