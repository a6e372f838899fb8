import { describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore } from './index.js'
import { cacheable, deferred, rest, startCache } from './testing/harness.js'

describe('storing (RFC 9111, section 3)', () => {
  it('a stored response keeps its status, text and headers, without hop-by-hop fields', async () => {
    const cache = startCache()
    const headers = {
      Connection: 'a, b',
      A: '1',
      B: '2',
      C: '3',
      Age: '5',
      'Proxy-Authenticate': 'x',
      'Content-Type': 'text/x',
    }
    cache.serve(() => cacheable('täxt', headers, 404))
    for (let visit = 0; visit < 2; visit++) await cache.get()
    const hit = await cache.get()
    expect([hit.status, hit.body, hit.headers.get('c'), hit.headers.get('content-type')]).toEqual([
      404,
      'täxt',
      '3',
      'text/x',
    ])
    for (const name of ['connection', 'a', 'b', 'proxy-authenticate']) expect(hit.headers.has(name)).toBe(false)
    expect([hit.headers.get('age'), hit.headers.get('content-length')]).toEqual(['5', '5'])
  })

  it('a stored response has no field that no-cache or private names', async () => {
    const cache = startCache()
    const control = 's-maxage=60, no-cache="a", private="b"'
    cache.serve(() => cacheable('', { 'Cache-Control': control, A: '1', B: '2', C: '3' }))
    expect((await cache.get()).headers.get('a')).toBe('1')
    const { headers, cacheStatus } = await cache.get()
    expect(cacheStatus).toContain('hit')
    expect(['a', 'b', 'c'].map((name) => headers.get(name))).toEqual([null, null, '3'])
  })

  it.each<[string, Record<string, string>, number]>([
    ['set-cookie', { 'Set-Cookie': 'a=b' }, 200],
    ['private', { 'Cache-Control': 'private, max-age=60' }, 200],
    ['private', { 'CDN-Cache-Control': 'max-age=60', 'Cache-Control': 'private' }, 200],
    ['no-store', { 'Cache-Control': 'No-Store, max-age=60' }, 200],
    ['no-store', { 'CDN-Cache-Control': 'max-age=60', 'Cache-Control': 'no-store' }, 200],
    ['no-store', { 'CDN-Cache-Control': 'no-store' }, 200],
    ['no-cache', { 'Cache-Control': 'no-cache, max-age=60' }, 200],
    ['vary-*', { Vary: '*' }, 200],
    ['vary-*', { Vary: 'a cookie' }, 200],
    ['vary-user-agent', { Vary: 'Cookie, Accept-Encoding, User-Agent' }, 200],
    ['no-lifetime', { 'Cache-Control': 'public' }, 200],
    ['no-lifetime', { 'Cache-Control': 'max-age=0', ETag: '"a"' }, 200],
    ['no-lifetime', { 'Cache-Control': 's-maxage=nonsense' }, 200],
    ['too-large', { 'Content-Length': '99999999' }, 200],
    ...[500, 501, 503, 429, 206].map((status): [string, Record<string, string>, number] => ['status', {}, status]),
  ])('a response is not stored, for the reason %s: %o, %i', async (detail, headers, status) => {
    const cache = startCache()
    cache.serve(() => cacheable('', headers, status))
    for (let visit = 0; visit < 2; visit++) {
      expect((await cache.get()).cacheStatus).toBe(`sitewright; fwd=uri-miss; fwd-status=${status}; detail=${detail}`)
    }
    expect(cache.requests).toHaveLength(2)
  })

  it('several cookies, Response.error() and Response.redirect() are passed on', async () => {
    const cache = startCache()
    cache.serve(() => {
      const response = cacheable('')
      for (const cookie of ['a=1', 'b=2']) response.headers.append('Set-Cookie', cookie)
      return response
    })
    expect((await cache.get()).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    cache.serve(() => Response.error())
    expect((await cache.get()).status).toBe(0)
    cache.serve(() => Response.redirect('https://site.test/x', 302))
    expect((await cache.get()).headers.get('location')).toBe('https://site.test/x')
  })

  it('a wrapped handler returns undefined for requests outside its route', async () => {
    const cache = startCache()
    cache.serve(undefined)
    expect(await cache.wrapped(new Request('https://site.test/'))).toBeUndefined()
    expect(await cache.wrapped(new Request('https://site.test/', { method: 'POST' }))).toBeUndefined()
  })
})

describe('age and date (RFC 9111, section 4.2.3 and 5.1; RFC 9110, section 6.6.1)', () => {
  it('the age of a page continues from the received Age', async () => {
    const cache = startCache()
    const date = new Date().toUTCString()
    cache.serve(() => cacheable('', { Age: '30', Date: date }))
    await cache.get()
    cache.advance(3)
    const { headers, cacheStatus } = await cache.get()
    expect([headers.get('age'), headers.get('date'), cacheStatus]).toEqual(['33', date, 'sitewright; hit; ttl=27'])
  })

  it('a missing Date is added', async () => {
    const cache = startCache()
    await cache.get()
    expect(Date.parse((await cache.get()).headers.get('date') ?? '')).toBeGreaterThan(Date.now() - 2000)
  })

  it.each(['abc', '-7200', '99999999999999999999', '7200, 0', '1.5'])(
    'a page with an Age of %s is served',
    async (age) => {
      const cache = startCache()
      cache.serve(() => cacheable('page', { Age: age }))
      expect([(await cache.get()).body, (await cache.get()).body]).toEqual(['page', 'page'])
    },
  )
})

describe('keys', () => {
  it('tracking parameters are neither part of the key nor passed to the handler', async () => {
    const cache = startCache()
    cache.serve((request) => cacheable(request.url))
    expect((await cache.get('/?a=1&utm_source=x&b=2')).body).toBe('https://site.test/?a=1&b=2')
    expect((await cache.get('/?fbclid=1&a=1&b=2')).cacheStatus).toContain('hit')
    expect((await cache.get('/?b=2&a=1')).cacheStatus).toContain('uri-miss')
    expect((await cache.get(`/${'x'.repeat(9000)}`)).cacheStatus).toContain('detail=too-large')
  })
})

describe('declared fields and cookies (RFC 9111, section 4.1)', () => {
  const byFoo = (request: Request) => cacheable(`foo=${request.headers.get('foo')}`, { Vary: 'Foo' })

  it('each value of a declared field has its own page, and the handler receives no other field', async () => {
    const cache = startCache({ fields: { Foo: true } })
    cache.serve(byFoo)
    for (const foo of ['1', '2']) expect((await cache.get('/', { foo, other: foo })).body).toBe(`foo=${foo}`)
    expect((await cache.get('/')).body).toBe('foo=null')
    for (const foo of ['1', '2']) {
      const hit = await cache.get('/', { foo, other: `${foo}${foo}` })
      expect([hit.body, hit.cacheStatus]).toEqual([`foo=${foo}`, 'sitewright; hit; ttl=60'])
    }
    expect((await cache.get('/', { foo: '3' })).cacheStatus).toContain('fwd=miss')
    expect(cache.requests.map(({ headers }) => headers.get('other'))).toEqual([null, null, null, null])
  })

  it('the result of a function of fields is part of the key, and the handler receives it', async () => {
    const cache = startCache({
      fields: { 'Accept-Language': (languages) => (languages?.startsWith('de') ? 'de' : 'en'), X: () => null },
    })
    cache.serve(({ headers }) => {
      const language = headers.get('accept-language')
      return cacheable(`${language} ${headers.get('x')}`, { Vary: 'Accept-Language, X' })
    })
    const pageFor = async (fields: Record<string, string>) => (await cache.get('/', fields)).body
    for (const [index, language] of ['de-AT, en;q=0.5', 'de', 'de;q=.5'].entries())
      expect(await pageFor({ 'accept-language': language, x: `${index}` })).toBe('de null')
    for (const language of ['fr', '*', 'x/y']) expect(await pageFor({ 'accept-language': language })).toBe('en null')
    expect(await pageFor({})).toBe('en null')
    expect(cache.requests).toHaveLength(2)
  })

  it('spellings of a field that mean the same by RFC 9110 share one page', async () => {
    const cache = startCache({ fields: { 'Accept-Language': true } })
    cache.serve(({ headers }) => cacheable(headers.get('accept-language')))
    expect((await cache.get('/', { 'accept-language': 'de , en;q=0.70,' })).body).toBe('de,en;q=0.7')
    expect((await cache.get('/', { 'accept-language': 'de,en;q=0.7' })).cacheStatus).toContain('hit')
  })

  it('the handler receives the declared cookies, whose order does not matter', async () => {
    const cache = startCache({ cookies: ['theme', 'ab_*'] })
    cache.serve(({ headers }) => cacheable(headers.get('cookie')))
    const pageFor = async (cookie: string) => (await cache.get('/', { cookie })).body
    expect(await pageFor('theme=dark; _ga=1; ab_x=2')).toBe('ab_x=2; theme=dark')
    expect(await pageFor('ab_x=2;theme=dark; _fbp=3')).toBe('ab_x=2; theme=dark')
    expect(cache.requests).toHaveLength(1)
    expect(await pageFor('theme=light')).toBe('theme=light')
    expect(await pageFor('_ga=1')).toBe('')
  })

  it.each([
    [
      { fields: { accept: 'x' } },
      "fields.accept: expected true, or a function that returns the relevant part of the value, got 'x'",
    ],
    [{ fields: { 'a b': true } }, "fields: expected names of request fields, got 'a b'"],
    [
      { fields: { Cookie: true } },
      "fields: expected cookies in the option cookies, such as cookies: ['theme'], got 'Cookie'",
    ],
    [{ cookies: ['a b'] }, 'cookies: expected a list of names without spaces, got a list'],
    [{ cookies: ['a=b'] }, "cookies: expected a list of names, such as ['page', 'filter_*'], got 'a=b'"],
  ])('malformed fields and cookies are rejected: %j', (options, message) => {
    expect(() => startCache(options as never)).toThrow(message)
  })

  it('a function of fields that returns a promise is rejected', async () => {
    const cache = startCache({ fields: { accept: (async () => 'x') as never } })
    await expect(cache.get()).rejects.toThrow('fields.accept: expected a function that returns a string or null')
  })

  it('a request that is never stored keeps its original fields', async () => {
    const cache = startCache({ fields: { x: () => 'normalized' } })
    await cache.get('/', { x: 'own' }, { method: 'POST' })
    expect(cache.requests[0]?.headers.get('x')).toBe('own')
  })

  it('only requests with the same declared fields share a render', async () => {
    const cache = startCache({ fields: { Foo: true } })
    const gate = deferred()
    cache.serve(async (request) => {
      await gate.promise
      return byFoo(request)
    })
    const answers = ['1', '2', '1', '2', '1'].map((foo) => cache.get('/', { foo }))
    await rest()
    expect(cache.requests).toHaveLength(2)
    gate.resolve()
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(['foo=1', 'foo=2', 'foo=1', 'foo=2', 'foo=1'])
    expect(cache.requests).toHaveLength(2)
  })

  it('each undeclared field that pages vary by is logged once', async () => {
    const cache = startCache()
    for (const name of ['Accept-Language', 'X-Theme', 'Accept-Language']) {
      cache.serve(() => cacheable('page', { Vary: name }))
      await cache.get()
    }
    const message = 'Response cache: pages that vary by this field are not stored'
    expect(cache.log.mock.calls).toEqual([
      [message, { name: 'accept-language', advice: "declare it: fields: { 'accept-language': true }" }],
      [message, { name: 'x-theme', advice: "declare it: fields: { 'x-theme': true }" }],
    ])
  })
})

describe('conditional requests (RFC 9111, section 4.3.2)', () => {
  const modified = 'Sun, 06 Nov 1994 08:49:37 GMT'
  it.each([
    ['the ETag', { ETag: '"a"' }, { 'If-None-Match': '"a"' }, 304],
    ['one of several ETags', { ETag: '"a"' }, { 'If-None-Match': '"1", W/"a", "2"' }, 304],
    ['a weak ETag', { ETag: 'W/"a"' }, { 'If-None-Match': 'W/"a"' }, 304],
    ['any ETag', { ETag: '"a"' }, { 'If-None-Match': '*' }, 304],
    ['another ETag', { ETag: '"a"' }, { 'If-None-Match': '"b"' }, 200],
    [
      'If-None-Match over If-Modified-Since',
      { ETag: '"a"', 'Last-Modified': modified },
      { 'If-None-Match': '"b"', 'If-Modified-Since': modified },
      200,
    ],
    ['the date', { 'Last-Modified': modified }, { 'If-Modified-Since': modified }, 304],
    [
      'the date as RFC 850',
      { 'Last-Modified': modified },
      { 'If-Modified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' },
      304,
    ],
    ['a later date', { 'Last-Modified': modified }, { 'If-Modified-Since': 'Sun, 06 Nov 1994 09:00:00 GMT' }, 304],
    ['an earlier date', { 'Last-Modified': modified }, { 'If-Modified-Since': 'Sun, 06 Nov 1994 08:00:00 GMT' }, 200],
    ['an invalid date', { 'Last-Modified': modified }, { 'If-Modified-Since': 'x' }, 200],
    [
      'the Date of a page without Last-Modified',
      { Date: modified, Age: '0', 'Cache-Control': 's-maxage=2147483648' },
      { 'If-Modified-Since': modified },
      304,
    ],
  ])('a stored page answers a condition with %s', async (_, headers, request, status) => {
    const cache = startCache()
    cache.serve(() => cacheable('page', headers))
    await cache.get()
    const answer = await cache.get('/', request as Record<string, string>)
    expect([answer.status, answer.body]).toEqual([status, status === 304 ? '' : 'page'])
    expect(answer.cacheStatus).toContain('hit')
    if (status === 304)
      expect([answer.headers.has('cache-control'), answer.headers.has('content-type')]).toEqual([true, false])
  })

  it('a generated ETag answers conditional requests, and is never sent to the handler', async () => {
    const cache = startCache()
    await cache.get()
    const etag = (await cache.get()).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    expect((await cache.get('/', { 'If-None-Match': etag })).status).toBe(304)
    cache.advance(100)
    await cache.get('/', { 'If-None-Match': etag })
    expect(cache.requests.at(-1)?.headers.has('if-none-match')).toBe(false)
    expect((await cache.get()).headers.get('etag')).toBe(etag)
  })

  it('a conditional request is answered by the cache even if nothing is stored yet', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { ETag: '"a"' }))
    expect((await cache.get('/', { 'If-None-Match': '"a"' })).status).toBe(304)
    await rest()
    expect(cache.requests[0]?.headers.has('if-none-match')).toBe(false)
    expect((await cache.get()).body).toBe('page')
    expect(cache.requests).toHaveLength(1)
  })

  it.each(['Range', 'If-Match', 'If-Unmodified-Since'])(
    'the handler evaluates %s if nothing is stored, and its response is not stored',
    async (name) => {
      const cache = startCache()
      cache.serve(() => new Response('part', { status: 206, headers: { 'Cache-Control': 's-maxage=60' } }))
      expect(await cache.get('/', { [name]: 'x' })).toMatchObject({
        status: 206,
        body: 'part',
        cacheStatus: 'sitewright; fwd=uri-miss; fwd-status=206; detail=partial',
      })
      expect(cache.requests[0]?.headers.get(name)).toBe('x')
      cache.serve(() => cacheable('whole'))
      expect((await cache.get()).body).toBe('whole')
    },
  )

  it.each(['If-Match', 'If-Unmodified-Since'])(
    '%s is ignored if a stored response answers the request',
    async (name) => {
      const cache = startCache()
      await cache.get()
      expect(await cache.get('/', { [name]: 'x' })).toMatchObject({
        status: 200,
        cacheStatus: 'sitewright; hit; ttl=60',
      })
    },
  )
})

