import { afterEach, describe, expect, it, vi } from 'vitest'
import { cacheable, deferred, rest, startCache } from './testing/harness.js'

type Start = ReturnType<typeof startCache>

const site = 'https://site.test'

/** Sends a request to the cache in front of the app. */
async function visit(cache: Start, path = '/', headers: Record<string, string> = {}, method = 'GET') {
  const response = await cache.inFront(new Request(site + path, { method, headers }))
  const cacheControl = response.headers.get('cache-control')
  const cacheStatus = (response.headers.get('cache-status') ?? '').replace('sitewright; ', '')
  return { status: response.status, headers: response.headers, cacheControl, cacheStatus, text: await response.text() }
}
const session = { cookie: 'session=1' }

afterEach(() => void vi.restoreAllMocks())

describe('a page in front of an app', () => {
  it('is the own answer first, then rendered for all, then a hit', async () => {
    const cache = startCache()
    cache.serve(({ headers }) => cacheable(`${headers.get('accept-language')}`))
    const german = { 'accept-language': 'de' }
    expect(await visit(cache, '/', german)).toMatchObject({
      text: 'de',
      cacheStatus: 'fwd=uri-miss; fwd-status=200; detail=first',
    })
    expect(await visit(cache, '/', german)).toMatchObject({
      text: 'null',
      cacheStatus: 'fwd=uri-miss; fwd-status=200; stored',
    })
    expect(await visit(cache, '/', german)).toMatchObject({ text: 'null', cacheStatus: 'hit; ttl=60' })
    expect(cache.requests).toHaveLength(2)
  })

  it.each([
    ['stored', {}, [1, 2, 2, 2]],
    ['private', { 'Cache-Control': 'private' }, [1, 2, 3, 5]],
    ['without a lifetime', { 'Cache-Control': '' }, [1, 2, 3, 5]],
  ])(
    'that is %s runs no more often than without the cache',
    async (_name, headers: Record<string, string>, expected) => {
      const counts = []
      for (const visits of [1, 2, 3, 5]) {
        const cache = startCache()
        cache.serve(() => cacheable('page', headers))
        for (let count = 0; count < visits; count++) await visit(cache)
        counts.push(cache.requests.length)
      }
      expect(counts).toEqual(expected)
    },
  )

  it('that sets a cookie only when it is rendered for all is each visitor’s own, with one discarded render in 120 s', async () => {
    const cache = startCache({ bypass: () => false })
    cache.serve(({ headers }) =>
      cacheable(`${headers.get('cookie')}`, headers.has('cookie') ? {} : { 'Set-Cookie': 'session=2' }),
    )
    const texts = []
    for (let count = 0; count < 4; count++) texts.push((await visit(cache, '/', session)).text)
    expect(texts).toEqual(Array(4).fill('session=1'))
    expect(cache.requests).toHaveLength(5)
    expect((await visit(cache, '/', session)).cacheStatus).toContain('detail=set-cookie')
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 121_000)
    await visit(cache, '/', session)
    await visit(cache, '/', session)
    expect(cache.requests).toHaveLength(9)
  })

  it.each([500, 503])(
    'whose render for all answers %i is the own answer, or the stored one within stale-if-error',
    async (status) => {
      const cache = startCache()
      const isForAll = (request: Request) => request.headers.get('user-agent')?.includes('sitewright')
      let isBroken = false
      const cacheControl = 's-maxage=60, stale-if-error=600'
      cache.serve((request) =>
        isBroken && isForAll(request)
          ? new Response('broken', { status })
          : cacheable('page', { 'Cache-Control': cacheControl }),
      )
      for (let count = 0; count < 2; count++) await visit(cache, '/stale')
      await visit(cache, '/new')
      isBroken = true
      cache.advance(61)
      expect(await visit(cache, '/stale')).toMatchObject({
        status: 200,
        cacheStatus: expect.stringContaining('stale-if-error'),
      })
      expect(await visit(cache, '/new')).toMatchObject({
        status: 200,
        text: 'page',
        cacheStatus: expect.stringContaining('detail=status'),
      })
    },
  )

  it('whose render for all throws is the own answer, and an own answer that throws is the app’s error', async () => {
    const cache = startCache()
    await visit(cache)
    cache.serve((request) => {
      if (request.headers.get('user-agent')?.includes('sitewright')) throw new Error('for all')
      return cacheable('own')
    })
    expect((await visit(cache)).text).toBe('own')
    cache.serve(new Error('own'))
    await expect(visit(cache, '/other')).rejects.toThrow('own')
  })

  it('is rendered once for a herd that knows it, and each time for a herd that does not', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(async () => {
      await gate.promise
      return cacheable('page')
    })
    const cold = Array.from({ length: 5 }, () => visit(cache))
    await rest()
    expect(cache.requests).toHaveLength(5)
    gate.resolve()
    await Promise.all(cold)
    const known = await herdOf(cache)
    await cache.invalidate(['document'])
    for (const herd of [known, await herdOf(cache)]) {
      expect(herd.filter(({ cacheStatus }) => cacheStatus.includes('collapsed'))).toHaveLength(4)
    }
    expect(cache.requests).toHaveLength(7)
  })
  const herdOf = (cache: Start) => Promise.all(Array.from({ length: 5 }, () => visit(cache)))

  it('is each visitor’s own after its render for all has turned out not to be for all, for those who wait, too', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('page'))
    await visit(cache)
    let count = 0
    cache.serve(async ({ headers }) => {
      await rest(1)
      return cacheable(`${headers.get('x-number')}`, { 'Cache-Control': ++count === 1 ? 'private' : 's-maxage=60' })
    })
    const visits = [1, 2, 3].map((number) => visit(cache, '/', { 'x-number': `${number}` }))
    expect((await Promise.all(visits)).map(({ text }) => text)).toEqual(['1', '2', '3'])
    expect(count).toBe(4)
  })

  it.each([
    ['a 304', { 'if-none-match': '"1"' }, 'GET'],
    ['a 206', { range: 'bytes=0-1' }, 'GET'],
    ['a HEAD', {}, 'HEAD'],
  ])('is known after %s', async (_name, headers, method) => {
    const cache = startCache()
    cache.serve((request) => {
      if (request.headers.has('if-none-match')) return cacheable(null, { ETag: '"1"' }, 304)
      return request.headers.has('range') ? cacheable('pa', {}, 206) : cacheable('page')
    })
    await visit(cache, '/', headers, method)
    expect((await visit(cache)).cacheStatus).toContain('stored')
  })

  it('that the store has is known, however old', async () => {
    const first = startCache()
    first.serve(() => cacheable('page', { ETag: '"1"' }))
    for (let count = 0; count < 2; count++) await visit(first)
    first.advance(80_000)
    const second = startCache({ store: first.store, tagIndex: first.tagIndex })
    await first.invalidate(['document'])
    await visit(second)
    expect(second.requests[0]?.headers.get('user-agent')).toBe('Mozilla/5.0 (compatible; sitewright)')
  })

  it('is rendered for all under addresses of no visitor, a different one each time', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('page'))
    for (const path of ['/a', '/b', '/c']) for (let count = 0; count < 2; count++) await visit(cache, path)
    const addresses = cache.requests.flatMap(({ headers }) => headers.get('x-forwarded-for') ?? [])
    expect(new Set(addresses).size).toBe(3)
    for (const address of addresses) expect(address).toMatch(/^2001:db8:[\da-f]+:[\da-f]+::1$/)
  })
})

