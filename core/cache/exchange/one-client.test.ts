import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cacheable, deferred, rest, startCache } from '../testing/harness.js'

const visitors = 30
const lifetimes = ['s-maxage=60, stale-if-error=9999', 's-maxage=60, stale-while-revalidate=9999'] as const

/** What a request of the stranger has besides those of visitors, and what the handler does to it. */
const fields = {
  bot: ['user-agent', 'bot'],
  language: ['accept-language', 'zz'],
  prefetch: ['sec-purpose', 'prefetch'],
  session: ['cookie', 'session=1'],
  header: ['x-odd', '1'],
} as const
const answers = {
  forbidden: () => new Response('no', { status: 403 }),
  missing: () =>
    new Response('none', { status: 404, headers: { 'Cache-Control': 'no-store', Vary: 'Accept-Language' } }),
  moved: () => new Response(null, { status: 302, headers: { Location: '/other' } }),
  private: () => new Response('mine', { headers: { 'Cache-Control': 'private' } }),
  unacceptable: () => new Response('no', { status: 406 }),
  broken: () => new Response('broken', { status: 500 }),
  throws: () => {
    throw new Error('odd request')
  },
  // The page: the client has it already, or leaves before it is there.
  known: undefined,
  leaves: undefined,
} as const
type Answer = keyof typeof answers

const attack = record({
  field: constantFrom(...(Object.keys(fields) as (keyof typeof fields)[])),
  answer: constantFrom(...(Object.keys(answers) as Answer[])),
})
type Attack = { field: keyof typeof fields; answer: Answer }

describe('an error for one client, which has kept the lifetime of the page,', () => {
  const lifetime = { 'Cache-Control': 'public, max-age=1, stale-while-revalidate=600, stale-if-error=600' }
  const statuses = [400, 401, 403, 404, 405, 406, 410, 413, 414, 421, 429, 431, 451, 500, 502, 503, 504]

  it.each(statuses)('%i, is stored for nobody, and replaces no page', async (status) => {
    const cache = startCache()
    cache.serve(({ headers }) =>
      headers.has('x-odd')
        ? new Response('odd', { status, headers: { 'Cache-Control': 'public, s-maxage=86400' } })
        : cacheable('page', lifetime),
    )
    const odd = () => cache.get('/', { 'x-odd': '1' })
    expect((await odd()).status).toBe(status)
    expect((await cache.get()).body).toBe('page')
    // By a request of the client, and by a render in the background that it leads to.
    for (let round = 0; round < 3; round++) {
      cache.pass(2)
      await odd()
      await rest()
      expect((await cache.get()).body).toBe('page')
    }
  })
})

it.each([
  ['breaks off', undefined],
  ['is shorter than Content-Length says', '5'],
])('a body that %s for one client does so for others once, and not whenever he leads', async (_, length) => {
  const cache = startCache()
  const endings: (() => void)[] = []
  const respondToBot = () => {
    const start = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new TextEncoder().encode('page'))
      endings.push(() => (length ? controller.close() : controller.error(new Error('odd request'))))
    }
    return cacheable(new ReadableStream({ start }), length ? { 'Content-Length': length } : {})
  }
  cache.serve(({ headers }) => (headers.get('user-agent') === 'bot' ? respondToBot() : cacheable('pages')))
  const visit = async () => {
    const bot = cache.get('/', { 'user-agent': 'bot' }).catch(() => 'broken')
    await rest()
    const others = Array.from({ length: 5 }, () =>
      cache
        .get()
        .then(({ body }) => body)
        .catch(() => 'broken'),
    )
    await rest()
    endings.at(-1)?.()
    await bot
    return new Set(await Promise.all(others))
  }
  await visit()
  expect(await visit()).toEqual(new Set(['pages']))
  expect(cache.asked).toHaveLength(3)
  expect(await cache.get()).toMatchObject({ body: 'pages', cacheStatus: expect.stringContaining('hit') })
})

