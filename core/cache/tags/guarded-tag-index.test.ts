import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex, type TagIndex } from '../index.js'
import { startCache } from '../testing/harness.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('an index that hangs is asked by one request a second, and meanwhile nobody asks the store', async () => {
  const known = memoryTagIndex()
  let hangs = false
  const stamp = vi.fn(() => (hangs ? new Promise<undefined>(() => {}) : Promise.resolve(known.stamp())))
  const store = memoryStore({ maxBytes: 1e6 })
  const get = vi.fn(async (key: string) => store.get(key))
  const cache = startCache({ store: { ...store, get }, tagIndex: { ...known, stamp }, storeTimeout: 500 })
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

it('an index that answers at once after it has hung is asked by all again', async () => {
  const known = memoryTagIndex()
  let hangs = false
  const stamp = () => (hangs ? new Promise<undefined>(() => {}) : known.stamp())
  const cache = startCache({ tagIndex: { ...known, stamp }, storeTimeout: 500 })
  await cache.get()
  hangs = true
  const first = cache.get()
  await vi.advanceTimersByTimeAsync(500)
  await first
  hangs = false
  await vi.advanceTimersByTimeAsync(1_000)
  for (let request = 0; request < 5; request++) expect((await cache.get()).cacheStatus).toContain('hit')
})

it('an index of which one answer is there at once and the other hangs is waited for by one request a second', async () => {
  const known = memoryTagIndex()
  let hangs = false
  const purgedSince = vi.fn<TagIndex['purgedSince']>((...query) =>
    hangs ? new Promise(() => {}) : known.purgedSince(...query),
  )
  const cache = startCache({ tagIndex: { ...known, purgedSince }, storeTimeout: 500 })
  await cache.get()
  await known.purge(['other'], 'hard')
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