describe('ranges of a stored page (RFC 9110, section 14)', () => {
  const modified = 'Sun, 06 Nov 1994 08:49:37 GMT'
  const headers = { ETag: '"a"', 'Last-Modified': modified, 'Content-Type': 'video/mp4' }
  const get = async (request: Record<string, string>, init: RequestInit = {}) => {
    const cache = startCache()
    cache.serve(() => cacheable('0123456789', headers))
    await cache.get()
    const answer = await cache.get('/', request, init)
    expect([cache.requests.length, answer.cacheStatus]).toEqual([1, 'sitewright; hit; ttl=60'])
    return answer
  }

  it.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['Bytes= 2-4 ', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=7-99999999999999999999', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('a stored page answers the range %s', async (range, body, described) => {
    const answer = await get({ Range: range })
    expect(answer).toMatchObject({ status: 206, body })
    expect([answer.headers.get('content-range'), answer.headers.get('content-length')]).toEqual([
      described,
      String(body.length),
    ])
    expect([answer.headers.get('etag'), answer.headers.get('content-type')]).toEqual(['"a"', 'video/mp4'])
  })

  it.each(['bytes=10-', 'bytes=99999999999999999999-', 'bytes=-0'])(
    'a stored page cannot satisfy the range %s',
    async (range) => {
      const answer = await get({ Range: range })
      expect([answer.status, answer.body, answer.headers.get('content-range')]).toEqual([416, '', 'bytes */10'])
      expect(answer.headers.has('content-length')).toBe(false)
    },
  )

  it.each(['bytes=-', 'bytes=4-2', 'bytes=0-1,3-4', 'bytes=a-b', 'bytes', 'items=0-1', 'bytes=0x1-2'])(
    'the range %s gets the whole page',
    async (range) => expect(await get({ Range: range })).toMatchObject({ status: 200, body: '0123456789' }),
  )

  it.each([
    ['the ETag', '"a"', {}, 206],
    ['another ETag', '"b"', {}, 200],
    ['a weak ETag', 'W/"a"', { ETag: 'W/"a"' }, 200],
    ['the date', modified, {}, 206],
    ['another date', 'Sun, 06 Nov 1994 08:49:38 GMT', {}, 200],
    ['a date in the second of the response', modified, { Date: modified }, 200],
    ['nonsense', 'x', {}, 200],
  ])('a stored page evaluates If-Range with %s', async (_, condition, more, status) => {
    const cache = startCache()
    cache.serve(() => cacheable('0123456789', { ...headers, 'Cache-Control': `s-maxage=${2 ** 31}`, ...more }))
    await cache.get()
    expect((await cache.get('/', { Range: 'bytes=0-1', 'If-Range': condition })).status).toBe(status)
  })

  it('ranges apply only to GET and status 200, and If-None-Match takes precedence', async () => {
    expect(await get({ Range: 'bytes=0-1' }, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    expect(await get({ Range: 'bytes=0-1', 'If-None-Match': '"a"' })).toMatchObject({ status: 304 })
    const cache = startCache()
    cache.serve(() => cacheable('not here', {}, 404))
    await cache.get()
    expect(await cache.get('/', { Range: 'bytes=0-1' })).toMatchObject({ status: 404, body: 'not here' })
  })

  it('ranges and preconditions are not passed to the handler that revalidates a stale page', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('0123456789', { 'Cache-Control': 'max-age=60, stale-while-revalidate=60' }))
    await cache.get()
    cache.advance(61)
    const conditions = { 'If-Range': '"a"', 'If-Match': '"a"', 'If-Unmodified-Since': modified }
    expect(await cache.get('/', { Range: 'bytes=0-1', ...conditions })).toMatchObject({ status: 200 })
    await rest()
    expect(['range', ...Object.keys(conditions)].map((name) => cache.requests[1]?.headers.has(name))).not.toContain(
      true,
    )
    expect((await cache.get('/', { Range: 'bytes=0-1' })).body).toBe('01')
  })
})

