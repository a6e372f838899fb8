import { describe, expect, it } from 'vitest'
import { parseHttpDate } from './dates.js'

describe('HTTP dates (RFC 9110, section 5.6.7)', () => {
  const november = 784111777000
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', november],
    ['SUN, 06 nov 1994 08:49:37 gmt', november],
    ['Sunday, 06-Nov-94 08:49:37 GMT', november],
    ['Sun Nov  6 08:49:37 1994', november],
    ['0', undefined],
    ['-1', undefined],
    ['Sun, 06 Nov 1994 08:49:37 UTC', undefined],
    ['Sun, 06 Nov 1994 25:49:37 GMT', undefined],
    ['1994-11-06T08:49:37Z', undefined],
    ['Sun, 31 Feb 1994 08:49:37 GMT', undefined],
    ['Sun, 06 Nov 0050 08:49:37 GMT', undefined],
    ['', undefined],
  ])('parseHttpDate reads %j as %s', (text, time) => expect(parseHttpDate(text)).toBe(time))
})
