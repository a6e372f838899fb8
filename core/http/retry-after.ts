import { parseHttpDate } from './dates.js'

/**
 * Returns the milliseconds of a `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3); 0 when it is missing,
 * past or malformed.
 *
 * @param now Current time, in milliseconds since 1970.
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number {
  if (!value) return 0
  if (/^\d+$/.test(value)) return Number(value) * 1000
  return Math.max(0, (parseHttpDate(value, now) ?? now) - now)
}
