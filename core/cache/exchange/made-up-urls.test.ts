import { describe, expect, it, vi } from 'vitest'
import { memoryStore } from '../index.js'
import { cacheable, rest, startCache } from '../testing/harness.js'

/** Starts a cache whose store holds some pages of 5,000 bytes, and which counts the URLs that it stores. */
function startSmall(options: Parameters<typeof startCache>[0] = {}) {
  const store = memoryStore({ maxBytes: 300_000 })
  const set = vi.spyOn(store, 'set')
  const cache = startCache({ store, ...options })
  cache.serve(({ url }) => cacheable(`${url} ${'x'.repeat(5_000)}`))
  const visit = async (url: string) => {
    const response = await cache.wrapped(new Request(url))
    return { body: (await response?.text())?.split(' ')[0], status: response?.headers.get('cache-status') ?? '' }
  }
  return { ...cache, visit, countStored: () => new Set(set.mock.calls.map(([key]) => key)).size }
}

describe('URLs that strangers make up', () => {
  it.each([
    ['by query parameters', (number: number) => `https://site.test/?x=${number}`],
    ['by the Host field', (number: number) => `https://h${number}.test/`],
    ['by both', (number: number) => `https://h${number}.test/?x=${number}&x`],
  ])('%s are stored no more than maxNewUrls a minute, and evict no page', async (_, urlOf) => {
    const cache = startSmall({ maxNewUrls: 5 })
    for (const page of ['a', 'b', 'c', 'd', 'e', 'f']) await cache.visit(`https://site.test/${page}`)
    for (let number = 0; number < 200; number++) {
      expect(await cache.visit(urlOf(number))).toMatchObject({ body: urlOf(number) })
    }
    expect(cache.countStored()).toBe(6 + 5)
    expect((await cache.visit(urlOf(200))).status).not.toContain('stored')
    for (const page of ['a', 'b', 'c', 'd', 'e', 'f']) {
      expect((await cache.visit(`https://site.test/${page}`)).status).toContain('hit')
    }
  })

  it('are rendered once for those who ask at the same time, also when they are not stored', async () => {
    const cache = startSmall({ maxNewUrls: 0 })
    cache.serve(async () => {
      await rest()
      return cacheable('page')
    })
    await Promise.all(Array.from({ length: 20 }, () => cache.get('/?x=1')))
    expect(cache.asked).toHaveLength(1)
    expect(cache.countStored()).toBe(0)
  })

  it('are no pages of which it is remembered that they are for all, unless they are stored', async () => {
    const cache = startCache({ maxNewUrls: 1 })
    for (const path of ['/?x=1', '/?x=2']) await cache.get(path)
    cache.asked.length = 0
    cache.pass(9_999)
    for (const path of ['/?x=1', '/?x=2']) await cache.get(path, { cookie: 'a=1' })
    expect(cache.asked.map(({ headers }) => headers.get('cookie'))).toEqual([null, 'a=1'])
  })

  it('do not keep the page without a query from being stored', async () => {
    const cache = startSmall({ maxNewUrls: 5 })
    for (let number = 0; number < 20; number++) await cache.visit(`https://site.test/?x=${number}`)
    expect((await cache.visit('https://site.test/')).status).toContain('stored')
    expect((await cache.visit('https://site.test/')).status).toContain('hit')
  })

  it('that were stored once are stored again, whenever they expire or are purged', async () => {
    const cache = startCache({ maxNewUrls: 3 })
    for (let round = 0; round < 3; round++) {
      for (const x of [1, 2, 3]) expect((await cache.get(`/?x=${x}`)).cacheStatus).toContain('stored')
      expect((await cache.get('/?x=4')).cacheStatus).not.toContain('stored')
      cache.pass(100)
    }
    await cache.invalidate(['document'])
    for (const x of [1, 2, 3]) expect((await cache.get(`/?x=${x}`)).cacheStatus).toContain('stored')
  })

  it('are stored a minute later, and those of many paths at once', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const cache = startCache({ maxNewUrls: 1 })
      expect((await cache.get('/?x=1')).cacheStatus).toContain('stored')
      expect((await cache.get('/?x=2')).cacheStatus).not.toContain('stored')
      vi.advanceTimersByTime(60_000)
      expect((await cache.get('/?x=2')).cacheStatus).toContain('stored')
    } finally {
      vi.useRealTimers()
    }
    const usual = startCache()
    for (let page = 0; page < 500; page++) expect((await usual.get(`/${page}`)).cacheStatus).toContain('stored')
  })
})

