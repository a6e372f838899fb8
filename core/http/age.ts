import { maxSeconds } from './cache-control.js'
import { parseHttpDate } from './dates.js'

/**
 * Computes the age of a response when its head arrived, in seconds: `corrected_initial_age` of RFC 9111, section 4.2.3.
 *
 * @param given.now Milliseconds since 1970.
 * @param given.delay Seconds from the request to the head.
 * @example initialAgeOf({ headers: new Headers({ Age: '30' }), now: Date.now(), delay: 2 }) // 32
 */
export function initialAgeOf({ headers, now, delay }: { headers: Headers; now: number; delay: number }): number {
  const date = parseHttpDate(headers.get('date'), now)
  // Dates have no fractions: less than a second counts as 0.
  const apparent = date === undefined ? 0 : Math.max(0, Math.floor((now - date) / 1000))
  return Math.min(Math.max(apparent, ageValueOf(headers) + delay), maxSeconds)
}

/** RFC 9111, section 5.1: of a list the first member counts; an invalid one is ignored. */
function ageValueOf(headers: Headers): number {
  const [first = ''] = headers.get('age')?.split(',', 1) ?? []
  return /^\s*\d+\s*$/.test(first) ? Math.min(Number(first), maxSeconds) : 0
}
