import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore, memoryTagIndex, type ResponseCacheOptions } from '../../core/cache/index.js'
import { errors } from '../../core/image/index.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'

const page = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8')
const images = readFileSync(new URL('../../docs/guide/images.md', import.meta.url), 'utf8')

const fresh = { 'Cache-Control': 's-maxage=60' }
const stale = { 'Cache-Control': 's-maxage=0, stale-while-revalidate=60' }
const url = 'http://site.test/'
const failing = { ...memoryTagIndex(), stamp: () => Promise.reject(new Error('away')) }

interface Case {
  headers?: Record<string, string>
  options?: Partial<ResponseCacheOptions>
  first?: RequestInit
  second?: RequestInit
  between?: 'soft' | 'hard'
  /** The handler's second answer. */
  answer?: () => Response
}

/** Returns the Cache-Status of two requests, one after the other. */
async function statuses({ headers = fresh, options, first, second, between, answer }: Case): Promise<string[]> {
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }), log: () => {}, ...options })
  let renders = 0
  const pages = cache.wrap(async () => (++renders > 1 && answer ? answer() : new Response('page', { headers })))
  const ask = async (init?: RequestInit) => {
    const response = await pages(new Request(url, init))
    await response.text()
    return response.headers.get('cache-status') ?? ''
  }
  const before = await ask(first)
  if (between) await cache.invalidate(['document'], { mode: between })
  return [before, await ask(second ?? first)]
}

describe('what Cache-Status says', () => {
  const rows: [said: string, test: Case, status: RegExp][] = [
    ['hit; ttl=60', {}, /hit; ttl=\d+$/],
    ['detail=stale-while-revalidate', { headers: stale }, /hit; ttl=-?\d+; detail=stale-while-revalidate/],
    ['detail=soft-purged', { between: 'soft' }, /hit; .*detail=soft-purged/],
    [
      'detail=stale-if-error',
      {
        headers: { 'Cache-Control': 'max-age=0, stale-if-error=60', ETag: '"a"' },
        answer: () => new Response(null, { status: 500 }),
      },
      /hit; .*detail=stale-if-error/,
    ],
    ['fwd=vary-miss', { headers: { ...fresh, Vary: 'x-a' }, second: { headers: { 'x-a': '1' } } }, /fwd=vary-miss/],
    ['fwd=stale', { between: 'hard' }, /fwd=stale; fwd-status=200; stored/],
    [
      'fwd=stale; fwd-status=304',
      { headers: { 'Cache-Control': 'max-age=0', ETag: '"a"' }, answer: () => new Response(null, { status: 304 }) },
      /fwd=stale; fwd-status=304/,
    ],
    [
      'fwd=request',
      { options: { honorRequestCacheControl: true }, second: { headers: { 'Cache-Control': 'no-cache' } } },
      /fwd=request/,
    ],
    ['fwd=method', { first: { method: 'POST' } }, /fwd=method/],
    ['fwd=bypass', { options: { bypass: () => true } }, /fwd=bypass/],
    ['detail=tag-index-unavailable', { options: { tagIndex: failing } }, /fwd=bypass; .*detail=tag-index-unavailable/],
  ]

  it.each(rows)('%s', async (said, test, status) => {
    expect(page).toContain(said)
    expect((await statuses(test))[1]).toMatch(status)
  })

  it('a first request: fwd=uri-miss; stored', async () => {
    expect((await statuses({}))[0]).toMatch(/fwd=uri-miss; fwd-status=200; stored/)
  })
})

describe('a page that is never stored', () => {
  const rows: [said: string, test: Case][] = [
    ['no `Cache-Control`', { headers: {} }],
    ['`no-store` or `private`', { headers: { 'Cache-Control': 'private' } }],
    ['`Set-Cookie`', { headers: { ...fresh, 'Set-Cookie': 'a=b' } }],
    ['`Vary: *`', { headers: { ...fresh, Vary: '*' } }],
    ['`max-age=0` and neither', { headers: { 'Cache-Control': 'max-age=0' } }],
    ['`CDN-Cache-Control`', { headers: { ...fresh, 'CDN-Cache-Control': 'no-store' } }],
    ['`maxBodyBytes`', { headers: { ...fresh, 'Content-Length': '4' }, options: { maxBodyBytes: 1 } }],
    ['`Authorization`', { headers: { 'Cache-Control': 'max-age=60' }, first: { headers: { Authorization: 'a' } } }],
  ]

  it.each(rows)('%s', async (said, test) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(page).toContain(said)
    for (const status of await statuses(test)) expect(status).toMatch(/fwd=uri-miss; fwd-status=200$/)
    warn.mockRestore()
  })

  it('only `Last-Modified` or `ETag`', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(page).toContain('| only `Last-Modified` or `ETag`')
    const [first, second] = await statuses({ headers: { ETag: '"a"' } })
    expect([first, second]).toEqual([expect.stringMatching(/; stored$/), expect.stringMatching(/fwd-status=200$/)])
    warn.mockRestore()
  })

  it('is warned of in development', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await statuses({ headers: { ...fresh, 'Set-Cookie': 'a=b' } })
    const text = 'is never stored. Set-Cookie: expected none in a page for everyone'
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(text))
    expect(page).toContain(text)
    warn.mockRestore()
  })
})

describe('errors of images', () => {
  it.each(Object.values(errors))('$status $error', ({ status, error }) => {
    expect(images).toContain(`| ${status} | \`${error}\``)
    if (status !== 405) expect(page).toContain(`| ${status} | \`${error}\``)
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
