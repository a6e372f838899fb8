import { describe, expect, it, vi } from 'vitest'
import { namedMediaTypes } from '../../http/accept.js'
import { createResponseCache, memoryStore } from '../index.js'
import { cacheable, deferred, rest, startCache } from '../testing/harness.js'
import { createBackoff } from './renders/backoff.js'

describe('storing (RFC 9111, section 3)', () => {
  it('keeps status, text and headers, without hop-by-hop fields', async () => {
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

  it('leaves out the fields that no-cache and private name', async () => {
    const cache = startCache()
    const control = 's-maxage=60, no-cache="a, Set-Cookie", private="b"'
    cache.serve(() => cacheable('', { 'Cache-Control': control, A: '1', B: '2', C: '3', 'Set-Cookie': 'd=4' }))
    expect((await cache.get()).headers.get('a')).toBe('1')
    const { headers, cacheStatus } = await cache.get()
    expect(cacheStatus).toContain('hit')
    expect(['a', 'b', 'c', 'set-cookie'].map((name) => headers.get(name))).toEqual([null, null, '3', null])
  })

  it.each([
    ['Set-Cookie', { 'Set-Cookie': 'a=b' }],
    ['private', { 'Cache-Control': 'private, max-age=60' }],
    ['no-store', { 'Cache-Control': 'No-Store, max-age=60' }],
    ['Vary: *', { Vary: '*' }],
    ['a Vary that names no field', { Vary: 'a cookie' }],
    ['no lifetime', { 'Cache-Control': 'public' }],
  ])('does not store %s', async (_, headers) => {
    const cache = startCache()
    cache.serve(() => cacheable('', headers))
    await cache.get()
    expect((await cache.get()).cacheStatus).toBe('sitewright; fwd=uri-miss; fwd-status=200')
    expect(cache.asked).toHaveLength(2)
  })

  it('passes on several cookies, and responses that no constructor makes', async () => {
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

  it('returns undefined for requests outside of the handler’s route', async () => {
    const cache = startCache()
    cache.serve(undefined)
    expect(await cache.wrapped(new Request('https://site.test/'))).toBeUndefined()
    expect(await cache.wrapped(new Request('https://site.test/', { method: 'POST' }))).toBeUndefined()
  })

  it('stores and reuses responses to Authorization only where section 3.5 allows', async () => {
    const cache = startCache()
    const authorization = { Authorization: 'Bearer x' }
    cache.serve(() => cacheable('', { 'Cache-Control': 'max-age=60' }))
    await cache.get('/', authorization)
    expect((await cache.get()).cacheStatus).toContain('stored')
    expect((await cache.get('/', authorization)).cacheStatus).toContain('fwd')
    cache.serve(() => cacheable('', { 'Cache-Control': 'public, max-age=60' }))
    await cache.get('/b', authorization)
    expect((await cache.get('/b')).cacheStatus).toContain('hit')
    expect((await cache.get('/b', authorization)).cacheStatus).toContain('hit')
  })
})

describe('age and date (RFC 9111, section 4.2.3 and 5.1; RFC 9110, section 6.6.1)', () => {
  it('continues from the received age', async () => {
    const cache = startCache()
    const date = new Date().toUTCString()
    cache.serve(() => cacheable('', { Age: '30', Date: date }))
    await cache.get()
    cache.pass(3)
    const { headers, cacheStatus } = await cache.get()
    expect([headers.get('age'), headers.get('date'), cacheStatus]).toEqual(['33', date, 'sitewright; hit; ttl=27'])
  })

  it('adds a missing Date', async () => {
    const cache = startCache()
    await cache.get()
    expect(Date.parse((await cache.get()).headers.get('date') ?? '')).toBeGreaterThan(Date.now() - 2000)
  })

  it.each(['abc', '-7200', '99999999999999999999', '7200, 0', '1.5'])('handles an Age of %s', async (age) => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { Age: age }))
    expect([(await cache.get()).body, (await cache.get()).body]).toEqual(['page', 'page'])
  })
})

describe('keys', () => {
  it('are the URL without tracking parameters, which the handler does not receive either', async () => {
    const cache = startCache()
    cache.serve((request) => cacheable(request.url))
    expect((await cache.get('/?a=1&utm_source=x&b=2')).body).toBe('https://site.test/?a=1&b=2')
    expect((await cache.get('/?fbclid=1&a=1&b=2')).cacheStatus).toContain('hit')
    expect((await cache.get('/?b=2&a=1')).cacheStatus).toContain('uri-miss')
    expect((await cache.get(`/${'x'.repeat(9000)}`)).cacheStatus).toContain('fwd=bypass')
  })
})

describe('Vary (RFC 9111, section 4.1)', () => {
  const byFoo = (request: Request) => cacheable(`foo=${request.headers.get('foo')}`, { Vary: 'Foo' })

  it('stores every variant separately', async () => {
    const cache = startCache()
    cache.serve(byFoo)
    for (const foo of ['1', '2']) expect((await cache.get('/', { foo })).body).toBe(`foo=${foo}`)
    expect((await cache.get('/')).body).toBe('foo=null')
    for (const foo of ['1', '2']) {
      const hit = await cache.get('/', { foo, other: foo })
      expect([hit.body, hit.cacheStatus]).toEqual([`foo=${foo}`, 'sitewright; hit; ttl=60'])
    }
    expect((await cache.get('/', { foo: '3' })).cacheStatus).toContain('fwd=vary-miss')
  })

  it('never sends an image type that the client did not name, whatever the handler can send', async () => {
    const cache = startCache()
    cache.serve(({ headers }) => {
      const type = headers.get('accept')?.includes('image/jxl') ? 'image/jxl' : 'image/avif'
      return cacheable('', { Vary: 'Accept', 'Content-Type': type })
    })
    const typeFor = async (accept: string) => (await cache.get('/', { accept })).headers.get('content-type')
    expect(await typeFor('image/avif,image/webp,image/jxl')).toBe('image/jxl')
    expect(await typeFor('image/avif,image/webp')).toBe('image/avif')
  })

  it('hands the handler the fields that an option normalizes, and makes one variant per value', async () => {
    const cache = startCache({
      normalizeFields: { 'Accept-Language': (languages) => (languages?.startsWith('de') ? 'de' : 'en'), X: () => null },
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
    expect(cache.asked).toHaveLength(2)
  })

  it.each([
    [{ accept: 'x' }, "normalizeFields.accept: expected a function, got 'x'"],
    [{ 'a b': () => null }, "normalizeFields: expected names of request fields, got 'a b'"],
  ])('refuses %j', (normalizeFields, message) => {
    expect(() => startCache({ normalizeFields: normalizeFields as never })).toThrow(message)
  })

  it('passes on a request of which nothing is stored as it is, whatever an option normalizes', async () => {
    const cache = startCache({ normalizeFields: { x: () => 'normalized' } })
    await cache.get('/', { x: 'own' }, { method: 'POST' })
    expect(cache.asked[0]?.headers.get('x')).toBe('own')
  })

  it('does not send an image in place of a page at the same URL', async () => {
    const cache = startCache()
    cache.serve(({ headers }) => {
      const isPage = headers.get('accept')?.includes('text/html')
      return cacheable('', { Vary: 'Accept', 'Content-Type': isPage ? 'text/html' : 'image/jpeg' })
    })
    const typeFor = async (accept: string) => (await cache.get('/', { accept })).headers.get('content-type')
    const images = ['image/*', '*/*', 'image/avif,image/webp,image/apng', 'image/avif,image/webp,image/*,*/*;q=0.8']
    for (const accept of images) expect(await typeFor(accept)).toBe('image/jpeg')
    const chrome = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'
    const safari = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    for (const accept of [chrome, safari]) expect(await typeFor(accept)).toBe('text/html')
  })

  const toModernFormats = (accept: string | null) =>
    ['image/avif', 'image/webp'].filter((type) => namedMediaTypes(accept).has(type)).join() || null
  const webpOnly = 'image/webp,image/apng,image/*,*/*;q=0.8'
  it.each(
    [
      'image/webp;x=image/avif,image/apng,image/*,*/*;q=0.8',
      'image/webp,image/apng,image/*,*/*;q=0.8,ximage/avif;q=0.1',
      'image/webp,image/apng,image/*;x=image/avif,*/*;q=0.8',
      'image/webp,image/apng,image/*,*/*;q=0.8;x="image/avif"',
      'image/webp,image/apng,image/avif-sequence,image/*,*/*;q=0.8',
      'image/webp,image/apng,image/*,*/*;q=0.8,image/avif;q=0',
    ].flatMap((accept) => [undefined, { Accept: toModernFormats }].map((fields) => [accept, fields] as const)),
  )('a handler that looks for words sends nobody the format of %s', async (accept, normalizeFields) => {
    const cache = startCache({ normalizeFields })
    cache.serve(({ headers }) => {
      const type = headers.get('accept')?.includes('image/avif') ? 'image/avif' : 'image/webp'
      return cacheable('', { Vary: 'Accept', 'Content-Type': type })
    })
    await cache.get('/', { accept })
    const { headers } = await cache.get('/', { accept: webpOnly })
    expect(headers.get('content-type')).toBe('image/webp')
  })

  it.each(
    ['image/webp;q=.5,image/apng,image/*,*/*;q=0.8', 'image/webp,image/apng,image/*;q=1,*/*'].flatMap((accept) =>
      [undefined, { Accept: toModernFormats }].map((fields) => [accept, fields] as const),
    ),
  )('a handler that weighs wildcards stores nothing for others: %s', async (accept, normalizeFields) => {
    const receivedBy = async (...clients: string[]) => {
      const cache = startCache({ normalizeFields })
      cache.serve(({ headers }) => cacheable(headers.get('accept'), { Vary: 'Accept', 'Content-Type': 'image/avif' }))
      for (const client of clients) await cache.get('/', { accept: client })
      return (await cache.get('/', { accept: webpOnly })).body
    }
    expect(await receivedBy(accept)).toBe(await receivedBy())
  })

  it.each(['en;q=0.7;q=1', 'en; q=0.7', 'en ;q=0.7', 'en;Q=0.7', 'en;q=0.700'])(
    'a handler whose parser misreads %s decides for nobody else',
    async (english) => {
      const cache = startCache()
      // As negotiator 0.6.3 of Express 4, and Hono's accepts: of two weights the last one counts, and it has to be `q`.
      cache.serve(({ headers }) => {
        const weightOf = (member: string) => Number(/^(?:.*;)?q=([\d.]+)$/.exec(member)?.[1] ?? 1)
        const members = headers.get('accept-language')?.split(',') ?? []
        const [first = ''] = members.sort(
          (a, b) => weightOf(b) - weightOf(a) || Number(/^en/.test(b)) - Number(/^en/.test(a)),
        )
        return cacheable(first.slice(0, 2), { Vary: 'Accept-Language' })
      })
      await cache.get('/', { 'accept-language': `de-DE,de;q=0.9,${english}` })
      expect((await cache.get('/', { 'accept-language': 'de-DE,de;q=0.9,en;q=0.7' })).body).toBe('de')
    },
  )

  it('does not mix up pages that vary only sometimes', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('all', { 'Cache-Control': 's-maxage=1' }))
    await cache.get('/', { foo: '1' })
    cache.pass(2)
    cache.serve(byFoo)
    await cache.get('/', { foo: '1' })
    expect((await cache.get('/', { foo: '2' })).body).toBe('foo=2')
    expect((await cache.get('/', { foo: '1' })).cacheStatus).toContain('hit')
  })

  it('joins only requests that select the same variant', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(async (request) => {
      await gate.promise
      return byFoo(request)
    })
    const answers = ['1', '2', '1', '2', '1'].map((foo) => cache.get('/', { foo }))
    await rest()
    expect(cache.asked).toHaveLength(1)
    gate.resolve()
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(['foo=1', 'foo=2', 'foo=1', 'foo=2', 'foo=1'])
    expect(cache.asked).toHaveLength(2)
  })
})

