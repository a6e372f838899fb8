import { describe, expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex, type Store } from '../index.js'
import { cacheable, startCache } from '../testing/harness.js'

describe('many tags', () => {
  it('a page is stored with all of its tags, or not stored if it has too many', async () => {
    const cache = startCache({ tags: [] })
    const tags = (count: number) => Array.from({ length: count }, (_, index) => ` tag ${index} `).join(',')
    cache.serve(() => cacheable('', { 'Cache-Tag': tags(9_999) }))
    await cache.get()
    expect((await cache.get()).cacheStatus).toContain('hit')
    await cache.invalidate(['tag 9998'])
    expect((await cache.get()).cacheStatus).toContain('fwd=stale')
    cache.serve(() => cacheable('', { 'Cache-Tag': tags(10_001) }))
    await cache.get('/b')
    expect((await cache.get('/b')).cacheStatus).toContain('detail=tags')
  })

  it('a purge does not visit the pages that it affects', async () => {
    const cache = startCache({ tags: [] })
    for (let page = 0; page < 2000; page++) await cache.get(`/${page}`)
    const purge = vi.spyOn(cache.store, 'delete')
    await cache.invalidate(['document'])
    expect(purge).not.toHaveBeenCalled()
    expect((await cache.get('/1999')).cacheStatus).toContain('fwd=stale')
  })

  it('the tags of a page are looked up once after each purge, even if the store decodes the page again for each read', async () => {
    const memory = memoryStore({ maxBytes: 1e6 })
    const store: Store = { ...memory, get: async (key) => structuredClone(memory.get(key)) }
    const tagIndex = memoryTagIndex()
    const purgedSince = vi.spyOn(tagIndex, 'purgedSince')
    const cache = startCache({
      store,
      tagIndex,
      tags: (request) => [request.url.endsWith('/b') ? 'another' : 'document'],
    })
    const visit = async () => {
      for (let time = 0; time < 5; time++) expect((await cache.get()).cacheStatus).toContain('hit')
      const calls = purgedSince.mock.calls.length
      purgedSince.mockClear()
      return calls
    }
    for (const path of ['/', '/b']) await cache.get(path)
    purgedSince.mockClear() // the index was asked before the page was stored
    expect(await visit()).toBe(0)
    await cache.invalidate(['another'])
    expect(await visit()).toBe(1)
    expect(await visit()).toBe(0)
    await cache.invalidate(['another'])
    expect(await visit()).toBe(1)
    await cache.invalidate(['document'])
    expect((await cache.get()).cacheStatus).not.toContain('hit')
    expect((await cache.get()).cacheStatus).toContain('hit')
  })
})
