import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from './dates.js'

const now = Date.UTC(2026, 10, 21)

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
  ])('Retry-After: %j is a delay of %d ms', (value, milliseconds) =>
    expect(parseRetryAfter(value, now)).toBe(milliseconds),
  )

  it('parseRetryAfter never returns a negative delay', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(parseRetryAfter(value, now)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
