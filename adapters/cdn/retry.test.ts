import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRetryAfter, planRetry } from './retry.js'

const now = Date.UTC(2026, 10, 21)
const plan = (status: number | undefined, failures = 1, random = 1, retryAfter?: string) =>
  planRetry({ ok: false, status, retryAfter, reason: '' }, { failures, attempts: 5, now, random })

describe('planRetry', () => {
  it.each([undefined, 408, 425, 429, 500, 502, 503, 504, 599])('%s may pass', (status) => {
    expect(plan(status)).toBe(200)
  })
  it.each([200, 301, 307, 400, 401, 403, 404, 409, 413, 422])('%s does not', (status) => {
    expect(plan(status)).toBeUndefined()
  })
  it('success is not tried again', () => {
    expect(planRetry({ ok: true, status: 200, reason: '' }, { failures: 1, attempts: 5 })).toBeUndefined()
  })
  it('doubles to 2 s, from half to whole, and ends with the last attempt', () => {
    expect([1, 2, 3, 4, 5].map((failures) => plan(500, failures))).toEqual([200, 400, 800, 1600, undefined])
    expect([1, 2, 3, 4].map((failures) => plan(500, failures, 0))).toEqual([100, 200, 400, 800])
    expect(planRetry({ ok: false, reason: '' }, { failures: 50, attempts: 99, random: 1 })).toBe(2000)
  })
  it('never undercuts Retry-After, nor goes without back-off', () => {
    expect(plan(429, 1, 0, '7')).toBe(7000)
    expect(plan(429, 1, 1, '0')).toBe(200)
    expect(plan(503, 1, 1, new Date(now + 5000).toUTCString())).toBe(5000)
  })
})

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [null, 0],
    ['', 0],
    ['-1', 0],
    ['1.5', 0],
    ['soon', 0],
    ['1, 2', 0],
    ['2026', 2_026_000],
    ['Sat, 21 Nov 2026 00:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 00:00:00 GMT', 0],
    ['Sat, 99 Nov 2026', 0],
  ])('%j is %d ms', (value, milliseconds) => expect(parseRetryAfter(value, now)).toBe(milliseconds))

  it('is never negative, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(parseRetryAfter(value, now)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
