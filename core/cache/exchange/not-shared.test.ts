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
    const others = Array.from({ length: 200 }, (_, number) =>
      cache.get('/', number % 2 ? { cookie: `id=${number}` } : {}),
    )
    expect(await cache.countPending()).toBe(1)
    cache.release()
    expect((await first).body).not.toBe('page')
    expect(await cache.countPending()).toBe(1)
    cache.release()
    expect(new Set(bodies(await Promise.all(others)))).toEqual(new Set(['page']))
    expect(cache.asked).toHaveLength(2)
    expect((await cache.get('/', { cookie: 'session=1' })).cacheStatus).toContain('hit')
  })

  it('with clients alike leads to one render for each, and nobody waits for another’s any more', async () => {
    const cache = startSlow(withCookie)
    const visits = Array.from({ length: 100 }, () => cache.get())
    expect(await cache.countPending()).toBe(1)
    cache.release()
    expect(await cache.countPending()).toBe(99)
    visits.push(cache.get())
    expect(await cache.countPending()).toBe(100)
    cache.release()
    expect(new Set(bodies(await Promise.all(visits)))).toEqual(new Set(['hello']))
    expect(cache.asked).toHaveLength(101)
  })

  it('with anybody is waited for twice at most, and not by those who come later', async () => {
    const cache = startSlow(personal)
    const cookies = Array.from({ length: 100 }, (_, number) => `id=${number}`)
    const visits = cookies.map((cookie) => cache.get('/', { cookie }))
    expect(await cache.countPending()).toBe(1)
    cache.release()
    expect(await cache.countPending()).toBe(1)
    const late = cache.get('/', { cookie: 'id=late' })
    expect(await cache.countPending()).toBe(2)
    cache.release()
    expect((await late).body).toBe('id=late')
    expect(await cache.countPending()).toBe(98)
    cache.release()
    expect(bodies(await Promise.all(visits))).toEqual(cookies)
    expect(cache.asked).toHaveLength(101)
  })

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
    expect(await cache.countPending()).toBe(51)
    cache.release()
    expect(new Set(bodies(await Promise.all(others)))).toEqual(new Set(['page']))
    await Promise.all(attacks)
    expect(cache.asked.filter((request) => !isLoggedIn(request))).toHaveLength(1)
  })

  it.each([
    ['keeps the page that stands in for a failure', { cookie: 'session=1' }, 200],
    ['with anybody ends that', {}, 503],
  ])('since it is private, for one client, %s', async (_, headers: Record<string, string>, status) => {
    const cache = startCache()
    cache.serve(() => cacheable('page', { 'Cache-Control': 'max-age=60, stale-if-error=1000' }))
    await cache.get()
    cache.pass(61)
    cache.serve(personal)
    await cache.get('/', headers)
    cache.serve(new Response('down', { status: 503 }))
    expect((await cache.get()).status).toBe(status)
  })
})
