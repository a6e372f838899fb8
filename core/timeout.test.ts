import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkTimeout, startDeadline, TimeoutError, withTimeout } from './timeout.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

/** A signal that counts its listeners. */
function createSignal() {
  const controller = new AbortController()
  const added = vi.spyOn(controller.signal, 'addEventListener')
  const removed = vi.spyOn(controller.signal, 'removeEventListener')
  return { ...controller, signal: controller.signal, abort: controller.abort.bind(controller), added, removed }
}

/**
 * Blocks the event loop for 50 ms. Returns the result of `start`, which gets a promise that resolves after the
 * timers have run.
 */
async function blockLoop<T>(start: (reading: Promise<unknown>) => T): Promise<Awaited<T>> {
  vi.useRealTimers()
  try {
    const afterTimers = () => new Promise((resolve) => setImmediate(resolve))
    await afterTimers()
    const started = start(afterTimers())
    for (const blockedUntil = performance.now() + 50; performance.now() < blockedUntil; ) {}
    return await started
  } finally {
    vi.useFakeTimers()
  }
}

describe('checkTimeout', () => {
  it.each([0.5, 1, 10_000, 2 ** 31 - 1])('checkTimeout returns %d', (timeout) =>
    expect(checkTimeout('timeout', timeout)).toBe(timeout),
  )

  it.each([
    [0, '0'],
    [-1, '-1'],
    [Number.NaN, 'NaN'],
    [2 ** 31, '2147483648'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['5', "'5'"],
  ])('checkTimeout rejects %s', (timeout, text) => {
    const expected = (option: string) =>
      new TypeError(`${option}: expected milliseconds > 0 and <= 2147483647, such as 10_000, got ${text}`)
    expect(() => checkTimeout('storeTimeout', timeout)).toThrow(expected('storeTimeout'))
  })
})

describe('withTimeout', () => {
  it('withTimeout settles like its work', async () => {
    expect(await withTimeout(10, Promise.resolve('done'))).toBe('done')
    const error = new Error('failed')
    await expect(withTimeout(10, Promise.reject(error))).rejects.toBe(error)
  })

  it('withTimeout rejects when the time is over', async () => {
    const result = withTimeout(10, new Promise(() => {}))
    const rejected = expect(result).rejects.toThrow(new TimeoutError('not done within 10 ms'))
    vi.advanceTimersByTime(10)
    await rejected
  })

  it('withTimeout lets a process read the data that arrived while its event loop was blocked', async () => {
    await blockLoop((reading) => withTimeout(10, reading))
    const never = new Promise(() => {})
    await expect(blockLoop(() => withTimeout(10, never))).rejects.toThrow(TimeoutError)
  })

  it('withTimeout rejects with the reason of its signal, even if the signal was aborted before', async () => {
    const { signal, abort } = createSignal()
    const reason = new Error('left')
    const result = withTimeout(10, new Promise(() => {}), signal)
    abort(reason)
    await expect(result).rejects.toBe(reason)
    await expect(withTimeout(10, Promise.resolve('done'), signal)).rejects.toBe(reason)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['success', () => Promise.resolve()],
    ['failure', () => Promise.reject(new Error('failed'))],
  ])('withTimeout removes its listener after the %s of its work', async (_, work) => {
    const { signal, added, removed } = createSignal()
    await withTimeout(10, work(), signal).catch(() => {})
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1])
    expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1])
  })
})

describe('startDeadline', () => {
  it('a deadline lets a process read the data that arrived while its event loop was blocked', async () => {
    const isOver = blockLoop((reading) => {
      const deadline = startDeadline(10)
      return reading.then(deadline.isOver).finally(deadline.end)
    })
    expect(await isOver).toBe(false)
  })

  it('a deadline aborts when its time is over', () => {
    const deadline = startDeadline(10)
    vi.advanceTimersByTime(9)
    expect([deadline.isOver(), deadline.signal.aborted]).toEqual([false, false])
    vi.advanceTimersByTime(1)
    expect(deadline.isOver()).toBe(true)
    expect(deadline.signal.reason).toEqual(new TimeoutError('not done within 10 ms'))
    deadline.end()
  })

  it.each([
    ['before', true],
    ['after', false],
  ])('a deadline aborts with an outer signal that is aborted %s its start', (_, isBefore) => {
    const { signal, abort } = createSignal()
    const reason = new Error('left')
    if (isBefore) abort(reason)
    const deadline = startDeadline(10, signal)
    if (!isBefore) abort(reason)
    expect([deadline.isOver(), deadline.signal.reason]).toEqual([false, reason])
    deadline.end()
  })

  it('an ended deadline leaves neither a timer nor a listener', () => {
    const { signal, abort } = createSignal()
    const deadline = startDeadline(10, signal)
    deadline.end()
    vi.advanceTimersByTime(20)
    abort()
    expect([deadline.isOver(), deadline.signal.aborted]).toEqual([false, false])
  })
})