describe('conditional requests (RFC 9111, section 4.3.2)', () => {
  const modified = 'Sun, 06 Nov 1994 08:49:37 GMT'
  it.each([
    ['the ETag', { ETag: '"a"' }, { 'If-None-Match': '"a"' }, 304],
    ['one of several', { ETag: '"a"' }, { 'If-None-Match': '"1", W/"a", "2"' }, 304],
    ['a weak ETag', { ETag: 'W/"a"' }, { 'If-None-Match': 'W/"a"' }, 304],
    ['any', { ETag: '"a"' }, { 'If-None-Match': '*' }, 304],
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
    ['no date', { 'Last-Modified': modified }, { 'If-Modified-Since': 'x' }, 200],
    [
      'the Date without Last-Modified',
      { Date: modified, Age: '0', 'Cache-Control': 's-maxage=2147483648' },
      { 'If-Modified-Since': modified },
      304,
    ],
  ])('%s', async (_, headers, request, status) => {
    const cache = startCache()
    cache.serve(() => cacheable('page', headers))
    await cache.get()
    const answer = await cache.get('/', request as Record<string, string>)
    expect([answer.status, answer.body]).toEqual([status, status === 304 ? '' : 'page'])
    expect(answer.cacheStatus).toContain('hit')
    if (status === 304)
      expect([answer.headers.has('cache-control'), answer.headers.has('content-type')]).toEqual([true, false])
  })

  it('are answered by a generated ETag, which is never sent to the handler', async () => {
    const cache = startCache()
    await cache.get()
    const etag = (await cache.get()).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    expect((await cache.get('/', { 'If-None-Match': etag })).status).toBe(304)
    cache.pass(100)
    await cache.get('/', { 'If-None-Match': etag })
    expect(cache.asked.at(-1)?.headers.has('if-none-match')).toBe(false)
    expect((await cache.get()).headers.get('etag')).toBe(etag)
  })

  it('of the first reader are answered without passing them to the handler', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { ETag: '"a"' }))
    expect((await cache.get('/', { 'If-None-Match': '"a"' })).status).toBe(304)
    await rest()
    expect(cache.asked[0]?.headers.has('if-none-match')).toBe(false)
    expect((await cache.get()).body).toBe('page')
    expect(cache.asked).toHaveLength(1)
  })

  it.each(['Range', 'If-Match', 'If-Unmodified-Since'])(
    '%s is the handler’s to judge when nothing is stored, and what comes is not',
    async (name) => {
      const cache = startCache()
      cache.serve(() => new Response('part', { status: 206, headers: { 'Cache-Control': 's-maxage=60' } }))
      expect(await cache.get('/', { [name]: 'x' })).toMatchObject({
        status: 206,
        body: 'part',
        cacheStatus: 'sitewright; fwd=uri-miss; fwd-status=206',
      })
      expect(cache.asked[0]?.headers.get(name)).toBe('x')
      cache.serve(() => cacheable('whole'))
      expect((await cache.get()).body).toBe('whole')
    },
  )

  it.each(['If-Match', 'If-Unmodified-Since'])('%s is ignored by a stored response', async (name) => {
    const cache = startCache()
    await cache.get()
    expect(await cache.get('/', { [name]: 'x' })).toMatchObject({ status: 200, cacheStatus: 'sitewright; hit; ttl=60' })
  })
})

