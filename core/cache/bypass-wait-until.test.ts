import { describe, expect, it, vi } from 'vitest'
import { cacheable, deferred, rest, startCache } from './testing/harness.js'

describe('bypass', () => {
  const bypass = (request: Request) => /(^|; )preview=1(;|$)/.test(request.headers.get('cookie') ?? '')
  const preview = { Cookie: '_ga=b; preview=1' }

  it('renders for each preview, and leaves what is stored as it is', async () => {
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
    expect(cache.asked).toHaveLength(4)
    expect(await cache.get()).toMatchObject({ body: 'published', cacheStatus: expect.stringContaining('hit') })
  })

  it('stores nothing of a preview', async () => {
    const cache = startCache({ bypass })
    cache.serve(() => cacheable('draft'))
    await cache.get('/', preview)
    cache.serve(() => cacheable('published'))
    expect(await cache.get()).toMatchObject({ body: 'published', cacheStatus: expect.stringContaining('uri-miss') })
  })

  it('does not join a render of others, nor they a preview', async () => {
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

  it('keeps a preview out of the caches in front', async () => {
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

  it('leaves requests of other routes to others', async () => {
    const cache = startCache({ bypass })
    cache.serve(undefined)
    expect(await cache.wrapped(new Request('https://site.test/', { headers: preview }))).toBeUndefined()
  })

  it('says that a promise is no answer', async () => {
    const cache = startCache({ bypass: (async () => false) as never })
    await expect(cache.get()).rejects.toThrow('bypass: expected a function that returns true or false')
    expect(() => startCache({ bypass: 'preview' as never })).toThrow("bypass: expected a function, got 'preview'")
  })
})

describe('waitUntil', () => {
  it('receives each render, and its request', async () => {
    const waitUntil = vi.fn()
    const cache = startCache({ waitUntil })
    await cache.get('/a')
    await cache.get('/a')
    expect(waitUntil).toHaveBeenCalledOnce()
    const [[render, request]] = waitUntil.mock.calls as [[Promise<unknown>, Request]]
    expect(request.url).toBe('https://site.test/a')
    await render
  })

  it('lasts until the page of a refresh in the background is stored', async () => {
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

  it('settles and does not reject when a render fails', async () => {
    const renders: Promise<unknown>[] = []
    const cache = startCache({ waitUntil: (render) => renders.push(render) })
    cache.serve(new Error('down'))
    await expect(cache.get()).rejects.toThrow('down')
    await Promise.all(renders)
    expect(renders).toHaveLength(1)
  })
})