describe('hosts', () => {
  it.each([
    ['a list', ['site.test', 'localhost:3000']],
    ['a function', (host: string) => host === 'site.test' || host === 'localhost:3000'],
  ])('by %s: pages of others are passed on, and neither stored nor reused', async (_, hosts) => {
    const cache = startSmall({ hosts })
    for (const url of ['https://site.test/', 'http://localhost:3000/?a']) {
      await cache.visit(url)
      expect((await cache.visit(url)).status).toContain('hit')
    }
    const stored = cache.countStored()
    for (const host of ['other.test', 'site.test:81', 'localhost', 'xsite.test', 'site.test.other.test']) {
      for (let visit = 0; visit < 2; visit++) {
        expect(await cache.visit(`https://${host}/`)).toEqual({
          body: `https://${host}/`,
          status: 'sitewright; fwd=bypass; fwd-status=200; detail=unknown-host',
        })
      }
    }
    expect(cache.countStored()).toBe(stored)
  })

  it('are the same in any case, and with the port of their scheme', async () => {
    const cache = startSmall({ hosts: ['WWW.site.test', 'site.test:443', '[::1]:80'] })
    for (const url of ['https://www.site.test/', 'https://site.test/', 'http://[::1]/']) {
      await cache.visit(url)
      expect((await cache.visit(url)).status, url).toContain('hit')
    }
    for (const host of ['site.test:8443', 'site.test:4430']) {
      expect((await cache.visit(`https://${host}/`)).status, host).toContain('unknown-host')
    }
  })

  it('count one by one: each has its own pages', async () => {
    const cache = startSmall({ hosts: ['a.test', 'b.test'], maxNewUrls: 1 })
    for (const host of ['a.test', 'b.test']) {
      expect((await cache.visit(`https://${host}/`)).status).toContain('stored')
    }
  })
})

describe('queryParameters', () => {
  it('that are not listed reach neither key nor handler, so that no page can say them to others', async () => {
    const cache = startSmall({ queryParameters: ['page', 'filter[]', 'f_*'] })
    const pages: [string, string][] = [
      ['?x=1', ''],
      ['?page=2&x=<script>', '?page=2'],
      ['?x=1&page=2&y', '?page=2'],
      ['?filter%5B%5D=a&x', '?filter%5B%5D=a'],
      ['?f_color=red&utm_source=x', '?f_color=red'],
      ['?pages=2', ''],
      ['?%', ''],
      ['?%E0%A4%A=1&&', ''],
    ]
    for (const [query, kept] of pages) {
      expect((await cache.visit(`https://site.test/${query}`)).body).toBe(`https://site.test/${kept}`)
    }
    const stored = cache.countStored()
    for (let number = 0; number < 100; number++) await cache.visit(`https://site.test/?page=2&x=${number}`)
    expect(cache.countStored()).toBe(stored)
  })

  it('by a function, which gets their decoded names', async () => {
    const names: string[] = []
    const cache = startSmall({ queryParameters: (name) => names.push(name) > 0 && name === 'a b' })
    expect((await cache.visit('https://site.test/?a+b=1&a%20b=2&c=3')).body).toBe('https://site.test/?a+b=1&a%20b=2')
    expect(names).toEqual(['a b', 'a b', 'c'])
  })

  it('list what ignoreQuery would remove by default', async () => {
    const cache = startSmall({ queryParameters: ['gclid'] })
    expect((await cache.visit('https://site.test/?gclid=1')).body).toBe('https://site.test/?gclid=1')
  })

  it.each([
    [{ queryParameters: 'none' }, /^queryParameters: expected/],
    [{ queryParameters: ['*'] }, /^queryParameters: expected/],
    [{ hosts: ['site.test', 'https://site.test'] }, /^hosts\[1\]: expected a host, .*, got 'https:\/\/site\.test'$/],
    [{ hosts: 'site.test' }, /^hosts: expected/],
    [{ hosts: ['site.test/'] }, /^hosts\[0\]: expected/],
    [{ hosts: [1] }, /^hosts\[0\]: expected/],
    [{ hosts: [':443'] }, /^hosts\[0\]: expected/],
    [{ maxNewUrls: -1 }, /^maxNewUrls: expected/],
  ])('%j is refused', (wrong, message) => expect(() => startCache(wrong as never)).toThrow(message))
})