it('a client that leaves while the body streams does not keep those who join later waiting for all of it', async () => {
  const cache = startCache()
  const ends: (() => void)[] = []
  cache.serve(({ signal }) => {
    const start = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new TextEncoder().encode('page'))
      signal.addEventListener('abort', () => controller.error(signal.reason))
      ends.push(() => controller.close())
    }
    return cacheable(new ReadableStream({ start }))
  })
  const leaving = new AbortController()
  const init = { headers: { authorization: 'Basic x' }, signal: leaving.signal }
  const left = await cache.wrapped(new Request('https://site.test/', init))
  await left?.body?.cancel()
  leaving.abort()
  await rest()
  const first = cache.get()
  await rest()
  // Its head is there before the body has ended.
  const second = await cache.wrapped(new Request('https://site.test/'))
  ends.at(-1)?.()
  expect([(await first).body, await second?.text()]).toEqual(['page', 'page'])
  expect(ends).toHaveLength(2)
})

/** Starts a cache whose handler answers when the test lets it, each client as its `forwarded` field says. */
function startSite(options: { lifetime: string; varies: boolean; slots: number }) {
  const cache = startCache({ maxBackgroundRenders: options.slots })
  let pending: (() => void)[] = []
  let isDown = false
  cache.serve(async ({ headers }) => {
    const turn = deferred()
    pending.push(turn.resolve)
    await turn.promise
    const answer = answers[headers.get('forwarded') as Answer]
    if (answer) return answer()
    if (isDown) return new Response('down', { status: 503 })
    const vary: Record<string, string> = options.varies ? { Vary: 'Accept-Language' } : {}
    return cacheable('page', { 'Cache-Control': options.lifetime, ETag: '"1"', ...vary })
  })
  const settle = async (requests: Promise<unknown>[]) => {
    let isSettled = false
    const all = Promise.allSettled(requests).then(() => {
      isSettled = true
    })
    while (!isSettled) {
      await rest(0)
      for (const resolve of pending) resolve()
      pending = []
    }
    await all
  }
  const visit = (number: number) => cache.get('/', { 'user-agent': `Browser ${number}`, 'accept-language': 'de' })
  const attackBy = ({ field, answer }: Attack) => {
    const [name, value] = fields[field]
    const headers = { [name]: value, forwarded: answer, ...(answer === 'known' && { 'if-none-match': '*' }) }
    if (answer !== 'leaves') return cache.get('/', headers).catch(() => undefined)
    const client = new AbortController()
    const request = cache.get('/', headers, { signal: client.signal }).catch(() => undefined)
    return rest(0).then(() => {
      client.abort()
      return request
    })
  }
  return {
    ...cache,
    settle,
    visit,
    attackBy,
    goDown() {
      isDown = true
    },
    countRenders: () => cache.asked.filter(({ headers }) => !headers.has('forwarded')).length,
  }
}

const attacks = (maxLength: number) => array(attack, { maxLength })
const scenario = record({
  before: attacks(4),
  first: attacks(4),
  among: attacks(4),
  stale: attacks(4),
  lifetime: constantFrom(...lifetimes),
  varies: boolean(),
  slots: integer({ min: 1, max: 2 }),
})

