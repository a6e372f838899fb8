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
  const given = imf.exec(text) ?? rfc850.exec(text)
  if (given) {
    const [, day, month, year, ...clock] = given as unknown as string[]
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
  const date = Number(day)
  // 60 is a leap second, which counts as the following second.
  if (index < 0 || date < 1 || date > 31 || hours > 23 || minutes > 59 || seconds > 60) return undefined
  // Date.UTC takes years below 100 for those of the 20th century, and days beyond a month for the next month's.
  if (year < 100 || date > new Date(Date.UTC(year, index + 1, 0)).getUTCDate()) return undefined
  return Date.UTC(year, index, date, hours, minutes, seconds)
}