describe('ranges of what is stored (RFC 9110, section 14)', () => {
  const modified = 'Sun, 06 Nov 1994 08:49:37 GMT'
  const headers = { ETag: '"a"', 'Last-Modified': modified, 'Content-Type': 'video/mp4' }
  const get = async (request: Record<string, string>, init: RequestInit = {}) => {
    const cache = startCache()
    cache.serve(() => cacheable('0123456789', headers))
    await cache.get()
    const answer = await cache.get('/', request, init)
    expect([cache.asked.length, answer.cacheStatus]).toEqual([1, 'sitewright; hit; ttl=60'])
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
  ])('%s', async (range, body, described) => {
    const answer = await get({ Range: range })
    expect(answer).toMatchObject({ status: 206, body })
    expect([answer.headers.get('content-range'), answer.headers.get('content-length')]).toEqual([
      described,
      String(body.length),
    ])
    expect([answer.headers.get('etag'), answer.headers.get('content-type')]).toEqual(['"a"', 'video/mp4'])
  })

  it.each(['bytes=10-', 'bytes=99999999999999999999-', 'bytes=-0'])('%s is not satisfiable', async (range) => {
    const answer = await get({ Range: range })
    expect([answer.status, answer.body, answer.headers.get('content-range')]).toEqual([416, '', 'bytes */10'])
    expect(answer.headers.has('content-length')).toBe(false)
  })

  it.each(['bytes=-', 'bytes=4-2', 'bytes=0-1,3-4', 'bytes=a-b', 'bytes', 'items=0-1', 'bytes=0x1-2'])(
    '%s gets the whole',
    async (range) => expect(await get({ Range: range })).toMatchObject({ status: 200, body: '0123456789' }),
  )

  it.each([
    ['the ETag', '"a"', {}, 206],
    ['another ETag', '"b"', {}, 200],
    ['a weak ETag', 'W/"a"', { ETag: 'W/"a"' }, 200],
    ['the date', modified, {}, 206],
    ['another date', 'Sun, 06 Nov 1994 08:49:38 GMT', {}, 200],
    ['the date of the second that it was sent in', modified, { Date: modified }, 200],
    ['nonsense', 'x', {}, 200],
  ])('If-Range with %s', async (_, condition, more, status) => {
    const cache = startCache()
    cache.serve(() => cacheable('0123456789', { ...headers, 'Cache-Control': `s-maxage=${2 ** 31}`, ...more }))
    await cache.get()
    expect((await cache.get('/', { Range: 'bytes=0-1', 'If-Range': condition })).status).toBe(status)
  })

  it('apply to GET and 200 only, and If-None-Match takes precedence', async () => {
    expect(await get({ Range: 'bytes=0-1' }, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
    expect(await get({ Range: 'bytes=0-1', 'If-None-Match': '"a"' })).toMatchObject({ status: 304 })
    const cache = startCache()
    cache.serve(() => cacheable('not here', {}, 404))
    await cache.get()
    expect(await cache.get('/', { Range: 'bytes=0-1' })).toMatchObject({ status: 404, body: 'not here' })
  })

  it('are not passed to the handler that revalidates a stale page', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('0123456789', { 'Cache-Control': 'max-age=60, stale-while-revalidate=60' }))
    await cache.get()
    cache.pass(61)
    const conditions = { 'If-Range': '"a"', 'If-Match': '"a"', 'If-Unmodified-Since': modified }
    expect(await cache.get('/', { Range: 'bytes=0-1', ...conditions })).toMatchObject({ status: 200 })
    await rest()
    expect(['range', ...Object.keys(conditions)].map((name) => cache.asked[1]?.headers.has(name))).not.toContain(true)
    expect((await cache.get('/', { Range: 'bytes=0-1' })).body).toBe('01')
  })
})

