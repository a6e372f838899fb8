import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex } from '../index.js'
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
