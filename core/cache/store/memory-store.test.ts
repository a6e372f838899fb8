import { describe, expect, it } from 'vitest'
import { memoryStore, type StoredResponse, type StoreEntry } from '../index.js'
import { createTestResponse } from '../testing/entries.js'
import { cacheable, startCache } from '../testing/harness.js'

const validEntry = createTestResponse()

describe('memoryStore', () => {
  it('the memory store stays within its bytes under a flood of URLs', async () => {
    const store = memoryStore({ maxBytes: 1_000_000 })
    const cache = startCache({ store })
    cache.serve(() => cacheable('x'.repeat(10_000)))
    for (let page = 0; page < 500; page++) await cache.get(`/${page}`)
    const pages = Array.from({ length: 500 }, (_, page) => page)
    const keptPages = pages.filter((page) => store.get(`https://site.test/${page}`))
    expect(keptPages.length).toBeGreaterThanOrEqual(30)
    expect(keptPages.length).toBeLessThan(50)
    for (const page of keptPages) expect((await cache.get(`/${page}`)).cacheStatus).toContain('hit')
  })

  it('the memory store does not store an entry that is larger than maxBytes', async () => {
    const cache = startCache({ store: memoryStore({ maxBytes: 20_000 }) })
    cache.serve(() => cacheable('x'.repeat(30_000)))
    await cache.get()
    expect((await cache.get()).cacheStatus).toContain('uri-miss')
    cache.serve(() => cacheable('', { 'X-Large': 'x'.repeat(1_000_000) }))
    expect((await cache.get('/b')).body).toBe('')
    expect((await cache.get('/b')).cacheStatus).toContain('uri-miss')
  })

  it('the memory store counts a text with its string form, and other bodies once', async () => {
    const countKept = async (type: string) => {
      const store = memoryStore({ maxBytes: 1_000_000 })
      const cache = startCache({ store })
      cache.serve(() => cacheable('x'.repeat(50_000), { 'Content-Type': type }))
      for (let page = 0; page < 30; page++) await cache.get(`/${page}`)
      return Array.from({ length: 30 }, (_, page) => store.get(`https://site.test/${page}`)).filter(Boolean).length
    }
    expect([await countKept('text/html'), await countKept('image/avif')]).toEqual([6, 19])
  })

  it('the memory store copies a body that is a view of a larger buffer', () => {
    const store = memoryStore({ maxBytes: 1e6 })
    const received = new Uint8Array(65_536).fill(7)
    store.set('k', { ...validEntry, body: received.subarray(10, 20) } as StoreEntry)
    const { entry } = store.get('k') as { entry: StoredResponse }
    expect(entry.body).toEqual(new Uint8Array(10).fill(7))
    expect(entry.body.buffer.byteLength).toBe(10)
  })

  it('the memory store adds the time in the store to the initial age of an entry', () => {
    let time = 1000
    const store = memoryStore({ maxBytes: 1e6, clock: () => time })
    const entry = createTestResponse()
    store.set('a', entry, 10)
    time += 50_000
    expect(store.get('a')).toEqual({ entry, age: 60 })
    time += 1
    expect(store.get('a')).toBeUndefined()
  })
})