describe('validation (RFC 9111, section 4.3)', () => {
  it.each([
    ['ETag', '"a"', 'If-None-Match'],
    ['Last-Modified', 'Sun, 06 Nov 1994 08:49:37 GMT', 'If-Modified-Since'],
  ])('a stale page is validated by its %s, and updated by a 304', async (validator, value, condition) => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { [validator]: value, 'X-A': '1', 'X-B': '1', 'Content-Type': 'text/x' }))
    await cache.get()
    cache.advance(61)
    cache.serve(
      () =>
        new Response(null, {
          status: 304,
          headers: { [validator]: value, 'X-A': '2', 'Content-Length': '9', 'Cache-Control': 's-maxage=100' },
        }),
    )
    const answer = await cache.get()
    expect(cache.requests.at(-1)?.headers.get(condition)).toBe(value)
    expect([answer.status, answer.body, answer.headers.get('x-a'), answer.headers.get('x-b')]).toEqual([
      200,
      'page',
      '2',
      '1',
    ])
    cache.advance(99)
    const hit = await cache.get()
    expect([
      hit.cacheStatus,
      hit.headers.get('x-a'),
      hit.headers.get('content-type'),
      hit.headers.get('content-length'),
    ]).toEqual(['sitewright; hit; ttl=1', '2', 'text/x', '4'])
  })

  it.each([
    ['Content-Type', 'text/x', 'text/y', 'text/y'],
    ['Content-Language', 'en', 'de', 'de'],
    ['Content-Encoding', 'gzip', 'br', 'gzip'],
    ['Content-MD5', 'a', 'b', 'a'],
    ['Repr-Digest', 'a', 'b', 'a'],
    ['ETag', 'W/"a"', '"a"', 'W/"a"'],
  ])('a 304 updates the field %s: %s with %s becomes %s (section 3.2)', async (name, stored, said, kept) => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { ETag: '"a"', [name]: stored }))
    await cache.get()
    cache.advance(61)
    cache.serve(() => new Response(null, { status: 304, headers: { [name]: said } }))
    expect((await cache.get()).headers.get(name)).toBe(kept)
    expect((await cache.get()).headers.get(name)).toBe(kept)
  })

  it('a stored 204 that a 304 confirms is answered with 204, even if it may no longer be stored', async () => {
    const cache = startCache()
    const validator = { ETag: '"a"', 'Cache-Control': 's-maxage=1' }
    cache.serve(() => cacheable(null, validator, 204))
    await cache.get()
    cache.advance(2)
    cache.serve(() => new Response(null, { status: 304, headers: { ETag: '"a"', 'Cache-Control': 'no-store' } }))
    expect(await cache.get()).toMatchObject({ status: 204, body: '' })
  })

  it.each([
    [
      'the handler is asked again if the date may have matched',
      { 'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT' },
      'new',
    ],
    ['the page and its ETag are kept if only the ETag can have matched', {}, 'old'],
  ])('when a 304 has another ETag, %s', async (_, dates, body) => {
    const cache = startCache()
    cache.serve(() => cacheable('old', { ETag: '"a"', ...dates }))
    await cache.get()
    cache.advance(61)
    cache.serve(({ headers }) =>
      headers.has('if-none-match')
        ? new Response(null, { status: 304, headers: { ETag: '"b"' } })
        : cacheable('new', { ETag: '"b"' }),
    )
    for (let time = 0; time < 2; time++) {
      const answer = await cache.get()
      expect([answer.body, answer.headers.get('etag')]).toEqual([body, body === 'old' ? '"a"' : '"b"'])
    }
    expect(cache.requests).toHaveLength(body === 'old' ? 2 : 3)
  })

  it('the handler is asked for each request for a page with no-cache', async () => {
    const cache = startCache()
    cache.serve(({ headers }) =>
      headers.get('if-none-match') === '"a"'
        ? new Response(null, { status: 304 })
        : cacheable('page', { 'Cache-Control': 'no-cache', ETag: '"a"' }),
    )
    for (let time = 0; time < 3; time++) expect((await cache.get()).body).toBe('page')
    expect(cache.requests).toHaveLength(3)
  })

  it('a cookie of a 304 is sent only to the visitor whose request caused the 304', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { ETag: '"a"' }))
    await cache.get()
    cache.advance(61)
    cache.serve(() => new Response(null, { status: 304, headers: { 'Set-Cookie': 'a=b' } }))
    const answer = await cache.get()
    expect([answer.body, answer.headers.get('set-cookie')]).toEqual(['page', 'a=b'])
    cache.serve(() => cacheable('new'))
    expect((await cache.get()).headers.get('set-cookie')).toBeNull()
  })
})

