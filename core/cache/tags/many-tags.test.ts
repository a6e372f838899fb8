import { describe, expect, it, vi } from 'vitest'
import { cacheable, startCache } from '../testing/harness.js'

describe('many tags', () => {
  it('of one page are all stored, or the page is not', async () => {
    const cache = startCache({ tags: [] })
    const tags = (count: number) => Array.from({ length: count }, (_, index) => ` tag ${index} `).join(',')
    cache.serve(() => cacheable('', { 'Cache-Tag': tags(10_000) }))
    await cache.get()
    expect((await cache.get()).cacheStatus).toContain('hit')
    await cache.invalidate(['tag 9999'])
    expect((await cache.get()).cacheStatus).toContain('fwd=stale')
    cache.serve(() => cacheable('', { 'Cache-Tag': tags(10_001) }))
    await cache.get('/b')
    expect((await cache.get('/b')).cacheStatus).not.toContain('hit')
    expect(cache.log).toHaveBeenCalledTimes(1)
  })

  it('cost a purge the same for one page and for many', async () => {
    const cache = startCache({ tags: [] })
    for (let page = 0; page < 2000; page++) await cache.get(`/${page}`)
    const purge = vi.spyOn(cache.store, 'delete')
    await cache.invalidate(['document'])
    expect(purge).not.toHaveBeenCalled()
    expect((await cache.get('/1999')).cacheStatus).toContain('fwd=stale')
  })
})
