import { describe, expect, it } from 'vitest'
import { cacheable, deferred, rest, startCache } from '../../testing/harness.js'

const firstVisit = {
  accept: 'text/html',
  'accept-language': 'de',
  'user-agent': 'Browser/1',
  referer: 'https://site.test/?token=1',
  'sec-purpose': 'prefetch',
}
const browser = { ...firstVisit, cookie: 'session=1' }
const onError = 's-maxage=60, stale-if-error=600'

/** Starts a cache with a page that was for all, and is out of date now: what its handler was asked, it was asked after that. */
async function startKnown(lifetime = 's-maxage=60', vary = '', proxy: Record<string, string> = {}) {
  const cache = startCache()
  cache.serve(() => cacheable('old', { 'Cache-Control': lifetime, ...(vary && { Vary: vary }) }))
  await cache.get('/', { ...browser, ...proxy })
  cache.pass(61)
  cache.asked.length = 0
  return cache
}

type Known = Awaited<ReturnType<typeof startKnown>>

const fieldsOf = (request: Request | undefined) => Object.fromEntries(request?.headers ?? [])

describe('a page that was for all', () => {
  it('is rendered without what tells visitors apart, and with what proxies add', async () => {
    const cache = await startKnown(undefined, undefined, { 'x-forwarded-proto': 'https' })
    cache.serve(() => cacheable('new'))
    const response = await cache.get('/', { ...browser, 'x-tenant': 'a', 'x-forwarded-proto': 'https' })
    expect(response).toMatchObject({ body: 'new', cacheStatus: 'sitewright; fwd=uri-miss; fwd-status=200; stored' })
    expect(cache.asked.map(fieldsOf)).toEqual([
      {
        accept: 'text/html',
        host: 'site.test',
        'user-agent': 'sitewright',
        'x-forwarded-proto': 'https',
        'x-tenant': 'a',
      },
    ])
  })

  it.each(['hard', 'soft'] as const)(
    'is known to be so by a process that has just started, from the store, after a %s purge',
    async (mode) => {
      const { store, tagIndex, get, invalidate } = startCache()
      await get('/', browser)
      await invalidate(['document'], { mode })
      const started = startCache({ store, tagIndex })
      await started.get('/', browser)
      await rest()
      expect(started.asked.map(({ headers }) => headers.get('cookie'))).toEqual([null])
    },
  )

  it('is known to be so by a process that has never rendered it, when it is stored no more', async () => {
    const { store, tagIndex, get, pass } = startCache()
    await get('/', browser)
    const started = startCache({ store, tagIndex })
    await started.get('/', browser)
    pass(9_999)
    await started.get('/', browser)
    expect(started.asked.map(({ headers }) => headers.get('cookie'))).toEqual([null])
  })

  it('is rendered with an address of nobody in place of that of the client', async () => {
    const proxy = { 'cf-visitor': '{}', 'x-forwarded-host': 'site.test', 'x-forwarded-port': '443' }
    const cache = await startKnown(undefined, undefined, {
      ...proxy,
      forwarded: 'for=203.0.113.8;proto=http, for=10.0.0.1',
    })
    const address = {
      'x-forwarded-for': '203.0.113.9, 10.0.0.1',
      forwarded: 'for="[2001:db8::9]:80";proto=http, for=10.0.0.1',
      'x-real-ip': '203.0.113.9',
      'cf-connecting-ip': '203.0.113.9',
      'cf-connecting-ipv6': '2001:db8::9',
      'cf-ipcountry': 'DE',
      traceparent: '00-1-1-00',
      'x-request-id': '1',
    }
    const nobody = {
      'x-forwarded-for': '192.0.2.1',
      forwarded: 'for=192.0.2.1;proto=http, for=192.0.2.1',
      'x-real-ip': '192.0.2.1',
      'cf-connecting-ip': '192.0.2.1',
      'cf-connecting-ipv6': '2001:db8::1',
    }
    await cache.get('/', { ...browser, ...address, ...proxy })
    expect(fieldsOf(cache.asked[0])).toEqual({
      accept: 'text/html',
      host: 'site.test',
      'user-agent': 'sitewright',
      ...nobody,
      ...proxy,
    })
  })

  it('does not become what the handler keeps for clients without an address', async () => {
    const cache = startCache()
    cache.serve(({ headers }) =>
      cacheable((headers.get('x-forwarded-for') ?? '127.0.0.1') === '127.0.0.1' ? 'internal' : 'page'),
    )
    for (let visit = 0; visit < 5; visit++) {
      expect((await cache.get('/', { 'x-forwarded-for': '203.0.113.9' })).body).toBe('page')
      cache.pass(61)
    }
  })

  it('is rendered with the fields that it varies by', async () => {
    const cache = await startKnown('s-maxage=60', 'Accept-Language, User-Agent')
    await cache.get('/', browser)
    expect(fieldsOf(cache.asked[0])).toEqual({
      accept: 'text/html',
      host: 'site.test',
      'accept-language': 'de',
      'user-agent': 'Browser/1',
    })
  })

  it.each([
    ['a POST', (cache: Known) => cache.get('/', {}, { method: 'POST' })],
    ['a long silence', async (cache: Known) => cache.pass(1_000)],
  ])('is rendered so after %s, too, when nothing of it is stored any more', async (_, wait) => {
    const cache = await startKnown('s-maxage=60', 'Accept-Encoding')
    await wait(cache)
    cache.asked.length = 0
    await cache.get('/', { ...browser, 'accept-encoding': 'br' })
    expect(cache.asked.map((request) => fieldsOf(request)).map(({ cookie }) => cookie)).toEqual([undefined])
    expect(fieldsOf(cache.asked[0])).toMatchObject({ 'accept-encoding': 'br', 'user-agent': 'sitewright' })
  })

  it.each([
    ['a POST', (cache: Known) => cache.get('/', {}, { method: 'POST' })],
    ['a long silence', async (cache: Known) => cache.pass(1_000)],
  ])('and varies does so after %s, too, although a handler does not say so of every variant', async (_, wait) => {
    const cache = await startKnown('s-maxage=60', 'Accept-Language')
    await wait(cache)
    cache.serve(({ headers }) => {
      const language = headers.get('accept-language') ?? ''
      return language === 'xx' ? cacheable('fallback') : cacheable(language, { Vary: 'Accept-Language' })
    })
    const bodies: string[] = []
    for (const language of ['xx', 'de', 'en', 'xx', 'de']) {
      bodies.push((await cache.get('/', { 'accept-language': language })).body)
    }
    expect(bodies).toEqual(['fallback', 'de', 'en', 'fallback', 'de'])
    expect(cache.asked.filter(({ method }) => method === 'GET')).toHaveLength(3)
  })

  describe.each([
    ['while what it varies by is stored', 61],
    ['after a long silence', 1_000],
  ])('%s', (_, silence) => {
    it.each([
      ['answers 404', () => new Response('none', { status: 404 })],
      ['answers 500', () => new Response('odd', { status: 500 })],
      ['throws', () => Promise.reject(new Error('odd'))],
    ])('is rendered so although the handler %s for a field that it varies by', async (_, answer) => {
      const cache = await startKnown('s-maxage=60', 'Accept-Language')
      cache.pass(silence)
      cache.serve(({ headers }) => (headers.get('accept-language') === 'zz' ? answer() : cacheable('new')))
      await cache.get('/', { ...browser, 'accept-language': 'zz' }).catch(() => {})
      cache.asked.length = 0
      await cache.get('/', browser)
      expect(cache.asked.map(fieldsOf)).toMatchObject([{ 'accept-language': 'de', 'user-agent': 'sitewright' }])
    })
  })

  it('answers 304 to the one who came first, if he has it already', async () => {
    const cache = await startKnown()
    cache.serve(() => cacheable('new', { ETag: '"1"' }))
    expect((await cache.get('/', { ...browser, 'if-none-match': '"1"' })).status).toBe(304)
    expect((await cache.get()).body).toBe('new')
  })

  it.each(['min-fresh=9999', 'max-age=0'])(
    'is rendered so once for all who ask for a fresh one by %s, although one without a cookie came first',
    async (cacheControl) => {
      const cache = startCache({ honorRequestCacheControl: true })
      await cache.get()
      cache.serve(({ headers }) => (headers.has('cookie') ? new Promise(() => {}) : cacheable('new')))
      const fresh = { 'cache-control': cacheControl }
      const visitors = [fresh, { ...browser, ...fresh }, { cookie: 'session=2', ...fresh }]
      const responses = await Promise.all(visitors.map((fields) => cache.get('/', fields)))
      expect(responses.map(({ body }) => body)).toEqual(['new', 'new', 'new'])
      expect(cache.asked).toHaveLength(2)
    },
  )

  it('is rendered so for the one who came first with another variant than that of which a render is in flight', async () => {
    const cache = await startKnown('s-maxage=60', 'Accept-Encoding')
    await cache.get('/', {}, { method: 'POST' })
    cache.asked.length = 0
    const visitors = ['br', 'gzip'].map((encoding) => ({ cookie: encoding, 'accept-encoding': encoding }))
    await Promise.all(visitors.map((fields) => cache.get('/', fields)))
    expect(cache.asked.map(fieldsOf)).toMatchObject([{ 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip' }])
    expect(cache.asked.map(({ headers }) => headers.get('cookie'))).toEqual([null, null])
  })

  it.each(['cache-control', 'authorization'])('is rendered so for a client with %s, too', async (name) => {
    const cache = startCache({ honorRequestCacheControl: true })
    await cache.get()
    cache.pass(61)
    const fields = { ...browser, [name]: 'no-cache' }
    expect((await cache.get('/', fields)).body).toBe('1')
    expect(fieldsOf(cache.asked[1])).toEqual({ accept: 'text/html', host: 'site.test', 'user-agent': 'sitewright' })
  })

  it.each([
    ['is not for them', 'max-age=60', 'own', 3],
    ['is for them', 'public, max-age=60', 'page', 1],
  ])('and that says that it %s is got by nobody else with Authorization', async (_, lifetime, body, times) => {
    const cache = await startKnown(lifetime)
    cache.serve(({ headers }) =>
      cacheable(headers.has('authorization') ? 'own' : 'page', { 'Cache-Control': lifetime }),
    )
    for (let visit = 0; visit < 2; visit++) {
      expect((await cache.get('/', { authorization: 'Bearer x' })).body).toBe(body)
      await rest()
    }
    expect((await cache.get()).body).toBe('page')
    expect(cache.asked).toHaveLength(times)
  })

  it.each([
    ['is private', () => new Response('mine', { headers: { 'Cache-Control': 'private' } })],
    ['answers 403', () => new Response('no', { status: 403 })],
    ['answers 500', () => new Response('no', { status: 500 })],
    ['answers 504', () => new Response('no', { status: 504 })],
    ['hangs', () => new Promise<Response>(() => {})],
    ['throws', () => Promise.reject(new Error('odd'))],
  ] as const)('is got by all, also by a client whose fields lead to something that %s', async (_, answer) => {
    for (const [name, value] of Object.entries(browser)) {
      if (name === 'accept') continue
      const cache = await startKnown()
      cache.serve((request) => (request.headers.get(name) === value ? answer() : cacheable('new')))
      const responses = await Promise.all([cache.get('/', browser), cache.get('/', browser), cache.get()])
      expect(responses.map(({ body }) => body)).toEqual(['new', 'new', 'new'])
      expect(cache.asked).toHaveLength(1)
    }
  })

  it.each(['public, max-age=1, stale-while-revalidate=600', 'public, s-maxage=600'])(
    'is replaced after a soft purge with %s, whatever malformed field the one has who comes first',
    async (lifetime) => {
      const cache = startCache()
      cache.serve(() => cacheable('old', { 'Cache-Control': lifetime }))
      await cache.get()
      await cache.invalidate(['document'], { mode: 'soft' })
      cache.serve(({ headers }) => {
        new Intl.DateTimeFormat(headers.get('accept-language') ?? 'en')
        return cacheable('new')
      })
      await cache.get('/', { 'accept-language': '!!' })
      await rest()
      expect((await cache.get()).body).toBe('new')
    },
  )

  it.each(['s-maxage=60', 's-maxage=60, stale-while-revalidate=10'])(
    'is rendered with %s for those who have a cookie, although the handler hangs for a field of another client',
    async (lifetime) => {
      const cache = await startKnown(lifetime)
      cache.pass(61)
      cache.serve(({ headers }) => (headers.has('x-theme') ? new Promise(() => {}) : cacheable('new')))
      void cache.get('/', { 'x-theme': 'odd' })
      await rest()
      const visitors = [browser, { cookie: 'session=2' }, {}]
      const responses = await Promise.all(visitors.map((fields) => cache.get('/', fields)))
      expect(responses.map(({ body }) => body)).toEqual(['new', 'new', 'new'])
      expect(cache.asked).toHaveLength(2)
    },
  )

  it('is rendered for all with the same field that it varies by, although the handler hangs for another one', async () => {
    const cache = await startKnown('s-maxage=60', 'HX-Request')
    const script = { 'hx-request': 'true' }
    cache.serve(({ headers }) =>
      headers.has('x-theme') ? new Promise(() => {}) : cacheable('new', { Vary: 'HX-Request' }),
    )
    void cache.get('/', { ...script, 'x-theme': 'odd' })
    await rest()
    expect((await cache.get('/', { ...script, cookie: 'session=1' })).body).toBe('new')
  })

  it.each(['hx-request', 'x-requested-with'])('is rendered without %s, which scripts send', async (name) => {
    const cache = await startKnown()
    cache.serve(({ headers }) => cacheable(headers.has(name) ? 'fragment' : 'new'))
    expect((await cache.get('/', { [name]: 'true' })).body).toBe('new')
    expect((await cache.get()).body).toBe('new')
  })

  it('is refreshed although a client with an unusual field makes the handler hang for many others', async () => {
    const cache = startCache()
    const paths = Array.from({ length: 60 }, (_, index) => `/${index}`)
    for (const path of ['/', ...paths]) await cache.get(path)
    await cache.invalidate(['document'], { mode: 'soft' })
    cache.serve(({ headers }) => (headers.has('x-theme') ? new Promise(() => {}) : cacheable('new')))
    for (const path of paths) await cache.get(path, { 'x-theme': 'odd' })
    await cache.get()
    await rest()
    expect((await cache.get()).body).toBe('new')
  })

  describe('and now wants a cookie', () => {
    const login = () => new Response(null, { status: 302, headers: { Location: '/login' } })
    it.each([
      ['redirects to a login', login],
      ['answers 500', () => new Response('no session', { status: 500 })],
      ['sets one', () => cacheable('first visit', { 'Set-Cookie': 'session=2' })],
      ['throws', () => Promise.reject(new Error('no session'))],
    ])('%s without: those who have it get theirs', async (_, answer) => {
      const cache = await startKnown()
      const personal = new Response('mine', { headers: { 'Cache-Control': 'private' } })
      cache.serve(({ headers }) => (headers.has('cookie') ? personal.clone() : answer()))
      expect((await cache.get('/', browser)).body).toBe('mine')
      expect(cache.asked).toHaveLength(2)
      // Lately it was in vain.
      expect((await cache.get('/', browser)).body).toBe('mine')
      expect(cache.asked).toHaveLength(3)
    })

    it('is for those alone who have the cookie that it varies by from now on', async () => {
      const cache = await startKnown()
      cache.serve(({ headers }) => cacheable(`for ${headers.get('cookie')}`, { Vary: 'Cookie' }))
      const visitors = ['session=1', 'session=2', 'session=1']
      const responses = await Promise.all(visitors.map((cookie) => cache.get('/', { cookie })))
      expect(responses.map(({ body }) => body)).toEqual(visitors.map((cookie) => `for ${cookie}`))
    })

    it.each([403, 404])('does not replace it by what others get, a %i', async (status) => {
      const cache = await startKnown()
      cache.serve(({ headers }) => (headers.has('cookie') ? cacheable('mine') : new Response('none', { status })))
      expect((await cache.get('/', browser)).body).toBe('mine')
    })
  })

  it.each<[string, Record<string, string>, string, number]>([
    ['without a cookie, who gets it', {}, '', 1],
    ['with an address, who gets his own', { 'x-forwarded-for': '203.0.113.9' }, '', 2],
    ['without a cookie, who gets his own if it may not be stored', {}, 'no-store', 2],
    ['with one, who gets his own', { cookie: 'session=1' }, '', 2],
    ['without a cookie, who gets his own if it is private', {}, 'private', 2],
  ])('and has no lifetime any more is asked for by a client %s', async (_, fields, cacheControl, times) => {
    const cache = await startKnown()
    const headers = { 'Cache-Control': cacheControl }
    cache.serve(() => new Response('new', { headers }))
    expect((await cache.get('/', { ...firstVisit, ...fields })).body).toBe('new')
    expect(cache.asked).toHaveLength(times)
  })

  it.each([404, 410])(
    'gives no visitor what his address keeps from him, after a %i for all was due to one',
    async (status) => {
      const cache = startCache()
      cache.serve(({ headers }) =>
        (headers.get('x-forwarded-for') ?? '127.0.0.1') === '127.0.0.1'
          ? new Response('internal', { headers: { 'Cache-Control': 'no-store' } })
          : cacheable('none', {}, status),
      )
      for (let visit = 0; visit < 5; visit++) {
        expect((await cache.get('/', { 'x-forwarded-for': '203.0.113.9' })).body).toBe('none')
      }
    },
  )

  it.each([
    ['answers 503', () => new Response('down', { status: 503 })],
    ['answers 500', () => new Response('down', { status: 500 })],
  ])(
    'is got by all after an outage in which the handler %s, whatever a field of a client leads to',
    async (_, down) => {
      const cache = await startKnown()
      cache.serve(down)
      for (let visit = 0; visit < 5; visit++) await cache.get('/', browser)
      await new Promise((resolve) => setTimeout(resolve, 1_010))
      cache.serve(({ headers }) => (headers.get('accept-language') === 'xx' ? new Promise(() => {}) : cacheable('new')))
      for (let count = 0; count < 5; count++) void cache.get('/', { 'accept-language': 'xx' })
      expect((await cache.get('/', browser)).body).toBe('new')
    },
  )

  it.each([
    ['503', () => new Response('down', { status: 503 })],
    ['500', () => new Response('down', { status: 500 })],
    ['an exception', new Error('down')],
  ])('does not become what the first visitor gets who comes after %s', async (_, down) => {
    const cache = await startKnown()
    cache.serve(down)
    await cache.get('/', browser).catch(() => {})
    cache.serve(({ headers }) => cacheable(headers.has('accept-language') ? 'odd' : 'new'))
    await cache.get('/', { 'accept-language': 'xx' })
    await new Promise((resolve) => setTimeout(resolve, 1_010))
    for (let visit = 0; visit < 3; visit++) expect((await cache.get('/', browser)).body).toBe('new')
  })

  it('is stored as visitors get it when the handler fails without one of their fields, again and again', async () => {
    const cache = startCache()
    cache.serve(({ headers }) => cacheable((headers.get('accept-language') as string).split(',')[0] as string))
    for (let visit = 0; visit < 4; visit++) {
      await cache.get('/', browser)
      cache.pass(61)
      await new Promise((resolve) => setTimeout(resolve, 1_010))
    }
    for (let visit = 0; visit < 3; visit++) await cache.get('/', browser)
    expect((await cache.get('/', browser)).cacheStatus).toContain('hit')
  })

  it('is not rendered with the fields of a visitor because another one has left', async () => {
    const cache = await startKnown()
    cache.serve(async (request) => {
      await rest()
      return cacheable(request.headers.has('cookie') ? 'mine' : 'new')
    })
    for (let visit = 0; visit < 20; visit++) {
      const client = new AbortController()
      const left = cache.get('/', { 'x-odd': '1' }, { signal: client.signal }).catch(() => {})
      client.abort()
      await left
    }
    expect((await cache.get('/', browser)).body).toBe('new')
  })

  it('stays while the handler fails, which is asked once', async () => {
    const cache = await startKnown(onError)
    cache.serve(new Error('down'))
    const visitors = ['a=1', 'b=2', 'c=3']
    for (const cookie of visitors) expect((await cache.get('/', { cookie })).body).toBe('old')
    expect(cache.asked).toHaveLength(1)
  })

  it('gives the one who came first the whole error of a service that is unavailable', async () => {
    const cache = await startKnown()
    cache.serve(() => new Response('back soon', { status: 503, headers: { 'Retry-After': '5' } }))
    const [first, second] = await Promise.all([
      cache.get('/', browser),
      cache.get('/', { ...browser, cookie: 'other=1' }),
    ])
    expect(first).toMatchObject({ status: 503, body: 'back soon' })
    expect(second?.status).toBe(503)
    expect(cache.asked).toHaveLength(1)
  })

  it('is rendered to its end for those who wait, when the one who came first leaves', async () => {
    const cache = await startKnown()
    const turn = deferred()
    cache.serve(() => turn.promise.then(() => cacheable('new')))
    const leave = new AbortController()
    const left = cache.get('/', browser, { signal: leave.signal })
    const other = cache.get()
    leave.abort()
    await expect(left).rejects.toThrow()
    turn.resolve()
    expect((await other).body).toBe('new')
    expect(cache.asked).toHaveLength(1)
  })
})

describe('a page of which nothing is known', () => {
  it('does not become a 404 for all, to which the lack of a field led', async () => {
    const cache = startCache()
    cache.serve(({ headers }) => (headers.has('user-agent') ? cacheable('page') : cacheable('no bots', {}, 404)))
    expect((await cache.get()).status).toBe(404)
    expect((await cache.get('/', browser)).body).toBe('page')
  })

  it.each([{ 'accept-language': 'xx' }, { 'user-agent': 'bot' }, { 'x-request-id': 'odd' }, { cookie: 'odd=1' }])(
    'does not become a 404 for all, to which a field of the first client led: %o',
    async (odd) => {
      const cache = startCache()
      const [[name, value]] = Object.entries(odd) as [[string, string]]
      cache.serve(({ headers }) =>
        headers.get(name) === value ? cacheable('none', {}, 404) : cacheable('page', { Vary: 'Accept-Language' }),
      )
      expect((await cache.get('/', odd)).status).toBe(404)
      expect((await cache.get('/', browser)).body).toBe('page')
      expect((await cache.get('/', odd)).status).toBe(name === 'accept-language' ? 404 : 200)
      expect((await cache.get('/', browser)).body).toBe('page')
    },
  )

  it('and that is missing for all is asked for once more, without the fields of a client', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('none', {}, 404))
    for (let visit = 0; visit < 4; visit++) expect((await cache.get('/', browser)).status).toBe(404)
    expect(cache.asked.map(({ headers }) => headers.get('user-agent'))).toEqual(['Browser/1', 'sitewright'])
  })

  it('is rendered for the one who came first, who may send a token that counts once', async () => {
    const cache = startCache()
    let isUsed = false
    cache.serve(({ headers }) => {
      if (isUsed) return new Response('used', { status: 410 })
      isUsed = true
      return new Response(headers.get('cookie'), { headers: { 'Cache-Control': 'private' } })
    })
    expect((await cache.get('/?token=1', browser)).body).toBe('session=1')
    expect(cache.asked).toHaveLength(1)
  })

  it('does not wait for a client with a cookie, when one without comes', async () => {
    const cache = startCache()
    const slow = deferred()
    cache.serve(async ({ headers }) => {
      if (headers.has('cookie')) await slow.promise
      return cacheable('page')
    })
    const odd = [cache.get('/', { cookie: 'slow=1' }), cache.get('/', { cookie: 'slow=2' })]
    await rest()
    const ordinary = [cache.get(), cache.get('/', { 'user-agent': 'Browser/1' })]
    expect((await Promise.all(ordinary)).map(({ body }) => body)).toEqual(['page', 'page'])
    expect(cache.asked).toHaveLength(2)
    slow.resolve()
    expect((await Promise.all(odd)).map(({ body }) => body)).toEqual(['page', 'page'])
    expect(cache.asked).toHaveLength(2)
  })
})