describe('validation (RFC 9111, section 4.3)', () => {
  it.each([
    ['ETag', '"a"', 'If-None-Match'],
    ['Last-Modified', 'Sun, 06 Nov 1994 08:49:37 GMT', 'If-Modified-Since'],
  ])('asks with %s, and freshens on a 304', async (validator, value, condition) => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { [validator]: value, 'X-A': '1', 'X-B': '1', 'Content-Type': 'text/x' }))
    await cache.get()
    cache.pass(61)
    cache.serve(
      () =>
        new Response(null, {
          status: 304,
          headers: { [validator]: value, 'X-A': '2', 'Content-Length': '9', 'Cache-Control': 's-maxage=100' },
        }),
    )
    const answer = await cache.get()
    expect(cache.asked.at(-1)?.headers.get(condition)).toBe(value)
    expect([answer.status, answer.body, answer.headers.get('x-a'), answer.headers.get('x-b')]).toEqual([
      200,
      'page',
      '2',
      '1',
    ])
    cache.pass(99)
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
  ])('a 304 updates %s: %s with %s to %s (section 3.2)', async (name, stored, said, kept) => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { ETag: '"a"', [name]: stored }))
    await cache.get()
    cache.pass(61)
    cache.serve(() => new Response(null, { status: 304, headers: { [name]: said } }))
    expect((await cache.get()).headers.get(name)).toBe(kept)
    expect((await cache.get()).headers.get(name)).toBe(kept)
  })

  it('answers 204 when a 304 confirms a stored 204 that may no longer be stored', async () => {
    const cache = startCache()
    const validator = { ETag: '"a"', 'Cache-Control': 's-maxage=1' }
    cache.serve(() => cacheable(null, validator, 204))
    await cache.get()
    cache.pass(2)
    cache.serve(() => new Response(null, { status: 304, headers: { ETag: '"a"', 'Cache-Control': 'no-store' } }))
    expect(await cache.get()).toMatchObject({ status: 204, body: '' })
  })

  it.each([
    ['asks again if it also had asked by time', { 'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 'new'],
    ['keeps page and ETag otherwise, since only the ETag can have matched', {}, 'old'],
  ])('when the 304 has another ETag, %s', async (_, dates, body) => {
    const cache = startCache()
    cache.serve(() => cacheable('old', { ETag: '"a"', ...dates }))
    await cache.get()
    cache.pass(61)
    cache.serve(({ headers }) =>
      headers.has('if-none-match')
        ? new Response(null, { status: 304, headers: { ETag: '"b"' } })
        : cacheable('new', { ETag: '"b"' }),
    )
    for (let time = 0; time < 2; time++) {
      const answer = await cache.get()
      expect([answer.body, answer.headers.get('etag')]).toEqual([body, body === 'old' ? '"a"' : '"b"'])
    }
    expect(cache.asked).toHaveLength(body === 'old' ? 2 : 3)
  })

  it('asks each time for no-cache', async () => {
    const cache = startCache()
    cache.serve(({ headers }) =>
      headers.get('if-none-match') === '"a"'
        ? new Response(null, { status: 304 })
        : cacheable('page', { 'Cache-Control': 'no-cache', ETag: '"a"' }),
    )
    for (let time = 0; time < 3; time++) expect((await cache.get()).body).toBe('page')
    expect(cache.asked).toHaveLength(3)
  })

  it('sends a cookie of a 304 to its own visitor only', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { ETag: '"a"' }))
    await cache.get()
    cache.pass(61)
    cache.serve(() => new Response(null, { status: 304, headers: { 'Set-Cookie': 'a=b' } }))
    const answer = await cache.get()
    expect([answer.body, answer.headers.get('set-cookie')]).toEqual(['page', 'a=b'])
    cache.serve(() => cacheable('new'))
    expect((await cache.get()).headers.get('set-cookie')).toBeNull()
  })
})

