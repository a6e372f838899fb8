import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { enableFastResponses } from '../../../adapters/node/response.js'
import { setResponseFactory } from '../../response-factory.js'
import { memoryStore, type Store, type StoreEntry } from '../index.js'
import { createTestResponse } from '../testing/entries.js'
import { rest, startCache } from '../testing/harness.js'
import { guardStore } from './guards.js'

const inMemory = () => memoryStore({ maxBytes: 1e6 })
const validEntry: StoreEntry = createTestResponse()

describe('a faulty store', () => {
  const hang = () => new Promise<never>(() => {})
  const fail = () => Promise.reject(new Error('disk full'))
  const raise = () => {
    throw new Error('disk full')
  }
  it.each([
    ['hangs', { get: hang, set: hang, delete: hang }],
    ['rejects', { get: fail, set: fail, delete: fail }],
    ['throws', { get: raise, set: raise, delete: raise }],
    ['hangs when it should store an entry', { ...inMemory(), set: hang }],
  ] as [string, Store][])('a store that %s counts as a miss, and is logged once', async (_, store) => {
    const cache = startCache({ store, storeTimeout: 20 })
    for (let time = 0; time < 3; time++) expect((await cache.get()).body).toBe('1')
    expect((await cache.get('/', {}, { method: 'POST' })).status).toBe(200)
    await vi.waitFor(() => expect(cache.log).toHaveBeenCalledTimes(1), 20_000)
  })

  it('a store that hangs is skipped for a while', async () => {
    const get = vi.fn(hang)
    const cache = startCache({ store: { ...inMemory(), get }, storeTimeout: 20 })
    await cache.get()
    await rest(50) // the request may be answered just before the store counts as slow
    await Promise.all(Array.from({ length: 20 }, (_, page) => cache.get(`/${page}`)))
    expect(get).toHaveBeenCalledTimes(1)
  })

  it('a store that answers again after it hung is read by all requests', async () => {
    const store = inMemory()
    let hangs = false
    const cache = startCache({ store: { ...store, get: (key) => (hangs ? hang() : store.get(key)) }, storeTimeout: 20 })
    await cache.get()
    hangs = true
    await cache.get()
    hangs = false
    await rest(1_050)
    for (let time = 0; time < 5; time++) expect((await cache.get()).cacheStatus).toContain('hit')
  })

  it('a store whose writes hang is still read', async () => {
    const store = inMemory()
    const cache = startCache({ store: { ...store, set: (key, entry) => key.endsWith('/') ? store.set(key, entry) : hang() }, storeTimeout: 20 }) // biome-ignore format: a row
    await cache.get('/')
    await cache.get('/full')
    expect((await cache.get('/')).cacheStatus).toContain('hit')
  })

  it('a store that fails for one key is used for all other keys, and for that key as soon as it works again', async () => {
    const store = inMemory()
    let isBroken = true
    const get = async (key: string) => (isBroken && key.endsWith('/broken') ? fail() : store.get(key))
    const set = async (key: string, entry: StoreEntry) => {
      if (key.endsWith('/broken')) isBroken = false
      await store.set(key, entry)
    }
    const cache = startCache({ store: { ...store, get, set } })
    await cache.get('/')
    for (const status of ['uri-miss', 'hit']) {
      expect((await cache.get('/broken')).cacheStatus).toContain(status)
      expect((await cache.get('/')).cacheStatus).toContain('hit')
    }
    expect(cache.log).toHaveBeenCalledTimes(1)
  })

  describe('a slow store', () => {
    const slow = () => {
      const store = inMemory()
      const reads: { key: string; end: () => void }[] = []
      const get = async (key: string) => {
        const hit = await store.get(key)
        await new Promise<void>((resolve) => reads.push({ key, end: resolve }))
        return hit
      }
      return { reads, guarded: guardStore({ ...store, get }, 60_000, vi.fn()), store }
    }

    it('a slow store is read at most twice for all concurrent requests for one entry', async () => {
      const { reads, guarded, store } = slow()
      await store.set('a', validEntry)
      const hits = Promise.all(Array.from({ length: 100 }, () => guarded.get('a')))
      const otherEntry = guarded.get('b')
      for (let count = 0; count < 3; count++) {
        await vi.waitUntil(() => reads.length > 0, 20_000)
        reads.shift()?.end()
      }
      expect(await otherEntry).toBeUndefined()
      expect(new Set((await hits).map((hit) => hit?.entry))).toEqual(new Set([validEntry]))
      await rest()
      expect(reads).toEqual([])
    })

    it('a slow store is read again for a request that comes after the entry has changed', async () => {
      const { reads, guarded, store } = slow()
      const readBefore = guarded.get('a')
      await vi.waitUntil(() => reads.length === 1, 20_000)
      await store.set('a', validEntry)
      const readAfter = guarded.get('a')
      for (let count = 0; count < 2; count++) {
        await vi.waitUntil(() => reads.length > 0, 20_000)
        reads.shift()?.end()
      }
      expect([await readBefore, (await readAfter)?.entry]).toEqual([undefined, validEntry])
    })
  })

  // An adapter's response does not check status and headers.
  describe.each([
    ['the platform', () => {}],
    ['a server of Node', enableFastResponses],
  ])('with responses of %s', (_, enable) => {
    beforeEach(enable)
    afterEach(() => setResponseFactory())

    it.each([
      ['a text', 'garbage'],
      ['null', null],
      ['an empty object', {}],
      ['an entry without an age', { entry: validEntry }],
      ['an empty entry', { entry: {}, age: 0 }],
      ['an entry with a wrong body', { entry: { ...validEntry, body: 'x' }, age: 0 }],
      ['an entry with wrong headers', { entry: { ...validEntry, headers: 'a' }, age: 0 }],
      ['an entry with a wrong stamp', { entry: { ...validEntry, stamp: { epoch: '', sequence: 0.5 } }, age: 0 }],
      ['an entry with an impossible status', { entry: { ...validEntry, status: 99 }, age: 0 }],
      ['an entry of an unknown kind', { entry: { ...validEntry, kind: 'page' }, age: 0 }],
      ['an invalid age', { entry: validEntry, age: Number.NaN }],
    ])('a store that returns %s counts as a miss, and is logged once', async (_, garbage) => {
      const cache = startCache({ store: { ...inMemory(), get: () => garbage as never } })
      for (let time = 0; time < 3; time++) expect((await cache.get()).body).toBe('1')
      if (garbage) expect(cache.log).toHaveBeenCalledTimes(1)
    })

    it('a store that returns invalid headers counts as a miss', async () => {
      const store = inMemory()
      const broken: Store = {
        ...store,
        set: (key, entry) =>
          store.set(key, {
            ...entry,
            ...(entry.kind === 'response' && { headers: [['a b', '\n']], status: 200 }),
          } as StoreEntry),
      }
      const cache = startCache({ store: broken })
      for (let time = 0; time < 2; time++) expect((await cache.get()).body).toBe('1')
    })
  })

  it('a store that answers asynchronously is used in the same way', async () => {
    const store = inMemory()
    const asyncStore: Store = {
      get: (key) => rest(2).then(() => store.get(key)),
      set: (key, entry) => rest(2).then(() => store.set(key, entry)),
      delete: (key) => rest(2).then(() => store.delete(key)),
    }
    const cache = startCache({ store: asyncStore })
    await cache.get()
    expect((await cache.get()).cacheStatus).toContain('hit')
    await cache.invalidate(['document'])
    expect((await cache.get()).cacheStatus).toContain('fwd=stale')
  })
})
