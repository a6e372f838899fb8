import { expect, test } from 'vitest'
import { createSlots } from './limiter.js'

/** A piece of work that ends when it is told to. */
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

const never = () => new AbortController().signal

test('no more run at once than there are slots, and all get their turn in order', async () => {
  const inSlot = createSlots({ concurrency: 2, queue: 100 })
  const order: number[] = []
  let running = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      inSlot(async () => {
        order.push(index)
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
      }, never()),
    ),
  )
  expect(most).toBe(2)
  expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index))
})

test('a full queue refuses with 503 at once, and takes again when there is room', async () => {
  const inSlot = createSlots({ concurrency: 1, queue: 1 })
  const first = controlled()
  const running = inSlot(first.work, never())
  const waiting = inSlot(async () => 'second', never())
  await expect(inSlot(async () => 'third', never())).rejects.toMatchObject({ status: 503 })
  first.resolve('first')
  expect(await Promise.all([running, waiting])).toEqual(['first', 'second'])
  expect(await inSlot(async () => 'fourth', never())).toBe('fourth')
})

test('who leaves the queue makes room and is never started', async () => {
  const inSlot = createSlots({ concurrency: 1, queue: 1 })
  const first = controlled()
  const running = inSlot(first.work, never())
  const leaving = new AbortController()
  let started = false
  const left = inSlot(async () => {
    started = true
  }, leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  const waiting = inSlot(async () => 'next', never())
  first.resolve('first')
  expect(await Promise.all([running, waiting])).toEqual(['first', 'next'])
  expect(started).toBe(false)
})

test('who has left already is not started', async () => {
  const inSlot = createSlots({ concurrency: 1, queue: 0 })
  await expect(inSlot(async () => 'work', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(await inSlot(async () => 'free', never())).toBe('free')
})

test('failed work frees its slot', async () => {
  const inSlot = createSlots({ concurrency: 1, queue: 0 })
  const fail = () => {
    throw new Error('failed')
  }
  for (const work of [async () => fail(), fail]) await expect(inSlot(work, never())).rejects.toThrow('failed')
  expect(await inSlot(async () => 'free', never())).toBe('free')
})