describe('what a request says of its URL in fields of proxies', () => {
  const linkTo = ({ url, headers }: Request) =>
    cacheable(`${headers.get('x-forwarded-host') ?? new URL(url).host}${headers.get('x-forwarded-prefix') ?? ''}`)
  const evil = { 'x-forwarded-host': 'evil.test', 'x-forwarded-prefix': '/evil#' }

  it.each([
    ['a cold page', async () => {}],
    ['an expired page', (cache) => cache.pass(61)],
    ['a purged page', (cache) => cache.invalidate(['document'])],
    ['a softly purged page', (cache) => cache.invalidate(['document'], { mode: 'soft' })],
    ['a page after a POST', (cache) => cache.get('/', {}, { method: 'POST' })],
  ] as [string, (cache: ReturnType<typeof startCache>) => unknown][])(
    'is part of no other’s page: %s',
    async (_, change) => {
      const cache = startCache()
      cache.serve(linkTo)
      for (const warm of _ === 'a cold page' ? [] : [1, 2]) expect(await cache.get('/'), `${warm}`).toBeDefined()
      await change(cache)
      expect(await cache.get('/', evil)).toMatchObject({ body: 'evil.test/evil#' })
      await rest()
      expect(await cache.get('/')).toMatchObject({ body: 'site.test' })
      expect(await cache.get('/')).toMatchObject({ body: 'site.test', cacheStatus: expect.stringContaining('hit') })
      expect(await cache.get('/', evil)).toMatchObject({ body: 'evil.test/evil#' })
      expect(cache.asked.filter(({ url }) => url.includes('#'))).toEqual([])
    },
  )

  it('fills no store, and pushes out neither the page nor what a proxy says of it', async () => {
    const cache = startCache({ maxVariants: 5, maxNewUrls: 1 })
    const set = vi.spyOn(cache.store, 'set')
    const deleted = vi.spyOn(cache.store, 'delete')
    const proxy = { 'x-forwarded-proto': 'https' }
    for (const fields of [{}, proxy]) await cache.get('/', fields)
    const names = ['x-forwarded-host', 'x-forwarded-prefix', 'x-original-url', 'x-host']
    for (let number = 0; number < 100; number++) {
      for (const name of names) await cache.get('/', { ...proxy, [name]: `/${number}` })
    }
    const stored = new Set(set.mock.calls.map(([key]) => key))
    for (const [key] of deleted.mock.calls) stored.delete(key)
    expect(stored.size).toBe(1 + 5)
    for (const fields of [{}, proxy]) {
      expect(await cache.get('/', fields)).toMatchObject({ cacheStatus: expect.stringContaining('hit') })
    }
  })

  it('fills no store with records of what the page varies by', async () => {
    const cache = startCache({ maxVariants: 5 })
    const set = vi.spyOn(cache.store, 'set')
    const deleted = vi.spyOn(cache.store, 'delete')
    cache.serve(() => cacheable('page', { Vary: 'Accept-Language' }))
    const proxy = { 'x-forwarded-proto': 'https' }
    for (const fields of [{}, proxy]) await cache.get('/', fields)
    for (let number = 0; number < 100; number++) await cache.get('/', { ...proxy, 'x-forwarded-prefix': `/${number}` })
    const stored = new Set(set.mock.calls.map(([key]) => key))
    for (const [key] of deleted.mock.calls) stored.delete(key)
    expect(stored.size).toBeLessThanOrEqual(1 + 5 + 5)
    for (const fields of [{}, proxy]) {
      expect(await cache.get('/', fields)).toMatchObject({ cacheStatus: expect.stringContaining('hit') })
    }
  })

  it.each([
    ['forwarded', 'for=203.0.113.9;host=evil.test;proto=https'],
    ['cf-visitor', '{"scheme":"http"}'],
    ['cloudfront-forwarded-proto', 'http'],
    ['x-forwarded-hostname', 'evil.test'],
    ['x-forwarded-ssl', 'on'],
    ['x-forwarded-uri', '/evil'],
    ['x-script-name', '/evil'],
    ['x-url-scheme', 'javascript'],
  ])('is part of no other’s page, in whichever field: %s', async (name, value) => {
    const cache = startCache()
    cache.serve(({ headers }) => cacheable(headers.get(name) ?? 'none'))
    expect(await cache.get('/', { [name]: value })).toMatchObject({ body: value })
    expect(await cache.get('/')).toMatchObject({ body: 'none' })
  })

  it('in Forwarded is one URL for all clients, and a render for all keeps it', async () => {
    const cache = startCache()
    cache.serve(({ headers }) => cacheable(headers.get('forwarded')))
    const ask = (forwarded: string) => cache.get('/', { forwarded, cookie: 'a=1' })
    await ask('for=203.0.113.9;proto=https;host=site.test')
    for (const client of ['for=_a', 'For="[2001:db8::9]:80" ; by=10.0.0.1']) {
      expect((await ask(`${client};proto=https;host=site.test`)).cacheStatus, client).toContain('hit')
    }
    for (const client of ['for="x;host=evil.test"', 'for=a/b', 'for=']) {
      expect((await ask(`${client};proto=https;host=site.test`)).cacheStatus, client).toContain('fwd=')
    }
    cache.pass(61)
    const { body } = await ask('for=203.0.113.9;proto=https;host=site.test')
    expect(body).toBe('for=192.0.2.1;proto=https;host=site.test')
  })

  it('in Forwarded is another for a handler that reads the first element, or the last', async () => {
    const cache = startCache()
    cache.serve(({ headers }) => cacheable(headers.get('forwarded')))
    for (const forwarded of [
      'for=203.0.113.9;proto=https',
      'for=203.0.113.9, for=203.0.113.9;proto=https',
      'for=203.0.113.9;proto=https, for=203.0.113.9',
      'for=203.0.113.9, for=203.0.113.9, proto=https',
      'proto=http, for=203.0.113.9;proto=https',
      'proto=http;proto=https',
    ]) {
      expect((await cache.get('/', { forwarded })).body).toBe(forwarded)
    }
    for (const forwarded of ['for=203.0.113.9', 'for=203.0.113.9, for=_a', 'for=_a,for=_b,for=_c']) {
      expect((await cache.get('/', { forwarded })).body).toBe('for=203.0.113.9')
    }
  })

  it('is held against the hosts of the site', async () => {
    const cache = startCache({ hosts: ['site.test', 'www.site.test'] })
    cache.serve(linkTo)
    const ask = (host: string) => cache.get('/', { 'x-forwarded-host': host })
    for (const host of ['evil.test', 'site.test, evil.test', 'site.test:81', '']) {
      expect((await ask(host)).cacheStatus, host).toContain('detail=unknown-host')
    }
    for (const [forwarded, detail] of [
      ['for=_a;host=evil.test', 'unknown-host'],
      ['host="www.site.test";proto=https, host=evil.test', 'unknown-host'],
      ['Host="WWW.site.test";proto=https, for=_a;host=site.test', 'stored'],
    ] as const) {
      expect((await cache.get('/', { forwarded })).cacheStatus, forwarded).toContain(detail)
    }
    for (const host of ['WWW.site.test', 'www.site.test, site.test', 'site.test:443', 'www.site.test:80']) {
      expect((await ask(host)).cacheStatus, host).toContain('stored')
      expect((await ask(host)).cacheStatus, host).toContain('hit')
    }
  })

  it('is purged by a POST with the same, and by one of its own', async () => {
    const behindProxy = { 'x-forwarded-host': 'www.site.test', 'x-forwarded-proto': 'https' }
    const cache = startCache()
    for (const posted of [behindProxy, {}]) {
      for (const headers of [behindProxy, {}]) await cache.get('/', headers)
      await cache.get('/', posted, { method: 'POST' })
      expect((await cache.get('/', behindProxy)).cacheStatus).toContain('fwd=')
    }
  })

  it.each(['', 'Accept-Language'])(
    'is purged by a POST without it, also when the page itself is not stored: Vary: %s',
    async (vary) => {
      const cache = startCache()
      cache.serve(() => cacheable('page', vary ? { Vary: vary } : {}))
      for (const [stored, posted] of [
        [{ 'x-forwarded-proto': 'https' }, {}],
        [{ 'x-forwarded-proto': 'https' }, { 'x-forwarded-proto': 'http' }],
        [{}, { 'x-forwarded-proto': 'https' }],
      ] as const) {
        await cache.get('/', stored)
        expect((await cache.get('/', stored)).cacheStatus).toContain('hit')
        await cache.get('/', posted, { method: 'POST' })
        expect((await cache.get('/', stored)).cacheStatus).toContain('fwd=')
      }
    },
  )
})