describe('request directives (RFC 9111, section 5.2.1)', () => {
  it.each(['no-cache', 'no-store', 'max-age=0', 'min-fresh=100'])(
    '%s in a request calls the handler only with honorRequestCacheControl',
    async (field) => {
      const cache = startCache()
      await cache.get()
      expect((await cache.get('/', { 'Cache-Control': field })).cacheStatus).toContain('hit')
      const honoring = startCache({ honorRequestCacheControl: true })
      await honoring.get()
      expect((await honoring.get('/', { 'Cache-Control': field })).cacheStatus).toContain('fwd=request')
    },
  )

  it('only-if-cached in a request returns the stored response or 504', async () => {
    const cache = startCache()
    expect((await cache.get('/', { 'Cache-Control': 'only-if-cached' })).status).toBe(504)
    await cache.get()
    expect((await cache.get('/', { 'Cache-Control': 'only-if-cached' })).status).toBe(200)
    expect(cache.requests).toHaveLength(1)
  })

  it('no-store in a request keeps the response from being stored', async () => {
    const cache = startCache({ honorRequestCacheControl: true })
    await cache.get('/', { 'Cache-Control': 'no-store' })
    expect((await cache.get()).cacheStatus).toContain('uri-miss')
  })
})

describe('stale (RFC 9111, section 4.2.4; RFC 5861)', () => {
  it('stale-while-revalidate serves the stale page, and refreshes it', async () => {
    const cache = startCache()
    const control = { 'Cache-Control': 's-maxage=60, stale-while-revalidate=60' }
    cache.serve(() => cacheable('old', control))
    await cache.get()
    cache.advance(61)
    cache.serve(() => cacheable('new', control))
    const stale = await cache.get()
    expect([stale.body, stale.cacheStatus]).toEqual(['old', 'sitewright; hit; ttl=-1; detail=stale-while-revalidate'])
    await vi.waitFor(
      async () => expect(await cache.get()).toMatchObject({ body: 'new', cacheStatus: 'sitewright; hit; ttl=60' }),
      20_000,
    )
    expect(cache.requests).toHaveLength(2)
  })

  it.each(['must-revalidate', 'proxy-revalidate'])('%s forbids stale responses', async (directive) => {
    const cache = startCache()
    cache.serve(() =>
      cacheable('old', { 'Cache-Control': `max-age=60, stale-while-revalidate=60, stale-if-error=60, ${directive}` }),
    )
    await cache.get()
    cache.advance(61)
    cache.serve(new Error('down'))
    await expect(cache.get()).rejects.toThrow('down')
  })

  it.each([
    ['throws', new Error('down')],
    ['answers 503', new Response('down', { status: 503 })],
    ['answers 500', new Response('down', { status: 500 })],
  ])(
    'stale-if-error serves the stale page when the handler %s, and pauses calls of the handler',
    async (_, failure) => {
      const cache = startCache()
      cache.serve(() => cacheable('old', { 'Cache-Control': 's-maxage=60, stale-if-error=600' }))
      await cache.get()
      cache.advance(61)
      cache.serve(failure)
      for (let time = 0; time < 3; time++) {
        expect(await cache.get()).toMatchObject({
          status: 200,
          body: 'old',
          cacheStatus: 'sitewright; hit; ttl=-1; detail=stale-if-error',
        })
      }
      expect(cache.requests).toHaveLength(2)
    },
  )

  it('without stale-if-error, the failure is passed on', async () => {
    const cache = startCache()
    await cache.get()
    cache.advance(61)
    cache.serve(() => new Response('down', { status: 503 }))
    expect((await cache.get()).status).toBe(503)
    cache.serve(new Error('down'))
    await expect(cache.get('/other')).rejects.toThrow('down')
  })

  it('a 404 replaces a stale page', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('old', { 'Cache-Control': 's-maxage=60, stale-while-revalidate=6000' }))
    await cache.get()
    cache.advance(61)
    cache.serve(() => new Response('gone', { status: 404, headers: { 'Cache-Control': 'no-store' } }))
    expect((await cache.get()).body).toBe('old')
    await rest()
    expect((await cache.get()).body).toBe('gone')
  })
})