describe('an own answer in front of an app', () => {
  it.each([
    ['s-maxage=60', 'private'],
    ['public, max-age=0', 'private, max-age=0'],
    ['max-age=60', 'private, max-age=60'],
    ['max-age=0, must-revalidate', 'max-age=0, must-revalidate'],
    ['no-cache', 'no-cache'],
    ['private, max-age=60', 'private, max-age=60'],
    ['no-store', 'no-store'],
    ['', null],
  ])('with Cache-Control %j leaves with %j', async (sent, expected) => {
    const cache = startCache()
    cache.serve(() => new Response('page', { headers: sent ? { 'Cache-Control': sent } : {} }))
    for (const headers of [session, { authorization: 'Basic x' }]) {
      expect(await visit(cache, '/', headers)).toMatchObject({ cacheControl: expected, text: 'page' })
      expect((await visit(cache, '/', headers, 'POST')).cacheControl).toBe(expected)
    }
    expect((await visit(cache)).cacheControl).toBe(expected)
  })

  it.each(['CDN-Cache-Control', 'Surrogate-Control'])('has no %s, which would outweigh private', async (name) => {
    const cache = startCache()
    cache.serve(() => new Response('page', { headers: { 'Cache-Control': 'no-store', [name]: 'max-age=60' } }))
    expect((await visit(cache, '/', session)).headers.has(name)).toBe(false)
  })

  it('gets the whole request, with a body, and teaches nothing', async () => {
    const cache = startCache()
    cache.serve(async (request) => cacheable(`${request.headers.get('cookie')} ${await request.text()}`))
    await visit(cache, '/', session)
    const post = new Request(`${site}/`, { method: 'POST', body: 'sent', headers: session })
    expect(await (await cache.inFront(post)).text()).toBe('session=1 sent')
    expect((await visit(cache)).cacheStatus).toContain('detail=first')
  })

  it('to a POST that changes a page arrives after the page is purged', async () => {
    const cache = startCache()
    let version = 1
    cache.serve(({ method }) => {
      if (method === 'GET') return cacheable(`${version}`)
      version++
      return new Response(null, { status: 303, headers: { Location: '/' } })
    })
    for (let count = 0; count < 3; count++) await visit(cache)
    await visit(cache, '/form', {}, 'POST')
    expect((await visit(cache)).text).toBe('2')
  })
})