describe('request directives (RFC 9111, section 5.2.1)', () => {
  it.each(['no-cache', 'no-store', 'max-age=0', 'min-fresh=100'])(
    '%s asks the handler only by option',
    async (field) => {
      const cache = startCache()
      await cache.get()
      expect((await cache.get('/', { 'Cache-Control': field })).cacheStatus).toContain('hit')
      const obedient = startCache({ honorRequestCacheControl: true })
      await obedient.get()
      expect((await obedient.get('/', { 'Cache-Control': field })).cacheStatus).toContain('fwd=request')
    },
  )

  it('only-if-cached returns the stored response or 504', async () => {
    const cache = startCache()
    expect((await cache.get('/', { 'Cache-Control': 'only-if-cached' })).status).toBe(504)
    await cache.get()
    expect((await cache.get('/', { 'Cache-Control': 'only-if-cached' })).status).toBe(200)
    expect(cache.asked).toHaveLength(1)
  })

  it('no-store keeps the response from being stored', async () => {
    const cache = startCache({ honorRequestCacheControl: true })
    await cache.get('/', { 'Cache-Control': 'no-store' })
    expect((await cache.get()).cacheStatus).toContain('uri-miss')
  })
})

describe('stale (RFC 9111, section 4.2.4; RFC 5861)', () => {
  it('stale-while-revalidate serves the stale page, and revalidates without the visitor’s cookie', async () => {
    const cache = startCache()
    const control = { 'Cache-Control': 's-maxage=60, stale-while-revalidate=60' }
    cache.serve(() => cacheable('old', control))
    await cache.get()
    cache.pass(61)
    cache.serve(() => cacheable('new', control))
    const stale = await cache.get('/', { Cookie: 'a=b', Authorization: 'x' })
    expect([stale.body, stale.cacheStatus]).toEqual(['old', 'sitewright; hit; ttl=-1; detail=stale-while-revalidate'])
    await vi.waitFor(
      async () => expect(await cache.get()).toMatchObject({ body: 'new', cacheStatus: 'sitewright; hit; ttl=60' }),
      20_000,
    )
    expect(cache.asked.at(-1)?.headers.has('cookie')).toBe(false)
    expect(cache.asked).toHaveLength(2)
  })

  it.each(['must-revalidate', 'proxy-revalidate'])('%s forbids it', async (directive) => {
    const cache = startCache()
    cache.serve(() =>
      cacheable('old', { 'Cache-Control': `max-age=60, stale-while-revalidate=60, stale-if-error=60, ${directive}` }),
    )
    await cache.get()
    cache.pass(61)
    cache.serve(new Error('down'))
    await expect(cache.get()).rejects.toThrow('down')
  })

  it.each([
    ['throws', new Error('down')],
    ['answers 503', new Response('down', { status: 503 })],
    ['answers 500', new Response('down', { status: 500 })],
  ])('stale-if-error serves the stale page when the handler %s, with back-off', async (_, failure) => {
    const cache = startCache()
    cache.serve(() => cacheable('old', { 'Cache-Control': 's-maxage=60, stale-if-error=600' }))
    await cache.get()
    cache.pass(61)
    cache.serve(failure)
    for (let time = 0; time < 3; time++) {
      expect(await cache.get()).toMatchObject({
        status: 200,
        body: 'old',
        cacheStatus: 'sitewright; hit; ttl=-1; detail=stale-if-error',
      })
    }
    expect(cache.asked).toHaveLength(2)
  })

  it('a back-off ends with the first success, and is one second again after it', () => {
    let time = 0
    const backoff = createBackoff({ clock: () => time })
    const isActive = (client: string) => backoff.isActive('key', () => [client])
    for (let failure = 0; failure < 3; failure++) backoff.fail('key', 'a')
    time = 3_999
    expect([isActive('a'), isActive('b')]).toEqual([true, false])
    backoff.succeed('key', () => ['b'])
    expect(isActive('a')).toBe(true)
    backoff.succeed('key', () => ['a'])
    expect(isActive('a')).toBe(false)
    backoff.fail('key')
    expect([isActive('a'), isActive('b')]).toEqual([true, true])
    time += 1_000
    expect([isActive('a'), isActive('b')]).toEqual([false, false])
  })

  it('without stale-if-error the failure is passed on', async () => {
    const cache = startCache()
    await cache.get()
    cache.pass(61)
    cache.serve(() => new Response('down', { status: 503 }))
    expect((await cache.get()).status).toBe(503)
    cache.serve(new Error('down'))
    await expect(cache.get('/other')).rejects.toThrow('down')
  })

  it('a 404 replaces the stored page', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('old', { 'Cache-Control': 's-maxage=60, stale-while-revalidate=6000' }))
    await cache.get()
    cache.pass(61)
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

  it('HEAD is forwarded otherwise, and makes an outdated response stale (section 4.3.5)', async () => {
    const cache = startCache({ honorRequestCacheControl: true })
    const lifetime = 's-maxage=60, stale-if-error=1000'
    cache.serve(() => cacheable('page', { ETag: '"a"', 'Cache-Control': lifetime }))
    await cache.get('/', {}, { method: 'HEAD' })
    expect(cache.asked[0]?.method).toBe('HEAD')
    await cache.get()
    expect(cache.asked).toHaveLength(2)
    cache.pass(10)
    for (const [etag, isFresh] of [
      ['"a"', true],
      ['"b"', false],
    ] as const) {
      // biome-ignore format: rows
      cache.serve(() => cacheable(null, { ETag: etag }))
      await cache.get('/', { 'Cache-Control': 'no-cache' }, { method: 'HEAD' })
      cache.serve(new Response('down', { status: 503 }))
      const { body, cacheStatus, headers } = await cache.get()
      expect([body, headers.get('age'), cacheStatus.includes('ttl=50')]).toEqual(['page', '10', isFresh])
    }
    // Whoever sends such requests does not take the page from those who get it in place of an error.
    cache.pass(1_100)
    expect((await cache.get()).body).toBe('down')
  })

  it('HEAD brings no page back that was replaced while the handler took its time', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('old', { ETag: '"a"', 'Cache-Control': 's-maxage=60' }))
    await cache.get()
    await cache.invalidate(['document'])
    const late = deferred<Response>()
    cache.serve(({ method }) =>
      method === 'HEAD' ? late.promise : cacheable('new', { ETag: '"b"', 'Cache-Control': 's-maxage=60' }),
    )
    const head = cache.get('/', {}, { method: 'HEAD' })
    await cache.get()
    late.resolve(cacheable(null, { ETag: '"c"' }))
    await head
    expect(await cache.get()).toMatchObject({ body: 'new', cacheStatus: expect.stringContaining('hit; ttl=60') })
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'M-SEARCH'])(
    '%s invalidates its URL and those it names (section 4.4)',
    async (method) => {
      const cache = startCache()
      const paths = ['/', '/location', '/content', '/elsewhere']
      for (const path of paths) await cache.get(path)
      cache.serve(
        () =>
          new Response('', {
            status: 201,
            headers: { Location: '/location', 'Content-Location': 'https://site.test/content' },
          }),
      )
      expect((await cache.get('/', {}, { method })).cacheStatus).toBe('sitewright; fwd=method; fwd-status=201')
      cache.serve(() => cacheable('2'))
      const bodies = await Promise.all(paths.map(async (path) => (await cache.get(path)).body))
      expect(bodies).toEqual(['2', '2', '2', '1'])
    },
  )

  it('what a POST invalidates is invalidated on all instances that share the tag index', async () => {
    const here = startCache()
    const there = startCache({ tagIndex: here.tagIndex })
    there.serve(() => cacheable('1', { Vary: 'Foo' }))
    const paths = ['/?b=2', '/?a=1']
    for (const path of paths) for (const cache of [here, there]) await cache.get(path)
    here.serve(() => new Response('', { status: 201 }))
    await here.get('/?b=2', {}, { method: 'POST' })
    for (const cache of [here, there]) cache.serve(() => cacheable('2'))
    for (const cache of [here, there]) {
      expect(await Promise.all(paths.map(async (path) => (await cache.get(path)).body))).toEqual(['2', '1'])
    }
  })

  it('a POST to what is not stored, or without invalidateOnUnsafeMethods, purges nothing', async () => {
    const cache = startCache()
    const off = startCache({ invalidateOnUnsafeMethods: false })
    await off.get()
    for (let page = 0; page < 10; page++) await cache.get(`/${page}`, {}, { method: 'POST' })
    await off.get('/', {}, { method: 'POST' })
    for (const { tagIndex } of [cache, off]) expect(await tagIndex.stamp()).toMatchObject({ sequence: 0 })
  })

  it('a POST is answered also when the tag index fails', async () => {
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

  it('a POST that no route or a failing one answers invalidates nothing', async () => {
    const cache = startCache()
    await cache.get()
    cache.serve(undefined)
    await cache.get('/', {}, { method: 'POST' })
    cache.serve(new Error('down'))
    await expect(cache.get('/', {}, { method: 'POST' })).rejects.toThrow('down')
    expect((await cache.get()).cacheStatus).toContain('hit')
  })

  it('nothing is invalidated by methods without invalidateOnUnsafeMethods, stored or in flight', async () => {
    const cache = startCache({ invalidateOnUnsafeMethods: false })
    await cache.get()
    const gate = deferred()
    cache.serve(async ({ method }) => {
      if (method === 'GET') await gate.promise
      return cacheable('2', { Location: '/' })
    })
    const inFlight = cache.get('/slow')
    await rest()
    for (const path of ['/', '/slow']) expect((await cache.get(path, {}, { method: 'POST' })).status).toBe(200)
    gate.resolve()
    await inFlight
    for (const path of ['/', '/slow']) expect((await cache.get(path)).cacheStatus).toContain('hit')
  })

  it('a render in flight during a POST is not stored, and variants are removed', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(async () => {
      await gate.promise
      return cacheable('old', { Vary: 'Foo' })
    })
    const before = cache.get('/', { foo: '1' })
    await rest()
    cache.serve(() => new Response(''))
    await cache.get('/', {}, { method: 'POST' })
    gate.resolve()
    expect((await before).body).toBe('old')
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
    [{ heuristic: -1 }, /^heuristic: /],
    [{ tags: 'document' }, /^tags: /],
    [{ storeTimeout: Number.NaN }, /^storeTimeout: /],
    [{ ignoreQuery: ['*'] }, /^ignoreQuery: /],
  ])('%j is rejected', (wrong, message) => {
    const options = { store: memoryStore({ maxBytes: 1000 }), ...wrong } as Parameters<typeof createResponseCache>[0]
    expect(() => createResponseCache(options)).toThrow(message)
    expect(() => memoryStore({ maxBytes: 0 })).toThrow(/^maxBytes: /)
  })

  it('the handler receives no fields of the body or the connection', async () => {
    const cache = startCache()
    const headers = {
      'Content-Length': '5',
      'Transfer-Encoding': 'chunked',
      Connection: 'close',
      Expect: 'x',
      Accept: 'a',
    }
    await cache.get('/', headers)
    expect([...(cache.asked[0]?.headers.keys() ?? [])]).toEqual(['accept', 'host'])
  })

  it('the handler receives the host of the URL as Host, which the page is stored under', async () => {
    const cache = startCache()
    await cache.get('/', { Host: 'SITE.test:443' })
    expect(cache.asked[0]?.headers.get('host')).toBe('site.test')
  })

  it('an authorized HEAD does not remove the page of others', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('1', { 'Cache-Control': 'max-age=60', ETag: '"a"' }))
    await cache.get()
    cache.serve(() => cacheable(null, { 'Cache-Control': 'private', ETag: '"b"' }))
    await cache.get('/', { Authorization: 'Bearer x' }, { method: 'HEAD' })
    expect(await cache.get()).toMatchObject({ body: '1', cacheStatus: expect.stringContaining('hit') })
  })

  it('a partial response has no digest of the whole', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('whole', { 'Content-Digest': 'sha-256=:a:', 'Repr-Digest': 'sha-256=:a:' }))
    await cache.get()
    const { headers } = await cache.get('/', { Range: 'bytes=0-1' })
    expect([headers.has('content-digest'), headers.has('repr-digest')]).toEqual([false, true])
  })

  it('the option adds tags', async () => {
    const tags = vi.fn((request: { url: string }) => [`url-${new URL(request.url).pathname}`])
    const cache = startCache({ tags })
    await cache.get('/a')
    await cache.invalidate(['url-/b'])
    expect((await cache.get('/a')).cacheStatus).toContain('hit')
    await cache.invalidate(['url-/a'])
    expect((await cache.get('/a')).cacheStatus).toContain('fwd=stale')
  })

  it('a 304 without tags keeps the tags of header and option', async () => {
    const cache = startCache({ tags: ['option'] })
    cache.serve(() => cacheable('1', { ETag: '"a"', 'Cache-Control': 's-maxage=1' }))
    await cache.get()
    cache.pass(2)
    cache.serve(() => new Response(null, { status: 304, headers: { 'Cache-Control': 's-maxage=60' } }))
    expect((await cache.get()).headers.get('cache-tag')).toBe('document,option')
    for (const tag of ['document', 'option']) {
      expect((await cache.get()).cacheStatus).toContain('hit')
      await cache.invalidate([tag])
      cache.serve(() => cacheable('2'))
      expect((await cache.get()).cacheStatus).toContain('fwd=stale')
    }
  })
})

