import { describe, expect, it } from 'vitest'
import { cacheable, deferred, rest, startCache } from '../testing/harness.js'

/** Starts a cache whose handler answers when the test lets it. */
function startSlow(answer: (request: Request) => Response) {
  const cache = startCache()
  let pending: (() => void)[] = []
  cache.serve(async (request) => {
    const turn = deferred()
    pending.push(turn.resolve)
    await turn.promise
    return answer(request)
  })
  return {
    ...cache,
    /** Returns how many requests the handler has not answered yet. */
    async countPending() {
      await rest()
      return pending.length
    },
    /** Answers them. */
    release() {
      for (const resolve of pending) resolve()
      pending = []
    },
  }
}

const personal = (request: Request) =>
  new Response(request.headers.get('cookie'), { headers: { 'Cache-Control': 'private' } })
const withCookie = () => cacheable('hello', { 'Set-Cookie': 'id=1' })
const isLoggedIn = ({ headers }: Request) => headers.get('cookie') === 'session=1'
const bodies = (answers: { body: string }[]) => answers.map(({ body }) => body)

describe('a response that is not shared', () => {
  it.each([
    ['is private', personal],
    ['sets a cookie', withCookie],
  ])('since it %s, for the one who came first, leads to one render for all others', async (_, answerFirst) => {
    const cache = startSlow((request) => (isLoggedIn(request) ? answerFirst(request) : cacheable('page')))
    const first = cache.get('/', { cookie: 'session=1' })
    const others = Array.from({ length: 200 }, (_, number) => cache.get('/', { cookie: `id=${number}` }))
    expect(await cache.countPending()).toBe(1)
    cache.release()
    expect((await first).body).not.toBe('page')
    expect(await cache.countPending()).toBe(1)
    cache.release()
    expect(new Set(bodies(await Promise.all(others)))).toEqual(new Set(['page']))
    expect(cache.asked).toHaveLength(2)
    expect((await cache.get('/', { cookie: 'session=1' })).cacheStatus).toContain('hit')
  })

  it.each([
    ['clients alike', withCookie, () => ({})],
    ['anybody', personal, (number: number) => ({ cookie: `id=${number}` })],
  ])(
    'with %s leads to one render for each, soon of all at once',
    async (_, answer, headersOf: (number: number) => { cookie?: string }) => {
      const cache = startSlow(answer)
      const visit = (number: number) => cache.get('/', headersOf(number))
      const visits = Array.from({ length: 100 }, (_, number) => visit(number))
      const rounds: number[] = []
      for (let pending = await cache.countPending(); pending > 0; pending = await cache.countPending()) {
        rounds.push(pending)
        cache.release()
      }
      expect(rounds).toEqual([1, 1, 2, 4, 8, 16, 32, 36])
      visits.push(...Array.from({ length: 100 }, (_, number) => visit(number)))
      expect(await cache.countPending()).toBe(100)
      cache.release()
      expect(bodies(await Promise.all(visits))).toEqual(
        Array.from({ length: 200 }, (_, number) => headersOf(number % 100).cookie ?? 'hello'),
      )
    },
  )

  it('with one client again and again is still rendered once for all others', async () => {
    const cache = startSlow((request) => (isLoggedIn(request) ? personal(request) : cacheable('page')))
    const others: ReturnType<typeof cache.get>[] = []
    const attacks = [cache.get('/', { cookie: 'session=1' })]
    expect(await cache.countPending()).toBe(1)
    cache.release()
    await rest()
    for (let number = 0; number < 50; number++) {
      others.push(cache.get('/', number % 2 ? { cookie: `id=${number}` } : {}))
      await rest()
      attacks.push(cache.get('/', { cookie: 'session=1' }))
    }
    // They wait as well.
    expect(await cache.countPending()).toBe(1)
    cache.release()
    expect(new Set(bodies(await Promise.all(others)))).toEqual(new Set(['page']))
    await Promise.all(attacks)
    expect(cache.asked.filter((request) => !isLoggedIn(request))).toHaveLength(1)
  })

  it.each([
    ['one client', { cookie: 'session=1' }],
    ['anybody', {}],
  ])(
    'since it is private, for %s, keeps the page that stands in for a failure',
    async (_, headers: Record<string, string>) => {
      const cache = startCache()
      cache.serve(() => cacheable('page', { 'Cache-Control': 'max-age=60, stale-if-error=1000' }))
      await cache.get()
      cache.pass(61)
      cache.serve(personal)
      await cache.get('/', headers)
      cache.serve(new Response('down', { status: 503 }))
      expect((await cache.get()).body).toBe('page')
    },
  )

  it.each([
    ['404', () => new Response('gone', { status: 404 })],
    ['private', () => new Response('gone', { headers: { 'Cache-Control': 'private' } })],
    ['too large', () => cacheable('gone', { 'Content-Length': '4' })],
  ])('while it is revalidated (%s), is shown instead of the old page from then on', async (_, answer) => {
    const cache = startCache({ maxBodyBytes: 3 })
    cache.serve(() => cacheable('old', { 'Cache-Control': 's-maxage=60, stale-while-revalidate=99999' }))
    await cache.get()
    cache.pass(61)
    cache.serve(answer)
    expect((await cache.get()).body).toBe('old')
    await rest()
    for (let visit = 0; visit < 3; visit++) expect((await cache.get()).body).toBe('gone')
    cache.serve(() => cacheable('new', { 'Cache-Control': 's-maxage=60, stale-while-revalidate=99999' }))
    for (let visit = 0; visit < 2; visit++) expect((await cache.get()).body).toBe('new')
    cache.pass(61)
    expect((await cache.get()).cacheStatus).toContain('stale-while-revalidate')
  })

  it.each([400, 404])('with %i to one client with an unusual field is no reason to let others wait', async (status) => {
    const cache = startCache()
    cache.serve(() => cacheable('old', { 'Cache-Control': 's-maxage=60, stale-while-revalidate=99999' }))
    await cache.get()
    cache.pass(61)
    cache.serve(({ headers }) => (headers.has('x-theme') ? new Response('odd', { status }) : new Promise(() => {})))
    expect((await cache.get('/', { 'x-theme': 'odd' })).body).toBe('old')
    await rest()
    expect((await cache.get()).cacheStatus).toContain('stale-while-revalidate')
    expect(cache.asked).toHaveLength(3)
  })
})

