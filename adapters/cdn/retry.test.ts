import { describe, expect, it } from 'vitest'
import { retryDelay } from './retry.js'

const now = Date.UTC(2026, 10, 21)
const delayAfter = (status: number | undefined, failures = 1, random = 1, retryAfter?: string) =>
  retryDelay({ ok: false, status, retryAfter, reason: '' }, { failures, attempts: 5, now, random })

describe('retryDelay', () => {
  it.each([undefined, 408, 425, 429, 500, 502, 503, 504, 599])('retries %s', (status) => {
    expect(delayAfter(status)).toBe(200)
  })
  it.each([200, 301, 307, 400, 401, 403, 404, 409, 413, 422])('does not retry %s', (status) => {
    expect(delayAfter(status)).toBeUndefined()
  })
  it('does not retry a success', () => {
    expect(retryDelay({ ok: true, status: 200, reason: '' }, { failures: 1, attempts: 5 })).toBeUndefined()
  })
  it('doubles to 2 s with jitter, and ends with the last attempt', () => {
    expect([1, 2, 3, 4, 5].map((failures) => delayAfter(500, failures))).toEqual([200, 400, 800, 1600, undefined])
    expect([1, 2, 3, 4].map((failures) => delayAfter(500, failures, 0))).toEqual([100, 200, 400, 800])
    expect(retryDelay({ ok: false, reason: '' }, { failures: 50, attempts: 99, random: 1 })).toBe(2000)
  })
  it('waits at least for Retry-After, and at least for the back-off', () => {
    expect(delayAfter(429, 1, 0, '7')).toBe(7000)
    expect(delayAfter(429, 1, 1, '0')).toBe(200)
    expect(delayAfter(503, 1, 1, new Date(now + 5000).toUTCString())).toBe(5000)
  })
})