it.each(['wrapped', 'inFront'] as const)(
  'a page with a nonce is not stored, and the log says once what to write: %s',
  async (way) => {
    const cache = startCache()
    const policy = "script-src 'nonce-AbC' 'strict-dynamic'"
    cache.serve(() => cacheable('page', { 'Content-Security-Policy': policy }))
    for (let count = 0; count < 3; count++) {
      const response = await cache[way](new Request(`${site}/`))
      expect(response?.headers.get('cache-status')).toContain('detail=nonce')
    }
    expect(cache.log).toHaveBeenCalledExactlyOnceWith(
      'Response cache: pages with a nonce in Content-Security-Policy are not stored',
      expect.objectContaining({ advice: expect.stringContaining('hashes') }),
    )
  },
)

it('a page for all gets the app’s bindings, and no connection of a visitor', async () => {
  const cache = startCache()
  const seen: unknown[] = []
  const app = async (_request: Request, ...rest: object[]) => {
    seen.push(rest)
    return cacheable('page')
  }
  const address = expect.stringMatching(/^2001:db8:/)
  const [node, worker, deno] = [
    { incoming: { socket: { remoteAddress: '203.0.113.9' } }, outgoing: {}, KEY: 1 },
    { KEY: 1 },
    { remoteAddr: { transport: 'tcp', hostname: '203.0.113.9', port: 1 } },
  ]
  const context = { waitUntil() {} }
  for (const env of [node, worker, deno]) {
    const inFront = cache.inFrontOf(app)
    const path = `${site}/${Object.keys(env)[0]}`
    for (let count = 0; count < 2; count++) await inFront(new Request(path), env, context)
  }
  expect(seen).toEqual([
    [node, context],
    [{ KEY: 1, incoming: { socket: { remoteAddress: address, remoteFamily: 'IPv6', remotePort: 0 } } }, context],
    [worker, context],
    [worker, context],
    [deno, context],
    [{ remoteAddr: { transport: 'tcp', hostname: address, port: 0 } }, context],
  ])
})

it.each([
  ['/who', '/who.data'],
  ['/', '/_root.data'],
  ['/who', '/who/_.data'],
  ['/who', '/who/__data.json'],
])('the page %s and its data %s are one for purges, by path and by an unsafe request to either', async (page, data) => {
  for (const target of [page, data, `${page}?index`, `${data}?_routes=a`]) {
    const cache = startCache()
    const versions = new Map([[page, 1]])
    cache.serve(({ url, method }) => {
      if (method === 'POST') versions.set(page, 2)
      return method === 'POST'
        ? new Response(null, { status: 204 })
        : cacheable(`${new URL(url).pathname} ${versions.get(page)}`)
    })
    for (const path of [page, data]) for (let count = 0; count < 3; count++) await visit(cache, path)
    expect((await visit(cache, data)).text).toBe(`${data} 1`)
    await visit(cache, target, {}, 'POST')
    for (const path of [page, data]) expect((await visit(cache, path)).text).toBe(`${path} 2`)
    versions.set(page, 3)
    await cache.invalidate([target.replace(/\?.*/, '')])
    for (const path of [page, data]) expect((await visit(cache, path)).text).toBe(`${path} 3`)
  }
  const cache = startCache()
  let version = 1
  cache.serve(({ method }) => (method === 'POST' ? new Response(null, { status: 204 }) : cacheable(`${version}`)))
  for (let count = 0; count < 2; count++) await visit(cache, page)
  version = 2
  await visit(cache, data, {}, 'POST')
  expect((await visit(cache, page)).text).toBe('2')
})
