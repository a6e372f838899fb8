import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore, memoryTagIndex, type ResponseCacheOptions } from '../../core/cache/index.js'
import { errors } from '../../core/image/errors.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'

const read = (path: string) => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')
const page = read('troubleshooting.md')
const cures = read('guide/cache-status.md')

const fresh = { 'Cache-Control': 's-maxage=60' }
const stale = { 'Cache-Control': 's-maxage=0, stale-while-revalidate=60' }
const url = 'http://site.test/'
const failing = { ...memoryTagIndex(), stamp: () => Promise.reject(new Error('away')) }
const full = { ...memoryStore({ maxBytes: 1e6 }), set: () => false }

interface Case {
  headers?: Record<string, string>
  options?: Partial<ResponseCacheOptions>
  first?: RequestInit
  second?: RequestInit
  between?: 'soft' | 'hard'
  /** The handler's answers: the first one, and the others. */
  answers?: [(purge: () => unknown) => Response, () => Response]
  /** Whether the cache stands in front of the handler as of an app. */
  isApp?: true
}

/** Returns the Cache-Status of two requests, one after the other. */
async function statuses({ headers = fresh, options, first, second, between, answers, isApp }: Case): Promise<string[]> {
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }), log: () => {}, ...options })
  const answer = () => new Response('page', { headers })
  let renders = 0
  const [firstAnswer, otherAnswers] = answers ?? [answer, answer]
  const pages = cache[isApp ? 'inFrontOf' : 'wrap'](async () =>
    ++renders === 1 ? firstAnswer(() => cache.invalidate(['document'])) : otherAnswers(),
  )
  const ask = async (init?: RequestInit) => {
    const response = await pages(new Request(url, init))
    await response.text().catch(() => {})
    return response.headers.get('cache-status') ?? ''
  }
  const firstStatus = await ask(first)
  if (between) await cache.invalidate(['document'], { mode: between })
  return [firstStatus, await ask(second ?? first)]
}

const ok = () => new Response('page', { headers: fresh })
const statusOf = (status: number) => () => new Response(null, { status })

describe('what Cache-Status says', () => {
  const rows: [said: string, test: Case, status: RegExp][] = [
    ['hit; ttl=60', {}, /hit; ttl=\d+$/],
    ['detail=stale-while-revalidate', { headers: stale }, /hit; ttl=-?\d+; detail=stale-while-revalidate/],
    ['detail=soft-purged', { between: 'soft' }, /hit; .*detail=soft-purged/],
    [
      'detail=stale-if-error',
      {
        answers: [
          () => new Response('page', { headers: { 'Cache-Control': 'max-age=0, stale-if-error=60', ETag: '"a"' } }),
          statusOf(500),
        ],
      },
      /hit; .*detail=stale-if-error/,
    ],
    ['fwd=miss', { options: { fields: { 'X-A': true } }, second: { headers: { 'x-a': '1' } } }, /fwd=miss; .*stored/],
    ['fwd=stale', { between: 'hard' }, /fwd=stale; fwd-status=200; stored; detail=purged/],
    [
      'fwd=stale; fwd-status=304',
      {
        answers: [
          () => new Response('page', { headers: { 'Cache-Control': 'max-age=0, stale-if-error=60', ETag: '"a"' } }),
          statusOf(304),
        ],
      },
      /fwd=stale; fwd-status=304/,
    ],
    [
      'fwd=request',
      { options: { honorRequestCacheControl: true }, second: { headers: { 'Cache-Control': 'no-cache' } } },
      /fwd=request/,
    ],
    ['fwd=method', { first: { method: 'POST' } }, /fwd=method/],
    ['fwd=bypass', { options: { bypass: () => true } }, /fwd=bypass/],
  ]

  it.each(rows)('%s', async (sentence, test, status) => {
    expect(cures).toContain(sentence)
    expect((await statuses(test))[1]).toMatch(status)
  })

  it('in front of an app, a first request: fwd=uri-miss; detail=first', async () => {
    expect(cures).toContain('fwd=uri-miss; detail=first')
    const [first, second] = await statuses({ isApp: true })
    expect([first, second]).toEqual([expect.stringMatching(/detail=first$/), expect.stringMatching(/stored$/)])
  })

  it('a first request: fwd=uri-miss; stored', async () => {
    expect((await statuses({}))[0]).toMatch(/fwd=uri-miss; fwd-status=200; stored/)
  })
})

