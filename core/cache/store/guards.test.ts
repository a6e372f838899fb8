import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { enableFastResponses } from '../../../adapters/node/response.js'
import { setResponseFactory } from '../../response-factory.js'
import { memoryStore, type Store, type StoreEntry } from '../index.js'
import { createTestResponse } from '../testing/entries.js'
import { rest, startCache } from '../testing/harness.js'
import { guardStore } from './guards.js'

const inMemory = () => memoryStore({ maxBytes: 1e6 })
const whole: StoreEntry = createTestResponse()

describe('a store that', () => {
  const hang = () => new Promise<never>(() => {})
  const fail = () => Promise.reject(new Error('disk full'))
  const raise = () => {
    throw new Error('disk full')
  }
  it.each([
    ['hangs', { get: hang, set: hang, delete: hang }],
    ['rejects', { get: fail, set: fail, delete: fail }],
    ['throws', { get: raise, set: raise, delete: raise }],
    ['hangs when it is given', { ...inMemory(), set: hang }],
  ] as [string, Store][])('%s is a miss, and is logged once', async (_, store) => {
    const cache = startCache({ store, storeTimeout: 20 })
    for (let time = 0; time < 3; time++) expect((await cache.get()).body).toBe('1')
    expect((await cache.get('/', {}, { method: 'POST' })).status).toBe(200)
    expect(cache.log).toHaveBeenCalledTimes(1)
  })

  it('hangs is skipped for a while', async () => {
    const get = vi.fn(hang)
    const cache = startCache({ store: { ...inMemory(), get }, storeTimeout: 20 })
    await cache.get()
    await rest(50) // the request may be answered just before the store counts as slow
    await Promise.all(Array.from({ length: 20 }, (_, page) => cache.get(`/${page}`)))
    expect(get).toHaveBeenCalledTimes(1)
  })

  it('hangs for a while, and answers at once then, is read by all', async () => {
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

  it('rejects writes is still read', async () => {
    const store = inMemory()
    const cache = startCache({ store: { ...store, set: (key, entry) => key.endsWith('/') ? store.set(key, entry) : hang() }, storeTimeout: 20 }) // biome-ignore format: a row
    await cache.get('/')
    await cache.get('/full')
    expect((await cache.get('/')).cacheStatus).toContain('hit')
  })

  it('rejects one key at once is still used for the others, and for that key once it can', async () => {
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

  describe('takes time', () => {
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

    it('is read twice at most by all who want the same entry', async () => {
      const { reads, guarded, store } = slow()
      await store.set('a', whole)
      const hits = Promise.all(Array.from({ length: 100 }, () => guarded.get('a')))
      const other = guarded.get('b')
      for (let count = 0; count < 3; count++) {
        await vi.waitUntil(() => reads.length > 0)
        reads.shift()?.end()
      }
      expect(await other).toBeUndefined()
      expect(new Set((await hits).map((hit) => hit?.entry))).toEqual(new Set([whole]))
      await rest()
      expect(reads).toEqual([])
    })

    it('is read anew by those who come after it has changed', async () => {
      const { reads, guarded, store } = slow()
      const before = guarded.get('a')
      await vi.waitUntil(() => reads.length === 1)
      await store.set('a', whole)
      const after = guarded.get('a')
      for (let count = 0; count < 2; count++) {
        await vi.waitUntil(() => reads.length > 0)
        reads.shift()?.end()
      }
      expect([await before, (await after)?.entry]).toEqual([undefined, whole])
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
      ['no entry', {}],
      ['an entry without an age', { entry: whole }],
      ['an entry without anything', { entry: {}, age: 0 }],
      ['an entry with a wrong body', { entry: { ...whole, body: 'x' }, age: 0 }],
      ['an entry with wrong headers', { entry: { ...whole, headers: 'a' }, age: 0 }],
      ['an entry with a wrong stamp', { entry: { ...whole, stamp: { epoch: '', sequence: 0.5 } }, age: 0 }],
      ['an entry with a status that cannot be', { entry: { ...whole, status: 99 }, age: 0 }],
      ['an entry of an unknown kind', { entry: { ...whole, kind: 'page' }, age: 0 }],
      ['an invalid age', { entry: whole, age: Number.NaN }],
    ])('returns %s is a miss, and is logged once', async (_, garbage) => {
      const cache = startCache({ store: { ...inMemory(), get: () => garbage as never } })
      for (let time = 0; time < 3; time++) expect((await cache.get()).body).toBe('1')
      if (garbage) expect(cache.log).toHaveBeenCalledTimes(1)
    })

    it('returns invalid headers is a miss', async () => {
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

  it('answers asynchronously is used the same way', async () => {
    const store = inMemory()
    const later: Store = {
      get: (key) => rest(2).then(() => store.get(key)),
      set: (key, entry) => rest(2).then(() => store.set(key, entry)),
      delete: (key) => rest(2).then(() => store.delete(key)),
    }
    const cache = startCache({ store: later })
    await cache.get()
    expect((await cache.get()).cacheStatus).toContain('hit')
    await cache.invalidate(['document'])
    expect((await cache.get()).cacheStatus).toContain('fwd=stale')
  })
})