describe('variants of one URL', () => {
  const fields = ['User-Agent', 'Accept-Language', 'Accept', 'Cookie', 'X-Anything']
  it.each(fields)('of %s are bounded: they neither fill the store nor evict other pages', async (name) => {
    const store = memoryStore({ maxBytes: 1_000_000 })
    const [set, deleted] = [vi.spyOn(store, 'set'), vi.spyOn(store, 'delete')]
    const cache = startCache({ store })
    for (let page = 0; page < 10; page++) await cache.get(`/${page}`)
    const image = { Vary: name, 'Content-Type': 'image/png' }
    cache.serve(() => cacheable(new Uint8Array(5_000), image))
    set.mockClear()
    for (let number = 0; number < 1_000; number++) {
      await cache.get('/varied', { [name]: `image/x${number}` })
      // A visitor with an ordinary client, in between.
      if (number % 20 === 0) await cache.get('/varied', { [name]: 'image/webp' })
    }
    const stored = new Set(set.mock.calls.flatMap(([key, { kind }]) => (kind === 'response' ? [key] : [])))
    for (const [key] of deleted.mock.calls) stored.delete(key)
    expect(stored.size).toBe(64)
    expect(set.mock.calls.length).toBeLessThan(1_000 + 3)
    for (let page = 0; page < 10; page++) expect((await cache.get(`/${page}`)).cacheStatus).toContain('hit')
  })

  it('of generations that were invalidated count, too', async () => {
    const store = memoryStore({ maxBytes: 10_000_000 })
    const [set, deleted] = [vi.spyOn(store, 'set'), vi.spyOn(store, 'delete')]
    const cache = startCache({ store, maxVariants: 3 })
    cache.serve(() => cacheable('page', { Vary: 'Cookie' }))
    for (let number = 0; number < 20; number++) {
      await cache.get('/', { Cookie: `a=${number % 5}` })
      if (number % 4 === 0) await cache.get('/', {}, { method: 'POST' })
    }
    const stored = new Set(set.mock.calls.flatMap(([key, { kind }]) => (kind === 'response' ? [key] : [])))
    for (const [key] of deleted.mock.calls) stored.delete(key)
    expect(stored.size).toBe(3)
  })
})

