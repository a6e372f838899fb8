import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { ResponseCacheOptions } from '../index.js'
import { cacheable, deferred, rest, startCache } from '../testing/harness.js'

const lifetime = { 'Cache-Control': 'public, max-age=60, stale-if-error=600' }

/** Starts a cache that has an old page, whose handler answers from now on when the test lets it. */
async function start(options: Partial<ResponseCacheOptions> = {}) {
  const cache = startCache({ staleIfErrorTimeout: 50, ...options })
  cache.serve(() => cacheable('old', lifetime))
  await cache.get()
  cache.pass(61)
  cache.asked.length = 0
  const gate = deferred()
  cache.serve(async () => {
    await gate.promise
    return cacheable('new', lifetime)
  })
  return { ...cache, gate }
}

describe('a page that may be served on errors, while its handler hangs', () => {
  it('is served after a while, then at once, and is new as soon as the handler has answered', async () => {
    const cache = await start()
    const answers = await Promise.all([cache.get(), cache.get(), cache.get('/', { 'if-none-match': '"other"' })])
    for (const { body, cacheStatus } of answers) {
      expect(body).toBe('old')
      expect(cacheStatus).toContain('stale-if-error')
    }
    vi.useFakeTimers({ toFake: ['setTimeout'] }) // of which none would end
    expect((await cache.get()).body).toBe('old')
    vi.useRealTimers()
    expect(cache.asked).toHaveLength(1)
    cache.gate.resolve()
    await rest()
    expect(await cache.get()).toMatchObject({ body: 'new', cacheStatus: expect.stringContaining('hit') })
    expect(cache.asked).toHaveLength(1)
  })

  it('is new for those who came just before it was rendered', async () => {
    const cache = await start()
    const answer = cache.get()
    await rest()
    cache.gate.resolve()
    expect((await answer).body).toBe('new')
  })

  it('is not served after a hard purge, nor when it is too old', async () => {
    for (const outdate of ['purge', 'time']) {
      const cache = await start()
      if (outdate === 'purge') await cache.invalidate(['document'])
      else cache.pass(601)
      const answer = cache.get()
      await rest(100)
      cache.gate.resolve()
      expect((await answer).body).toBe('new')
    }
  })

  it('leaves no listener on the signal of the client, and none of its renders when there is no place for it', async () => {
    const cache = await start({ maxBackgroundRenders: 0 })
    const request = new Request('https://site.test/')
    expect(await (await cache.wrapped(request))?.text()).toBe('old')
    expect(getEventListeners(request.signal, 'abort')).toHaveLength(0)
    expect(cache.asked[0]?.signal.aborted).toBe(true)
  })

  it('is not waited for by a client that leaves', async () => {
    const cache = await start({ staleIfErrorTimeout: 10_000 })
    const leaving = new AbortController()
    const answer = cache.get('/', {}, { signal: leaving.signal })
    await rest()
    leaving.abort(new Error('left'))
    await expect(answer).rejects.toThrow('left')
  })

  it('is not kept old for others by a client whose field makes the handler slow', async () => {
    const cache = startCache({ staleIfErrorTimeout: 50 })
    cache.serve(() => cacheable('old', lifetime))
    await cache.get()
    cache.pass(61)
    cache.serve(({ headers }) => {
      return headers.has('x-slow') ? new Promise(() => {}) : cacheable('new', lifetime)
    })
    expect((await cache.get('/', { 'x-slow': '1' })).body).toBe('old')
    expect((await cache.get()).body).toBe('new')
  })
})

it('without the option, the handler is waited for', async () => {
  const cache = await start({ staleIfErrorTimeout: undefined })
  const answer = cache.get()
  await rest(100)
  cache.gate.resolve()
  expect((await answer).body).toBe('new')
})
