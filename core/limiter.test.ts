import { expect, test } from 'vitest'
import { createLimiter, QueueFullError } from './limiter.js'

/** Work that ends when the test resolves it. */
const controlled = () => {
  const { promise, resolve, reject } = withResolvers<string>()
  return { work: () => promise, resolve, reject }
}

const withResolvers = <T>() => {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue
    reject = onReason
  })
  return { promise, resolve, reject }
}

const noAbort = () => new AbortController().signal

test('a limiter starts calls in order, and never runs more of them at the same time than its limit', async () => {
  const limit = createLimiter({ concurrency: 2, maxQueue: 100 })
  const order: number[] = []
  let running = 0
  let maxRunning = 0
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      limit(async () => {
        order.push(index)
        maxRunning = Math.max(maxRunning, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
      }, noAbort()),
    ),
  )
  expect(maxRunning).toBe(2)
  expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index))
})

test('a full queue rejects immediately, and accepts calls again when there is room', async () => {
  const limit = createLimiter({ concurrency: 1, maxQueue: 1 })
  const first = controlled()
  const running = limit(first.work, noAbort())
  const waiting = limit(async () => 'second', noAbort())
  await expect(limit(async () => 'third', noAbort())).rejects.toThrow(QueueFullError)
  first.resolve('first')
  expect(await Promise.all([running, waiting])).toEqual(['first', 'second'])
  expect(await limit(async () => 'fourth', noAbort())).toBe('fourth')
})

test('work whose signal aborts leaves the queue and is never started', async () => {
  const limit = createLimiter({ concurrency: 1, maxQueue: 1 })
  const first = controlled()
  const running = limit(first.work, noAbort())
  const client = new AbortController()
  let started = false
  const abandoned = limit(async () => {
    started = true
  }, client.signal)
  client.abort(new Error('gone'))
  await expect(abandoned).rejects.toThrow('gone')
  const waiting = limit(async () => 'next', noAbort())
  first.resolve('first')
  expect(await Promise.all([running, waiting])).toEqual(['first', 'next'])
  expect(started).toBe(false)
})

test('work whose signal has already aborted is not started', async () => {
  const limit = createLimiter({ concurrency: 1, maxQueue: 0 })
  await expect(limit(async () => 'work', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(await limit(async () => 'free', noAbort())).toBe('free')
})

test('failed work frees its place in the limiter', async () => {
  const limit = createLimiter({ concurrency: 1, maxQueue: 0 })
  const fail = () => {
    throw new Error('failed')
  }
  for (const work of [async () => fail(), fail]) await expect(limit(work, noAbort())).rejects.toThrow('failed')
  expect(await limit(async () => 'free', noAbort())).toBe('free')
})
