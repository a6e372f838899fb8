import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.js'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

function start(timeout: number) {
  const breaker = createCircuitBreaker(timeout)
  return {
    ...breaker,
    failAfter(duration: number) {
      const began = performance.now()
      vi.advanceTimersByTime(duration)
      breaker.onFailure(began)
    },
    /** Milliseconds until an attempt is made. */
    measurePause() {
      const began = performance.now()
      while (breaker.isOpen()) vi.advanceTimersByTime(1)
      return performance.now() - began
    },
  }
}

it('skips what fails slowly, for longer each time, and for a second at most', () => {
  const breaker = start(500)
  const pauses = Array.from({ length: 6 }, () => {
    breaker.failAfter(500)
    return breaker.measurePause()
  })
  expect(pauses).toEqual([125, 250, 500, 1000, 1000, 1000])
  breaker.onSuccess()
  expect(breaker.isOpen()).toBe(false)
  breaker.failAfter(500)
  expect(breaker.measurePause()).toBe(125)
})

it('counts attempts that fail at the same time once', () => {
  const breaker = start(500)
  const began = performance.now()
  vi.advanceTimersByTime(500)
  for (let attempt = 0; attempt < 10; attempt++) {
    breaker.onFailure(began + attempt)
    vi.advanceTimersByTime(1)
  }
  expect(breaker.measurePause()).toBe(115)
  breaker.failAfter(500)
  expect(breaker.measurePause()).toBe(250)
})

it('lets one attempt decide, and skips nothing after a fast failure', () => {
  const breaker = start(500)
  breaker.failAfter(500)
  expect(breaker.measurePause()).toBe(125)
  expect(breaker.isOpen()).toBe(false)
  breaker.onWait()
  expect(breaker.isOpen()).toBe(true)
  breaker.failAfter(10)
  expect(breaker.isOpen()).toBe(false)
})
