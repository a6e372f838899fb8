import { beforeEach, describe, expect, it, vi } from 'vitest'
import { cacheable, rest, startCache } from '../../testing/harness.js'
import { createUnconfirmed } from './unconfirmed.js'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => void warn.mockReset().mockReturnValue(undefined))

const date = 'Sun, 22 Nov 2026 10:00:00 GMT'
const file = (headers: Record<string, string>) => new Response('file', { headers })

/** A cache whose store counts what is stored. */
function start() {
  const cache = startCache()
  const set = vi.spyOn(cache.store, 'set')
  const conditions = () =>
    cache.asked.map(({ headers }) => headers.has('if-none-match') || headers.has('if-modified-since'))
  return { ...cache, set, conditions }
}

describe('a page with a validator and no lifetime', () => {
  it.each<[string, Record<string, string>]>([
    ['Last-Modified', { 'Last-Modified': date }],
    ['ETag', { ETag: '"1"' }],
    ['a weak ETag', { ETag: 'W/"1"' }],
    ['both', { ETag: '"1"', 'Last-Modified': date }],
    ['a lifetime of 0', { ETag: '"1"', 'Cache-Control': 'public, max-age=0' }],
    ['a lifetime of which nothing is left', { ETag: '"1"', 'Cache-Control': 'max-age=60', Age: '60' }],
    ['no-cache', { ETag: '"1"', 'Cache-Control': 'no-cache, max-age=60' }],
  ])('%s, that the handler never confirms, is stored once of 100 requests', async (_, headers) => {
    const { get, serve, set, conditions, store } = start()
    serve(file(headers))
    for (let request = 0; request < 100; request++) {
      const { status, body, cacheStatus } = await get()
      expect({ status, body }).toEqual({ status: 200, body: 'file' })
      expect(cacheStatus.includes('stored')).toBe(request === 0)
    }
    expect(set).toHaveBeenCalledTimes(1)
    expect(await store.get('https://site.test/')).toBeUndefined()
    // The handler is not asked again for what it does not do, nor the store for what is of no use.
    expect(conditions().filter(Boolean)).toHaveLength(1)
  })

  it('is still a 304 for a client that has it', async () => {
    const { get, serve } = start()
    serve(file({ 'Last-Modified': date }))
    for (let request = 0; request < 5; request++) await get()
    expect(await get('/', { 'If-Modified-Since': date })).toMatchObject({ status: 304, body: '' })
    expect((await get()).status).toBe(200)
  })

  it('stays stored when the handler confirms it', async () => {
    const { get, serve, asked } = start()
    serve(({ headers }) =>
      headers.has('if-modified-since') ? new Response(null, { status: 304 }) : file({ 'Last-Modified': date }),
    )
    for (let request = 0; request < 5; request++) expect((await get()).body).toBe('file')
    expect(asked.slice(1).every(({ headers }) => headers.get('if-modified-since') === date)).toBe(true)
    expect(warn).not.toHaveBeenCalled()
  })

  it.each([{ 'cache-control': 'no-cache' }, { pragma: 'no-cache' }])(
    'stays stored when clients reload it: with %j, Express sends it whole',
    async (reload) => {
      const { get, serve, asked, set } = start()
      const page = { ETag: '"1"', 'Cache-Control': 'max-age=0' }
      serve(async ({ headers }) => {
        if (headers.has('if-none-match') && !headers.has('cache-control') && !headers.has('pragma')) {
          return new Response(null, { status: 304 })
        }
        await rest()
        return file(page)
      })
      await get()
      for (let round = 0; round < 3; round++) await Promise.all([1, 2, 3].map(() => get('/', reload)))
      expect(asked.some(({ headers }) => headers.has('cache-control') || headers.has('pragma'))).toBe(true)
      set.mockClear()
      for (let request = 0; request < 5; request++) expect((await get()).body).toBe('file')
      expect(asked.slice(-5).every(({ headers }) => headers.get('if-none-match') === '"1"')).toBe(true)
      expect(warn).not.toHaveBeenCalled()
    },
  )

  it('is stored again when it has changed: then a whole response is right', async () => {
    const { get, serve, set } = start()
    let version = 0
    serve(() => file({ ETag: `"${version++}"` }))
    for (let request = 0; request < 5; request++) await get()
    expect(set).toHaveBeenCalledTimes(5)
    expect(warn).not.toHaveBeenCalled()
  })

  it('is stored again as soon as it has a lifetime', async () => {
    const { get, serve, asked } = start()
    serve(file({ 'Last-Modified': date }))
    for (let request = 0; request < 5; request++) await get()
    serve(cacheable('file', { 'Last-Modified': date }))
    await get()
    expect((await get()).cacheStatus).toContain('hit')
    expect(asked).toHaveLength(6)
  })

  it('is no other page’s matter', async () => {
    const { get, serve, set } = start()
    serve(file({ 'Last-Modified': date }))
    for (let request = 0; request < 5; request++) await get('/a')
    await get('/b')
    expect(set).toHaveBeenCalledTimes(2)
  })

  it('stays stored where it may be served in place of an error', async () => {
    const { get, serve, set } = start()
    serve(file({ 'Last-Modified': date, 'Cache-Control': 'max-age=0, stale-if-error=60' }))
    for (let request = 0; request < 5; request++) await get()
    expect(set).toHaveBeenCalledTimes(5)
    serve(new Response('', { status: 500 }))
    expect((await get()).body).toBe('file')
  })
})

describe('the warning of it', () => {
  it('says once what to write', async () => {
    const { get, serve } = start()
    serve(file({ 'Last-Modified': date }))
    for (let request = 0; request < 100; request++) await get(`/${request % 10}.css`)
    expect(warn.mock.calls).toEqual([
      [
        "Response cache: https://site.test/0.css is never stored. Cache-Control: expected a lifetime, such as 's-maxage=60', or 'no-store', got none; its validator is of no use, since the handler answers If-None-Match and If-Modified-Since by the whole page",
      ],
    ])
  })

  it.each(['max-age=0', 'no-cache'])('is not for %s, which is taken as meant', async (control) => {
    const { get, serve } = start()
    serve(file({ 'Last-Modified': date, 'Cache-Control': control }))
    for (let request = 0; request < 5; request++) await get()
    expect(warn).not.toHaveBeenCalled()
  })
})

it('remembers a page for an hour', () => {
  let time = 0
  const unconfirmed = createUnconfirmed(() => time)
  unconfirmed.add('/a')
  time = 3_599_999
  expect([unconfirmed.has('/a'), unconfirmed.has('/b')]).toEqual([true, false])
  time = 3_600_000
  expect(unconfirmed.has('/a')).toBe(false)
})

it('is bounded in memory, whatever is asked for', () => {
  const unconfirmed = createUnconfirmed()
  for (let page = 0; page < 30_000; page++) unconfirmed.add(`/${page}`)
  expect([unconfirmed.has('/0'), unconfirmed.has('/29999')]).toEqual([false, true])
})