describe('each detail has a cure', () => {
  const withHeaders = (header: Record<string, string>): Case => ({ headers: { ...fresh, ...header } })
  const withRequest = (headers: Record<string, string>, options: Case['options'] = {}): Case => ({
    first: { headers },
    options,
  })
  const rows: [detail: string, test: Case, second?: true][] = [
    ['first', { isApp: true }],
    ['nonce', withHeaders({ 'Content-Security-Policy': "script-src 'nonce-a'" })],
    ['cookie', withRequest({ Cookie: 'session=a' })],
    ['authorization', withRequest({ Authorization: 'a' })],
    ['bypass', { options: { bypass: () => true } }],
    ['unknown-host', { options: { hosts: ['other.test'] } }],
    ['no-lifetime', { headers: { ETag: '"a"' } }],
    ['no-store', withHeaders({ 'CDN-Cache-Control': 'no-store' })],
    ['private', withHeaders({ 'Cache-Control': 'private, max-age=60' })],
    ['no-cache', withHeaders({ 'Cache-Control': 'no-cache' })],
    ['set-cookie', withHeaders({ 'Set-Cookie': 'a=b' })],
    ['vary-accept-language', withHeaders({ Vary: 'Accept-Language' })],
    ['vary-*', withHeaders({ Vary: '*' })],
    ['status', { answers: [statusOf(503), ok] }],
    ['status', { answers: [statusOf(429), ok] }],
    ['tags', { options: { tags: () => Array.from({ length: 10_001 }, (_, number) => `${number}`) } }],
    ['too-large', { headers: { ...fresh, 'Content-Length': '4' }, options: { maxBodyBytes: 1 } }],
    ['too-large', { options: { maxBodyBytes: 1 } }, true],
    ['too-large', withRequest({ 'X-Long': 'x'.repeat(8_192) }, { fields: { 'X-Long': true } })],
    ['broken-off', { answers: [() => new Response(brokenOff(), { headers: fresh }), ok] }, true],
    ['purged', { answers: [(purge) => new Response(purging(purge), { headers: fresh }), ok] }, true],
    ['store', { options: { store: full } }, true],
    ['tag-index-unavailable', { options: { tagIndex: failing } }],
    ['partial', { first: { method: 'HEAD' } }],
    ['partial', withRequest({ Range: 'bytes=0-0' })],
    ['request', withRequest({ 'Cache-Control': 'no-store' }, { honorRequestCacheControl: true })],
    ['only-if-cached', withRequest({ 'Cache-Control': 'only-if-cached' })],
    ['stale-while-revalidate', { headers: stale }, true],
    ['soft-purged', { between: 'soft' }, true],
    [
      'stale-if-error',
      {
        answers: [
          () => new Response('page', { headers: { 'Cache-Control': 'max-age=0, stale-if-error=60' } }),
          statusOf(500),
        ],
      },
      true,
    ],
  ]
  const listed = [...cures.matchAll(/^## (.+) \{#/gm)].flatMap(([, heading = '']) => heading.split(', '))

  it.each(rows)('%s', async (detail, test, isInSecond) => {
    expect(listed).toContain(detail.replace(/^vary-.*/, 'vary-…'))
    expect(cures).toContain(detail === 'vary-*' ? '`Vary: *`' : detail)
    const [first, second] = await statuses(test)
    expect(isInSecond ? second : first).toMatch(new RegExp(`; detail=${detail.replace('*', '\\*')}$`))
    if (!isInSecond) expect(first).not.toContain('stored')
  })

  it('each detail in the page is tested', () => {
    const tested = new Set(rows.map(([detail]) => detail.replace(/^vary-.*/, 'vary-…')))
    expect(listed.filter((detail) => !tested.has(detail))).toEqual([])
  })
})

/** Returns a body that ends with an error. */
function brokenOff(): ReadableStream {
  let pieces = 0
  return new ReadableStream({
    pull(controller) {
      if (pieces++ === 0) controller.enqueue(new TextEncoder().encode('pa'))
      else controller.error(new Error('broken off'))
    },
  })
}

/** Returns a body during which its page is purged. */
function purging(purge: () => unknown): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      await purge()
      controller.enqueue(new TextEncoder().encode('page'))
      controller.close()
    },
  })
}

describe('what is told', () => {
  it.each<[string, Case]>([
    ['Response cache: requests with this cookie pass the cache', { first: { headers: { Cookie: 'session=a' } } }],
    ['Response cache: pages that vary by this field are not stored', { headers: { ...fresh, Vary: 'Origin' } }],
  ])('%s', async (message, test) => {
    const log = vi.fn()
    await statuses({ ...test, options: { log } })
    expect(log).toHaveBeenCalledExactlyOnceWith(message, expect.anything())
    expect(page).toContain(message)
  })

  it('in development: a field that the handler reads and does not get', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const pages = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }) }).wrap(
      async ({ headers }) => new Response(headers.get('accept-language')),
    )
    for (const language of ['de', 'fr']) await pages(new Request(url, { headers: { 'Accept-Language': language } }))
    const text = 'Response cache: the handler reads'
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(`${text} accept-language`))
    expect(page).toContain(text)
    warn.mockRestore()
  })
})

describe('errors of images', () => {
  it.each(Object.values(errors))('$status $error', ({ status, error }) => {
    expect(page).toContain(`| ${status} | \`${error}\``)
  })
})

describe('why a token is wrong', () => {
  it.each([
    ['wrong token', 'Bearer other'],
    ['not the Bearer scheme', 'Basic abc'],
    ['no Authorization header', undefined],
  ])('%s', async (reason, authorization) => {
    const details: unknown[] = []
    const log = (_: string, detail?: unknown) => details.push(detail)
    const endpoint = createRevalidateEndpoint({ secret: 'abc', invalidate: () => {}, log })
    const headers = authorization ? { Authorization: authorization } : {}
    expect((await endpoint(new Request(`${url}api/revalidate`, { method: 'POST', headers })))?.status).toBe(401)
    expect(details).toMatchObject([{ reason }])
    expect(page).toContain(`\`${reason}\``)
  })
})
