import { describe, expect, it, vi } from 'vitest'
import { cacheable, deferred, rest, startCache } from './testing/harness.js'

describe('bypass', () => {
  const bypass = (request: Request) => /(^|; )preview=1(;|$)/.test(request.headers.get('cookie') ?? '')
  const preview = { Cookie: '_ga=b; preview=1' }

  it('each preview is rendered, and does not change the stored page', async () => {
    const cache = startCache({ bypass })
    cache.serve(() => cacheable('published'))
    await cache.get()
    cache.serve((request) => cacheable(request.headers.has('cookie') ? 'draft' : 'published'))
    for (const method of ['GET', 'HEAD', 'GET']) {
      const draft = await cache.get('/', preview, { method })
      expect([draft.body, draft.cacheStatus]).toEqual([
        method === 'GET' ? 'draft' : expect.anything(),
        'sitewright; fwd=bypass; fwd-status=200; detail=bypass',
      ])
    }
    expect(cache.requests).toHaveLength(4)
    expect(await cache.get()).toMatchObject({ body: 'published', cacheStatus: expect.stringContaining('hit') })
  })

  it('a preview is not stored', async () => {
    const cache = startCache({ bypass })
    cache.serve(() => cacheable('draft'))
    await cache.get('/', preview)
    cache.serve(() => cacheable('published'))
    expect(await cache.get()).toMatchObject({ body: 'published', cacheStatus: expect.stringContaining('uri-miss') })
  })

  it('a preview and a shared page never share a render', async () => {
    const cache = startCache({ bypass })
    const published = deferred()
    cache.serve(async ({ headers }) => {
      if (!headers.has('cookie')) await published.promise
      return cacheable(headers.has('cookie') ? 'draft' : 'published')
    })
    const page = cache.get()
    expect((await cache.get('/', preview)).body).toBe('draft')
    published.resolve()
    expect((await page).body).toBe('published')
  })

  it('the caches in front do not store a preview', async () => {
    const cache = startCache({ bypass, tags: ['document'] })
    cache.serve(() =>
      cacheable('draft', {
        'CDN-Cache-Control': 'max-age=60',
        'Vercel-CDN-Cache-Control': 'max-age=60',
        'Surrogate-Control': 'max-age=60',
        Expires: 'Sun, 22 Nov 2099 00:00:00 GMT',
      }),
    )
    const { headers } = await cache.get('/', preview)
    expect(Object.fromEntries(headers)).toEqual({
      'cache-control': 'private',
      'cache-status': 'sitewright; fwd=bypass; fwd-status=200; detail=bypass',
      'content-type': 'text/plain;charset=UTF-8',
      expires: 'Sun, 22 Nov 2099 00:00:00 GMT',
    })
  })

  it('a preview of another route is left to the next handler', async () => {
    const cache = startCache({ bypass })
    cache.serve(undefined)
    expect(await cache.wrapped(new Request('https://site.test/', { headers: preview }))).toBeUndefined()
  })

  it('a bypass that is not a function, or returns a promise, is rejected', async () => {
    const cache = startCache({ bypass: (async () => false) as never })
    await expect(cache.get()).rejects.toThrow('bypass: expected a function that returns true or false')
    expect(() => startCache({ bypass: 'preview' as never })).toThrow("bypass: expected a function, got 'preview'")
  })
})

describe('waitUntil', () => {
  it('waitUntil receives each render and its request', async () => {
    const waitUntil = vi.fn()
    const cache = startCache({ waitUntil })
    await cache.get('/a')
    await cache.get('/a')
    expect(waitUntil).toHaveBeenCalledOnce()
    const [[render, request]] = waitUntil.mock.calls as [[Promise<unknown>, Request]]
    expect(request.url).toBe('https://site.test/a')
    await render
  })

  it('the promise for waitUntil resolves when the page of a background refresh is stored', async () => {
    const renders: Promise<unknown>[] = []
    const cache = startCache({ waitUntil: (render) => renders.push(render) })
    await cache.get()
    await cache.invalidate(['document'], { mode: 'soft' })
    const next = deferred()
    cache.serve(async () => {
      await next.promise
      return cacheable('2')
    })
    expect((await cache.get()).body).toBe('1')
    expect(renders).toHaveLength(2)
    const settled = vi.fn()
    const waiting = renders[1]?.then(settled)
    await rest()
    expect(settled).not.toHaveBeenCalled()
    next.resolve()
    await waiting
    expect(await cache.get()).toMatchObject({ body: '2', cacheStatus: expect.stringContaining('hit') })
  })

  it('the promise for waitUntil resolves even if the render fails', async () => {
    const renders: Promise<unknown>[] = []
    const cache = startCache({ waitUntil: (render) => renders.push(render) })
    cache.serve(new Error('down'))
    await expect(cache.get()).rejects.toThrow('down')
    await Promise.all(renders)
    expect(renders).toHaveLength(1)
  })
})