describe('renders that no client waits for', () => {
  const hang = () => {
    const open = { count: 0, most: 0 }
    const page = () => {
      const close = () => void open.count--
      open.most = Math.max(open.most, ++open.count)
      return cacheable(new ReadableStream({ cancel: close }), { ETag: '"a"' })
    }
    return { open, page }
  }

  it.each(['*', '"a"'])(
    'are bounded: those of clients that have the page already, by If-None-Match: %s',
    async (etag) => {
      const cache = startCache({ maxBackgroundRenders: 6 })
      const { open, page } = hang()
      cache.serve(page)
      for (let number = 0; number < 20; number++) {
        const { status, cacheStatus } = await cache.get(`/${number}`, { 'If-None-Match': etag })
        expect([status, cacheStatus.includes('stored')]).toEqual([304, number < 3])
      }
      await rest()
      expect(open.count).toBe(3)
    },
  )

  it('are bounded: those of stale pages, which are served as they are meanwhile', async () => {
    const cache = startCache({ maxBackgroundRenders: 3, refreshTimeout: 1_000 })
    for (let number = 0; number < 6; number++) await cache.get(`/${number}`)
    await cache.invalidate(['document'], { mode: 'soft' })
    const { open, page } = hang()
    cache.serve(page)
    for (let number = 0; number < 6; number++) expect((await cache.get(`/${number}`)).body).toBe('1')
    await rest()
    expect(open).toEqual({ count: 3, most: 3 })
    await cache.get('/other', { 'If-None-Match': '*' })
    await rest()
    expect(open.count).toBe(3)
    // A render that hangs gives its place back after refreshTimeout.
    await vi.waitFor(() => expect(open.count).toBe(0), 20_000)
    cache.serve(() => cacheable('2'))
    await vi.waitFor(async () => expect((await cache.get('/5')).body).toBe('2'), 20_000)
  })

  it.each<[string, Record<string, string>, () => Promise<Response>, (number: number) => Record<string, string>]>([
    ['that clients have left', {}, () => new Promise(() => {}), () => ({})],
    ['of clients that have the page already', { 'If-None-Match': '*' }, async () => hang().page(), () => ({})],
    [
      'behind ingress-nginx',
      {},
      () => new Promise(() => {}),
      (number) => ({ 'X-Scheme': 'https', 'X-Request-ID': `${number}` }),
    ],
    ['behind Varnish', {}, () => new Promise(() => {}), (number) => ({ 'X-Varnish': `${number}` })],
    [
      'on Azure',
      {},
      () => new Promise(() => {}),
      (number) => ({ 'X-ARR-LOG-ID': `${number}`, 'WAS-DEFAULT-HOSTNAME': 'a.test' }),
    ],
    ['on Render', {}, () => new Promise(() => {}), (number) => ({ 'Rndr-Id': `${number}` })],
  ])('of stale pages have room beside those %s', async (_, headers, page, proxy) => {
    const cache = startCache({ maxBackgroundRenders: 4 })
    await cache.get('/stale', proxy(100))
    await cache.invalidate(['document'], { mode: 'soft' })
    cache.serve((request) => (request.url.endsWith('/stale') ? cacheable('2') : page()))
    const client = new AbortController()
    for (let number = 0; number < 8; number++) {
      void cache.get(`/${number}`, { ...headers, ...proxy(number) }, { signal: client.signal }).catch(() => {})
    }
    await rest()
    client.abort()
    await rest()
    expect((await cache.get('/stale', proxy(101))).body).toBe('1')
    await vi.waitFor(async () => expect((await cache.get('/stale', proxy(102))).body).toBe('2'), 20_000)
  })

  it('are aborted beyond it when their client leaves before the response', async () => {
    const cache = startCache({ maxBackgroundRenders: 0 })
    cache.serve(() => new Promise(() => {}))
    const client = new AbortController()
    const visit = cache.get('/', { 'If-None-Match': '*' }, { signal: client.signal })
    await rest()
    client.abort(new Error('left'))
    await expect(visit).rejects.toThrow('left')
    expect(cache.asked[0]?.signal.aborted).toBe(true)
  })
})

