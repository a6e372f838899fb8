import { setMaxListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { createOriginLimiter } from './origin-limiter.js'

const never = new AbortController().signal
setMaxListeners(0, never) // all requests of a test have it

/** Work that ends when the test ends it, in a limiter that records the order. */
const start = (options: Partial<Parameters<typeof createOriginLimiter>[0]> = {}) => {
  const limitOf = createOriginLimiter({ concurrency: 1, maxQueue: 100, ...options })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, signal = never, bytes = 0, isAbandoned = () => false) => {
    const [origin = ''] = name.split(' ')
    const work = () =>
      new Promise<void>((resolve) => {
        started.push(name)
        ends.set(name, resolve)
      })
    const result = limitOf(origin)(work, signal, { bytes, isAbandoned })
    result.catch(() => {})
    return result
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { limitOf, run, end, started }
}

test('the origin that was served longest ago is next, however many the others have waiting', async () => {
  const { run, end, started } = start()
  for (const name of ['a 1', 'a 2', 'a 3', 'b 1', 'b 2']) void run(name)
  await end('a 1')
  void run('c 1')
  for (const name of ['b 1', 'c 1', 'a 2', 'b 2']) await end(name)
  expect(started).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3'])
})

test('the origin with the fewest running is next', async () => {
  const { run, end, started } = start({ concurrency: 3 })
  for (const name of ['a 1', 'b 1', 'a 2', 'b 2', 'a 3', 'b 3']) void run(name)
  await end('b 1')
  await end('b 2')
  expect(started).toEqual(['a 1', 'b 1', 'a 2', 'b 2', 'b 3'])
})

test('one origin runs no more than its share, and the rest of its work waits without holding a place', async () => {
  const { run, end, started } = start({ concurrency: 3, concurrencyPerOrigin: 2 })
  for (const name of ['a 1', 'a 2', 'a 3', 'b 1']) void run(name)
  expect(started).toEqual(['a 1', 'a 2', 'b 1'])
  await end('b 1')
  expect(started).toHaveLength(3)
  await end('a 1')
  expect(started.at(-1)).toBe('a 3')
})

test('what nobody waits for comes last within its origin', async () => {
  const { run, end, started } = start()
  const abandoned = new Set(['a 2'])
  for (const name of ['a 1', 'a 2', 'a 3', 'a 4', 'a 5']) void run(name, never, 0, () => abandoned.has(name))
  abandoned.add('a 3')
  for (const name of ['a 1', 'a 4']) await end(name)
  abandoned.delete('a 3') // somebody joined
  for (const name of ['a 5', 'a 3', 'a 2']) await end(name)
  expect(started).toEqual(['a 1', 'a 4', 'a 5', 'a 3', 'a 2'])
})

test('the queue of an origin is its own: when it is full, 503 at once', async () => {
  const { run, end, started } = start({ maxQueue: 1 })
  for (const name of ['a 1', 'a 2']) void run(name)
  await expect(run('a 3')).rejects.toMatchObject({ status: 503 })
  const other = run('b 1')
  await end('a 1')
  await end('b 1')
  await other
  expect(started).toEqual(['a 1', 'b 1', 'a 2'])
})

test('beyond the bytes that may wait, the newest of the origin that holds most leaves with 503', async () => {
  const { run, end, started } = start({ maxQueueBytes: 100 })
  void run('a 1', never, 1_000) // does not wait
  void run('a 2', never, 40)
  const evicted = run('a 3', never, 40)
  const small = run('b 1', never, 30)
  await expect(evicted).rejects.toMatchObject({ status: 503 })
  await expect(run('a 4', never, 40)).rejects.toMatchObject({ status: 503 })
  await end('a 1')
  await end('b 1')
  await small
  // What runs and what left holds nothing any more.
  void run('b 2', never, 100)
  await end('a 2')
  expect(started).toEqual(['a 1', 'b 1', 'a 2', 'b 2'])
})

test('work whose signal aborts leaves the queue and is never started', async () => {
  const { run, end, started } = start({ maxQueue: 1 })
  void run('a 1')
  const client = new AbortController()
  const left = run('a 2', client.signal)
  client.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  void run('a 3')
  await end('a 1')
  expect(started).toEqual(['a 1', 'a 3'])
  await expect(run('a 4', client.signal)).rejects.toThrow('gone')
})

test('failed work gives its place back', async () => {
  const { limitOf } = start()
  for (let round = 0; round < 3; round++) {
    await expect(limitOf('a')(() => Promise.reject(new Error('failed')), never)).rejects.toThrow('failed')
  }
  expect(await limitOf('b')(async () => 'free', never)).toBe('free')
})

test('an origin without a place gets that of the longest running work, once it waited for so long', async () => {
  vi.useFakeTimers()
  try {
    const limitOf = createOriginLimiter({ concurrency: 2, maxQueue: 100, maxWait: 1_000 })
    const started: string[] = []
    /** Lasts until its place is taken back. */
    const run = (name: string) =>
      limitOf(name.slice(0, 1))(
        ({ signal }) =>
          new Promise<never>((_, reject) => {
            started.push(name)
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
        never,
      ).catch((error) => error.status)
    const results = [run('a 1')]
    await vi.advanceTimersByTimeAsync(500)
    results.push(run('b 1'), run('a 2'), run('c 1'), run('d 1'))
    await vi.advanceTimersByTimeAsync(999)
    expect(started).toEqual(['a 1', 'b 1'])
    await vi.advanceTimersByTimeAsync(1)
    expect([await results[0], await results[1]]).toEqual([503, 503])
    // Not the second of `a`, which has had a place.
    expect(started).toEqual(['a 1', 'b 1', 'c 1', 'd 1'])
    // Whoever has just begun is left alone for as long.
    await vi.advanceTimersByTimeAsync(999)
    expect(started).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(1)
    expect(started).toEqual(['a 1', 'b 1', 'c 1', 'd 1', 'a 2'])
  } finally {
    vi.useRealTimers()
  }
})

test('work that has kept its place is not taken back', async () => {
  vi.useFakeTimers()
  try {
    const limitOf = createOriginLimiter({ concurrency: 1, maxQueue: 100, maxWait: 1_000 })
    let aborted = false
    void limitOf('a')(async ({ keep, signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
      keep()
      await new Promise(() => {})
    }, never)
    void limitOf('b')(async () => {}, never)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(aborted).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})
