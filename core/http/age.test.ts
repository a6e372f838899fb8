import { describe, expect, it } from 'vitest'
import { initialAgeOf, maxSeconds } from './cache-control.js'

const now = Date.UTC(2030, 0, 1, 0, 0, 30)

describe('initialAgeOf', () => {
  it.each<[string, Record<string, string>, number, number]>([
    ['neither Age nor Date', {}, 0, 0],
    ['a delay of the response', {}, 2.5, 2.5],
    ['Age and a delay', { Age: '30' }, 2, 32],
    ['a Date that gives a higher age than Age', { Date: 'Tue, 01 Jan 2030 00:00:00 GMT', Age: '10' }, 2, 30],
    ['an Age that is higher than Date gives', { Date: 'Tue, 01 Jan 2030 00:00:00 GMT', Age: '40' }, 2, 42],
    ['a Date in the future', { Date: 'Tue, 01 Jan 2030 00:01:00 GMT' }, 0, 0],
    ['an invalid Date', { Date: 'today' }, 0, 0],
    ['several ages, of which the first one counts', { Age: '5, 50' }, 0, 5],
    ['an Age that is not a number', { Age: '-5' }, 1, 1],
    ['an Age with a fraction', { Age: '5.5' }, 0, 0],
    ['a huge Age', { Age: '99999999999' }, 1, maxSeconds],
  ])('initialAgeOf computes the age of a response with %s', (_, headers, delay, expected) => {
    expect(initialAgeOf({ headers: new Headers(headers), now, delay })).toBe(expected)
  })

  it('the age that is computed from Date has no fraction of a second', () => {
    const headers = new Headers({ Date: 'Tue, 01 Jan 2030 00:00:29 GMT' })
    expect(initialAgeOf({ headers, now: now + 999, delay: 0 })).toBe(1)
  })
})