describe('what one client’s request changes for others', () => {
  it('is one render at most, and never that there is no page, whatever the handler answers it, and by which field', async () => {
    const property = asyncProperty(scenario, async ({ before, first, among, stale, ...options }) => {
      const site = startSite(options)
      for (const each of before) await site.settle([site.attackBy(each)])
      const strangers = first.map(site.attackBy)
      const visits = Array.from({ length: visitors }, (_, number) => {
        const each = among[number]
        if (each) strangers.push(site.attackBy(each))
        return site.visit(number)
      })
      await site.settle([...strangers, ...visits])
      for (const { body, status } of await Promise.all(visits)) expect([status, body]).toEqual([200, 'page'])
      const requests = before.length + first.length + among.length
      expect(site.countRenders()).toBeLessThanOrEqual(1 + requests)

      site.pass(100)
      for (const each of stale) await site.settle([site.attackBy(each)])
      site.goDown()
      const late = Array.from({ length: visitors }, (_, number) => site.visit(number))
      await site.settle(late)
      for (const { body, status } of await Promise.all(late)) expect([status, body]).toEqual([200, 'page'])
    })
    await assert(property, { numRuns: 50 })
  })

  it.each([
    ['joined its render', 1, (visits: () => void) => visits()],
    ['come once it has ended', 2, (visits: () => void) => void rest().then(visits)],
  ])('is nothing for those who %s, though it has the page, and no slot is left', async (_, expected, begin) => {
    const cache = startCache({ maxBackgroundRenders: 1 })
    const hung = new AbortController()
    cache.serve(() => new Promise(() => {}))
    const left = cache.get('/hangs', {}, { signal: hung.signal }).catch(() => {})
    await rest()
    hung.abort()
    await left

    const head = deferred()
    cache.serve(async () => {
      await head.promise
      return cacheable('page', { ETag: '"1"' })
    })
    const known = cache.get('/', { 'if-none-match': '*' })
    await rest()
    const visits: ReturnType<typeof cache.get>[] = []
    begin(() => visits.push(...Array.from({ length: visitors }, () => cache.get())))
    head.resolve()
    expect((await known).status).toBe(304)
    await rest(20)
    expect(visits).toHaveLength(visitors)
    for (const { body } of await Promise.all(visits)) expect(body).toBe('page')
    expect(cache.asked).toHaveLength(1 + expected)
  })

  it('is not that the page is lost, when both are the first of one that varies', async () => {
    const cache = startCache()
    cache.serve(async ({ headers }) => {
      await rest(0)
      return cacheable(headers.get('accept-language'), { Vary: 'Accept-Language' })
    })
    // A client with `Authorization` waits for no other.
    const first = ['de', 'zz'].map((language) =>
      cache.get('/', { 'accept-language': language, authorization: `Basic ${language}` }),
    )
    await Promise.all(first)
    for (const language of ['de', 'zz']) {
      const { body, cacheStatus } = await cache.get('/', { 'accept-language': language })
      expect([body, cacheStatus]).toEqual([language, expect.stringContaining('hit')])
    }
  })
})

describe('what strangers make up', () => {
  const refreshed = 's-maxage=60, stale-while-revalidate=9999'
  it.each([
    ['queries', (number: number) => `/?x=${number}`, {}, 200],
    ['paths where there is nothing', (number: number) => `/none/${number}`, {}, 404],
    ['variants of a page', () => '/varies', (number: number) => ({ 'accept-language': `x-${number}` }), 200],
  ])('such as %s does not keep pages from being refreshed', async (_, pathOf, headersOf, status) => {
    const cache = startCache({ maxBackgroundRenders: 8 })
    const visit = (number: number) =>
      cache.get(pathOf(number), typeof headersOf === 'function' ? headersOf(number) : headersOf)
    cache.serve(({ url }) => {
      const headers = { 'Cache-Control': refreshed, ...(url.endsWith('/varies') && { Vary: 'Accept-Language' }) }
      return cacheable('page', headers, url.endsWith('/page') ? 200 : status)
    })
    // Errors are stored when they are asked for once more.
    for (let number = 0; number < 40; number++) await visit(number % 20)
    await cache.get('/page')
    cache.pass(61)
    const asked = cache.asked.length
    cache.serve(() => new Promise(() => {}))
    for (let number = 0; number < 20; number++) expect((await visit(number)).cacheStatus).toContain('stale')
    expect(cache.asked.length - asked).toBeLessThanOrEqual(8 / 2 + 1)
    await cache.get('/page')
    expect(cache.asked.at(-1)?.url).toMatch(/\/page$/)
  })

  it('such as paths where there is nothing is stored no more than maxNewUrls a minute', async () => {
    const cache = startCache({ maxNewUrls: 5 })
    for (const status of [404, 410]) {
      cache.serve(() => cacheable('none', {}, status))
      for (let number = 0; number < 40; number++) await cache.get(`/${status}/${number % 20}`)
    }
    cache.serve(() => cacheable('page'))
    const stored = await Promise.all(
      Array.from({ length: 20 }, async (_, number) => (await cache.get(`/404/${number}`)).body === 'none'),
    )
    expect(stored.filter(Boolean)).toHaveLength(5)
    for (let number = 0; number < 20; number++) expect((await cache.get(`/${number}`)).cacheStatus).toContain('stored')
  })
})
