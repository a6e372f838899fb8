const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const time = '(\\d{2}):(\\d{2}):(\\d{2})'
const imf = new RegExp(`^[a-z]{3}, (\\d{2}) ([a-z]{3}) (\\d{4}) ${time} gmt$`, 'i')
const rfc850 = new RegExp(`^[a-z]{6,9}, (\\d{2})-([a-z]{3})-(\\d{2}) ${time} gmt$`, 'i')
const asctime = new RegExp(`^[a-z]{3} ([a-z]{3}) ([ \\d]\\d) ${time} (\\d{4})$`, 'i')

/**
 * Parses an HTTP date in any of the three forms of RFC 9110, section 5.6.7. Returns milliseconds since 1970, or
 * `undefined` for anything else. A two-digit year is at most 50 years ahead of `now`.
 *
 * @example parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT') // 784111777000
 */
export function parseHttpDate(text: string | null | undefined, now = Date.now()): number | undefined {
  if (!text) return undefined
  const match = imf.exec(text) ?? rfc850.exec(text)
  if (match) {
    const [, day, month, year, ...clock] = match as unknown as string[]
    return toTime(Number(year) + (year?.length === 2 ? centuryOf(Number(year), now) : 0), month, day, clock)
  }
  const [, month, day, hours, minutes, seconds, year] = asctime.exec(text) ?? []
  return year === undefined ? undefined : toTime(Number(year), month, day, [hours, minutes, seconds])
}

function centuryOf(year: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear()
  const century = thisYear - (thisYear % 100)
  return century + year > thisYear + 50 ? century - 100 : century
}

function toTime(year: number, month = '', day: string | undefined, clock: (string | undefined)[]): number | undefined {
  const index = months.indexOf(month.toLowerCase())
  const [hours = 0, minutes = 0, seconds = 0] = clock.map(Number)
  const dayOfMonth = Number(day)
  // 60 is a leap second, which counts as the following second.
  if (index < 0 || dayOfMonth < 1 || dayOfMonth > 31 || hours > 23 || minutes > 59 || seconds > 60) return undefined
  // Date.UTC would add 1900 to years below 100, and treat days after the end of a month as days of the next month.
  if (year < 100 || dayOfMonth > new Date(Date.UTC(year, index + 1, 0)).getUTCDate()) return undefined
  return Date.UTC(year, index, dayOfMonth, hours, minutes, seconds)
}

/**
 * Returns the delay of a `Retry-After` in milliseconds. The header contains seconds or a date (RFC 9110, section
 * 10.2.3). Returns 0 if the header is missing or malformed, or if its date is past.
 *
 * @param now Current time, in milliseconds since 1970.
 */
export function parseRetryAfter(value: string | null | undefined, now: number): number {
  if (!value) return 0
  if (/^\d+$/.test(value)) return Number(value) * 1000
  return Math.max(0, (parseHttpDate(value, now) ?? now) - now)
}