describe('methods', () => {
  it('HEAD is answered from a stored GET', async () => {
    const cache = startCache()
    await cache.get()
    const head = await cache.get('/', {}, { method: 'HEAD' })
    expect([head.body, head.headers.get('content-length'), head.cacheStatus]).toEqual([
      '',
      '1',
      'sitewright; hit; ttl=60',
    ])
  })

  it('HEAD is answered by the handler if nothing is stored, and the answer is not stored', async () => {
    const cache = startCache()
    const { cacheStatus } = await cache.get('/', {}, { method: 'HEAD' })
    expect(cacheStatus).toBe('sitewright; fwd=uri-miss; fwd-status=200; detail=partial')
    expect(cache.requests[0]?.method).toBe('HEAD')
    expect((await cache.get()).cacheStatus).toContain('stored')
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'M-SEARCH'])(
    '%s invalidates its URL and its Location (section 4.4)',
    async (method) => {
      const cache = startCache()
      const paths = ['/', '/location']
      for (const path of paths) await cache.get(path)
      cache.serve(() => new Response('', { status: 201, headers: { Location: '/location' } }))
      expect((await cache.get('/', {}, { method })).cacheStatus).toBe('sitewright; fwd=method; fwd-status=201')
      cache.serve(() => cacheable('2'))
      const bodies = await Promise.all(paths.map(async (path) => (await cache.get(path)).body))
      expect(bodies).toEqual(['2', '2'])
    },
  )

  it('a POST invalidates pages on all instances that share the tag index', async () => {
    const here = startCache()
    const there = startCache({ tagIndex: here.tagIndex })
    const paths = ['/page?b=2', '/page?a=1', '/other']
    for (const path of paths) for (const cache of [here, there]) await cache.get(path)
    here.serve(() => new Response('', { status: 201 }))
    await here.get('/page?c=3', {}, { method: 'POST' })
    await here.get('/page?b=2', {}, { method: 'POST' })
    for (const cache of [here, there]) cache.serve(() => cacheable('2'))
    for (const cache of [here, there]) {
      expect(await Promise.all(paths.map(async (path) => (await cache.get(path)).body))).toEqual(['2', '2', '1'])
    }
  })

  it('a POST to a URL without a stored page purges nothing', async () => {
    const cache = startCache()
    for (let page = 0; page < 10; page++) await cache.get(`/${page}`, {}, { method: 'POST' })
    expect(await cache.tagIndex.stamp()).toMatchObject({ sequence: 0 })
  })

  it('a POST is answered even if the tag index fails', async () => {
    const cache = startCache()
    await cache.get()
    cache.tagIndex.purge = () => Promise.reject(new Error('no room'))
    expect((await cache.get('/', {}, { method: 'POST' })).status).toBe(200)
    expect(cache.log).toHaveBeenCalledWith(expect.stringContaining('tag index failed'), { reason: 'no room' })
    cache.serve(() => cacheable('2'))
    expect((await cache.get()).body).toBe('2')
  })

  it('errors, safe methods and other origins invalidate nothing', async () => {
    const cache = startCache()
    await cache.get()
    cache.serve(() => new Response('', { status: 500 }))
    await cache.get('/', {}, { method: 'POST' })
    await cache.get('/', {}, { method: 'OPTIONS' })
    cache.serve(() => new Response('', { headers: { Location: 'https://other.test/' } }))
    await cache.get('/x', {}, { method: 'POST' })
    expect((await cache.get()).cacheStatus).toContain('hit')
  })

  it.each([400, 403, 404, 405, 413, 429, 500, 503])(
    'a POST that is answered with %i invalidates nothing',
    async (status) => {
      const cache = startCache()
      for (const path of ['/', '/location']) await cache.get(path)
      cache.serve(() => new Response('', { status, headers: { Location: '/location', 'Content-Location': '/' } }))
      await cache.get('/', {}, { method: 'POST' })
      for (const path of ['/', '/location']) expect((await cache.get(path)).cacheStatus).toContain('hit')
    },
  )

  it('a POST without a route, or whose handler fails, invalidates nothing', async () => {
    const cache = startCache()
    await cache.get()
    cache.serve(undefined)
    await cache.get('/', {}, { method: 'POST' })
    cache.serve(new Error('down'))
    await expect(cache.get('/', {}, { method: 'POST' })).rejects.toThrow('down')
    expect((await cache.get()).cacheStatus).toContain('hit')
  })

  it('a render in flight during a POST is not stored, and other variants are purged', async () => {
    const cache = startCache({ fields: { Foo: true } })
    const gate = deferred()
    cache.serve(async () => {
      await gate.promise
      return cacheable('old', { Vary: 'Foo' })
    })
    const requestBefore = cache.get('/', { foo: '1' })
    await rest()
    cache.serve(() => new Response(''))
    await cache.get('/', {}, { method: 'POST' })
    gate.resolve()
    expect((await requestBefore).body).toBe('old')
    cache.serve(() => cacheable('new', { Vary: 'Foo' }))
    expect((await cache.get('/', { foo: '1' })).body).toBe('new')
    await cache.get('/', {}, { method: 'POST' })
    cache.serve(() => cacheable('newer', { Vary: 'Foo' }))
    await cache.get('/', { foo: '2' })
    expect((await cache.get('/', { foo: '1' })).body).toBe('newer')
  })
})