describe('the record of what a URL varies by', () => {
  it('lives as long as the responses that it leads to, and hardly longer', async () => {
    const cache = startCache()
    cache.serve(({ headers }) => cacheable(headers.get('foo'), { Vary: 'Foo', 'Cache-Control': 's-maxage=100' }))
    const visit = (foo: string) => cache.get('/', { foo })
    await visit('a')
    const ttl = async () => (await cache.store.get('https://site.test/'))?.entry.ttl
    expect(await ttl()).toBe(200)
    // It is not written again for each response.
    cache.pass(90)
    await visit('b')
    expect(await ttl()).toBe(200)
    // But when it would be gone before one of them.
    cache.pass(20)
    await visit('c')
    cache.pass(95)
    expect((await visit('c')).cacheStatus).toContain('hit')
    cache.pass(200)
    expect(await ttl()).toBeUndefined()
  })
})

describe('exposeTags: false', () => {
  it('keeps Cache-Tag from clients, and purges by it all the same', async () => {
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

describe('a HEAD or a range of what is not stored', () => {
  const requests: [string, Record<string, string>, RequestInit][] = [
    ['HEAD', {}, { method: 'HEAD' }],
    ['a range', { range: 'bytes=0-1' }, {}],
  ]
  describe('stores what was rendered in the background for nobody, though the page begins to vary by', () => {
    it.each(['cookie', 'authorization'])('%s', async (name) => {
      const cache = startCache({ fillInBackground: true, tags: ['document'] })
      const varied = ({ headers }: Request) =>
        cacheable(`for ${headers.get(name)}`, { Vary: name, 'Cache-Control': 'public, max-age=60' })
      const secret = { [name]: 'lang=de' }
      const fetchOwn = async (path: string) => (await cache.get(path, secret)).body

      cache.serve(varied)
      if (name === 'cookie') {
        await cache.get('/head', secret, { method: 'HEAD' })
        await rest()
        expect(await fetchOwn('/head')).toBe('for lang=de')
      }

      for (const [path, makeStale] of [
        ['/stale', () => cache.pass(2)],
        ['/purged', () => cache.invalidate(['document'], { mode: 'soft' })],
      ] as const) {
        cache.serve(() =>
          cacheable('old', {
            'Cache-Control': 'public, max-age=1, stale-while-revalidate=60',
            'Cache-Tag': 'document',
          }),
        )
        await cache.get(path)
        await makeStale()
        cache.serve(varied)
        expect(await fetchOwn(path)).toBe('old')
        await rest()
        expect(await fetchOwn(path)).toBe('for lang=de')
        expect(await fetchOwn(path)).toBe('for lang=de')
      }
    })
  })

  it.each(requests)('%s leads to a render in the background with fillInBackground', async (_, headers, init) => {
    const cache = startCache({ fillInBackground: true })
    cache.serve((request) => (request.headers.has('range') ? new Response('pa', { status: 206 }) : cacheable('page')))
    for (let time = 0; time < 3; time++) await cache.get('/', { cookie: 'id=1', ...headers }, init)
    const stored = () => cache.get('/', { 'cache-control': 'only-if-cached' })
    await vi.waitFor(async () => expect(await stored()).toMatchObject({ status: 200, body: 'page' }), 20_000)
    const fills = cache.asked.filter(({ method, headers }) => method === 'GET' && !headers.has('range'))
    expect(fills.map(({ headers }) => headers.get('cookie'))).toEqual([null])
  })

  it.each(requests)(
    '%s is no reason to render again what turned out not to be for the store',
    async (_, headers, init) => {
      const cache = startCache({ fillInBackground: true })
      cache.serve(() => new Response('page', { headers: { 'Cache-Control': 'private' } }))
      for (let time = 0; time < 3; time++) {
        await cache.get('/', headers, init)
        await rest()
      }
      expect(cache.asked.filter(({ method, headers }) => method === 'GET' && !headers.has('range'))).toHaveLength(1)
    },
  )

  it.each(requests)('%s stores nothing by default, or with Authorization', async (_, headers, init) => {
    for (const fillInBackground of [false, true]) {
      const cache = startCache({ fillInBackground })
      await cache.get('/', { ...headers, ...(fillInBackground && { authorization: 'Basic eA==' }) }, init)
      await rest()
      expect(cache.asked).toHaveLength(1)
    }
  })
})