describe('a response for one visitor, of a client that has it', () => {
  const etag = '"1"'
  it.each(['private', 'no-store', 'private, no-cache'])(
    'is a 304 with what is for the visitor: %s',
    async (directives) => {
      const cache = startCache()
      cache.serve(
        () =>
          new Response('own', {
            headers: {
              ETag: etag,
              'Cache-Control': directives,
              'Set-Cookie': 'a=1',
              'Content-Length': '3',
              'X-Own': '1',
            },
          }),
      )
      for (let visit = 0; visit < 3; visit++) {
        const { status, headers, body } = await cache.get('/', { 'if-none-match': `W/"0", ${etag}` })
        expect({ status, body, ...Object.fromEntries(headers) }).toEqual({
          status: 304,
          body: '',
          etag,
          'cache-control': directives,
          'set-cookie': 'a=1',
          'x-own': '1',
          'cache-tag': 'document',
          'cache-status': expect.stringMatching(/^sitewright; fwd=uri-miss; fwd-status=200/),
        })
      }
      expect(await cache.get('/', { 'if-none-match': '"2"' })).toMatchObject({ status: 200, body: 'own' })
    },
  )

  it('is whole where only its time is the same, and where it is no 200', async () => {
    const cache = startCache()
    const lastModified = 'Sun, 06 Nov 1994 08:49:37 GMT'
    const headers = { 'Last-Modified': lastModified, 'Cache-Control': 'private' }
    cache.serve(() => new Response('own', { headers }))
    expect(await cache.get('/', { 'if-modified-since': lastModified })).toMatchObject({ status: 200, body: 'own' })
    cache.serve(() => new Response('own', { headers: { ...headers, ETag: etag }, status: 403 }))
    expect(await cache.get('/', { 'if-none-match': etag })).toMatchObject({ status: 403, body: 'own' })
  })
})