describe('options', () => {
  it.each([
    [{ store: undefined }, /^store: /],
    [{ name: 'my cache' }, /^name: /],
    [{ maxBodyBytes: -1 }, /^maxBodyBytes: /],
    [{ tags: 'document' }, /^tags: /],
    [{ storeTimeout: Number.NaN }, /^storeTimeout: /],
    [{ queryParameters: ['*'] }, /^queryParameters: /],
    [{ hosts: ['a/b'] }, /^hosts\[0\]: /],
    [{ ignoreQuery: ['a'] }, /^ignoreQuery: expected one of the options store, /],
  ])('createResponseCache rejects the option %j', (invalidOption, message) => {
    const options = { store: memoryStore({ maxBytes: 1000 }), ...invalidOption } as Parameters<
      typeof createResponseCache
    >[0]
    expect(() => createResponseCache(options)).toThrow(message)
    expect(() => memoryStore({ maxBytes: 0 })).toThrow(/^maxBytes: /)
  })

  it('the handler receives no field that is not declared', async () => {
    const cache = startCache()
    const headers = {
      'Content-Length': '5',
      'Transfer-Encoding': 'chunked',
      Connection: 'close',
      Expect: 'x',
      Accept: 'a',
    }
    await cache.get('/', headers)
    expect([...(cache.requests[0]?.headers.keys() ?? [])]).toEqual(['host', 'user-agent', 'x-forwarded-for'])
  })

  it('the handler receives the host of the URL as Host', async () => {
    const cache = startCache()
    await cache.get('/', { Host: 'SITE.test:443' })
    expect(cache.requests[0]?.headers.get('host')).toBe('site.test')
  })

  it('a partial response has no Content-Digest of the whole body', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('whole', { 'Content-Digest': 'sha-256=:a:', 'Repr-Digest': 'sha-256=:a:' }))
    await cache.get()
    const { headers } = await cache.get('/', { Range: 'bytes=0-1' })
    expect([headers.has('content-digest'), headers.has('repr-digest')]).toEqual([false, true])
  })

  it('the option tags adds tags', async () => {
    const tags = vi.fn((request: { url: string }) => [`url-${new URL(request.url).pathname}`])
    const cache = startCache({ tags })
    await cache.get('/a')
    await cache.invalidate(['url-/b'])
    expect((await cache.get('/a')).cacheStatus).toContain('hit')
    await cache.invalidate(['url-/a'])
    expect((await cache.get('/a')).cacheStatus).toContain('fwd=stale')
  })

  it('a 304 without tags keeps the tags of the header and the option', async () => {
    const cache = startCache({ tags: ['option'] })
    cache.serve(() => cacheable('1', { ETag: '"a"', 'Cache-Control': 's-maxage=1' }))
    await cache.get()
    cache.advance(2)
    cache.serve(() => new Response(null, { status: 304, headers: { 'Cache-Control': 's-maxage=60' } }))
    expect((await cache.get()).headers.get('cache-tag')).toBe('document,option,/')
    for (const tag of ['document', 'option']) {
      expect((await cache.get()).cacheStatus).toContain('hit')
      await cache.invalidate([tag])
      cache.serve(() => cacheable('2'))
      expect((await cache.get()).cacheStatus).toContain('fwd=stale')
    }
  })
})

