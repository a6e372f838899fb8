import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex, type TagIndex } from '../index.js'
import { startCache } from '../testing/harness.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('an index that hangs is asked by one request a second, and other requests do not ask the store', async () => {
  const index = memoryTagIndex()
  let hangs = false
  const stamp = vi.fn(() => (hangs ? new Promise<undefined>(() => {}) : Promise.resolve(index.stamp())))
  const store = memoryStore({ maxBytes: 1e6 })
  const get = vi.fn(async (key: string) => store.get(key))
  const cache = startCache({ store: { ...store, get }, tagIndex: { ...index, stamp }, storeTimeout: 500 })
  await cache.get()
  hangs = true
  const first = cache.get()
  await vi.advanceTimersByTimeAsync(500)
  await first
  stamp.mockClear()
  get.mockClear()
  for (let request = 0; request < 50; request++) await cache.get()
  expect(stamp).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_000)
  const attempt = cache.get()
  for (let request = 0; request < 50; request++) await cache.get()
  expect(stamp).toHaveBeenCalledTimes(1)
  expect(get).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(500)
  await attempt

  hangs = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect((await cache.get()).cacheStatus).toContain('hit')
  expect((await cache.get()).cacheStatus).toContain('hit')
})

it('an index that answers again after it hung is asked by all requests', async () => {
  const index = memoryTagIndex()
  let hangs = false
  const stamp = () => (hangs ? new Promise<undefined>(() => {}) : index.stamp())
  const cache = startCache({ tagIndex: { ...index, stamp }, storeTimeout: 500 })
  await cache.get()
  hangs = true
  const first = cache.get()
  await vi.advanceTimersByTimeAsync(500)
  await first
  hangs = false
  await vi.advanceTimersByTimeAsync(1_000)
  for (let request = 0; request < 5; request++) expect((await cache.get()).cacheStatus).toContain('hit')
})

it('an index that hangs only in purgedSince is waited for by one request a second', async () => {
  const index = memoryTagIndex()
  let hangs = false
  const purgedSince = vi.fn<TagIndex['purgedSince']>((...query) =>
    hangs ? new Promise(() => {}) : index.purgedSince(...query),
  )
  const cache = startCache({ tagIndex: { ...index, purgedSince }, storeTimeout: 500 })
  await cache.get()
  await index.purge(['other'], 'hard')
  hangs = true
  const first = cache.get()
  await vi.advanceTimersByTimeAsync(500)
  await first
  for (let second = 0; second < 3; second++) {
    await vi.advanceTimersByTimeAsync(1_000)
    purgedSince.mockClear()
    const attempt = cache.get()
    for (let request = 0; request < 50; request++) await cache.get()
    expect(purgedSince).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(500)
    await attempt
  }
})

it('a store that hangs is asked by one request a second', async () => {
  const store = memoryStore({ maxBytes: 1e6 })
  const get = vi.fn(() => new Promise<undefined>(() => {}))
  const cache = startCache({ store: { ...store, get }, storeTimeout: 500 })
  const first = cache.get()
  await vi.advanceTimersByTimeAsync(1_500)
  await first
  get.mockClear()
  const requests = Array.from({ length: 50 }, () => cache.get())
  await vi.advanceTimersByTimeAsync(500)
  await Promise.all(requests)
  expect(get).toHaveBeenCalledTimes(1)
})