describe('renders that no client waits for', () => {
  const hang = () => {
    const open = { count: 0, max: 0 }
    const page = () => {
      const close = () => void open.count--
      open.max = Math.max(open.max, ++open.count)
      return cacheable(new ReadableStream({ cancel: close }), { ETag: '"a"' })
    }
    return { open, page }
  }

  it('at most 32 renders run without a waiting client: for visitors who have the page, and for stale pages', async () => {
    const cache = startCache({ refreshTimeout: 1_000 })
    for (let number = 0; number < 40; number++) await cache.get(`/${number}`)
    await cache.invalidate(['document'], { mode: 'soft' })
    const { open, page } = hang()
    cache.serve(page)
    for (let number = 0; number < 20; number++) {
      expect((await cache.get(`/new-${number}`, { 'If-None-Match': '*' })).status).toBe(304)
    }
    for (let number = 0; number < 40; number++) expect((await cache.get(`/${number}`)).body).toBe('1')
    await rest()
    expect(open).toEqual({ count: 32, max: 32 })
    // A render that hangs frees its place after refreshTimeout.
    await vi.waitFor(() => expect(open.count).toBe(0), 20_000)
    cache.serve(() => cacheable('2'))
    await vi.waitFor(async () => expect((await cache.get('/5')).body).toBe('2'), 20_000)
  })

  it('a render is aborted when its visitor leaves before the head', async () => {
    const cache = startCache()
    cache.serve(() => new Promise(() => {}))
    const client = new AbortController()
    const visit = cache.get('/', {}, { signal: client.signal })
    await rest()
    client.abort(new Error('left'))
    await expect(visit).rejects.toThrow('left')
    expect(cache.requests[0]?.signal.aborted).toBe(true)
  })

  // An unhandled rejection would end the process. The test runner fails on it.
  it.each(['shared', 'solo'])(
    'a %s render is aborted when its visitor leaves, even if the handler then rejects',
    async (kind) => {
      const cache = startCache()
      if (kind === 'solo') {
        cache.serve(() => new Response('', { headers: { 'Cache-Control': 'private' } }))
        await cache.get()
      }
      cache.serve(
        ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      )
      const client = new AbortController()
      const visit = cache.get('/', {}, { signal: client.signal })
      await rest()
      client.abort(new Error('left'))
      await expect(visit).rejects.toThrow('left')
      await rest()
      expect(cache.requests.at(-1)?.signal.aborted).toBe(true)
    },
  )

  it('a solo render ends when its visitor leaves, which is not noted as a failure of the page', async () => {
    const cache = startCache()
    cache.serve(() => new Response('', { headers: { 'Cache-Control': 'private' } }))
    await cache.get()
    cache.serve(({ signal }) => {
      const start = (controller: ReadableStreamDefaultController) => {
        controller.enqueue(new TextEncoder().encode('begun'))
        signal.addEventListener('abort', () => controller.error(signal.reason))
      }
      return new Response(new ReadableStream({ start }), { headers: { 'Cache-Control': 's-maxage=60' } })
    })
    const client = new AbortController()
    const response = await cache.wrapped(new Request('https://site.test/', { signal: client.signal }))
    const reader = response?.body?.getReader()
    await reader?.read()
    client.abort(new Error('left'))
    await reader?.cancel()
    await rest()
    cache.serve(() => cacheable('page'))
    expect(await cache.get()).toMatchObject({
      body: 'page',
      cacheStatus: 'sitewright; fwd=uri-miss; fwd-status=200; stored; detail=private',
    })
  })

  it('a render goes on when one of its two visitors leaves', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(async () => {
      await gate.promise
      return cacheable('page')
    })
    const client = new AbortController()
    const first = cache.get('/', {}, { signal: client.signal })
    const second = cache.get()
    await rest()
    client.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    gate.resolve()
    expect((await second).body).toBe('page')
    expect(cache.requests).toHaveLength(1)
  })

  it('a render whose response is not stored ends when its visitor leaves', async () => {
    const cache = startCache()
    const cancel = vi.fn()
    cache.serve(() => new Response(new ReadableStream({ cancel }), { headers: { 'Cache-Control': 'private' } }))
    const client = new AbortController()
    const response = await cache.wrapped(new Request('https://site.test/', { signal: client.signal }))
    client.abort() // as servers do
    await response?.body?.cancel()
    expect(cache.requests[0]?.signal.aborted).toBe(true)
    expect(cancel).toHaveBeenCalledOnce()
  })
})

describe('exposeTags: false', () => {
  it('exposeTags: false removes Cache-Tag from responses, and purges still work', async () => {
    const cache = startCache({ exposeTags: false, tags: ['site'] })
    cache.serve(() => cacheable('1', { ETag: '"a"' }))
    const answers = [
      await cache.get(),
      await cache.get(),
      await cache.get('/', { 'if-none-match': '"a"' }),
      await cache.get('/', { range: 'bytes=0-0' }),
      await cache.get('/', {}, { method: 'HEAD' }),
      await cache.get('/', {}, { method: 'POST' }),
    ]
    expect(answers.map(({ headers }) => headers.get('cache-tag'))).toEqual([null, null, null, null, null, null])
    for (const tag of ['document', 'site']) {
      await cache.get()
      expect((await cache.get()).cacheStatus).toContain('hit')
      await cache.invalidate([tag])
      expect((await cache.get()).cacheStatus).not.toContain('hit')
    }
  })
})
