import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsOf, maxSeconds, parseCacheControl, parseTargeted, secondsOf } from './cache-control.js'

describe('Cache-Control (RFC 9111, section 5.2)', () => {
  const table: [string, string, number | undefined][] = [
    ['plain', 'max-age=60', 60],
    ['any letter case', 'MaX-aGe=60', 60],
    ['quoted', 'max-age="60"', 60],
    ['beside an extension', 'foobar, max-age=60', 60],
    ['leading zeros', 'max-age=0060', 60],
    ['after a quoted string that contains it', 'extension="max-age=3600", max-age=1', 1],
    ['before a quoted string that contains it', 'max-age=1, extension="a, max-age=3600"', 1],
    ['after a quoted string with an escape', 'extension="\\", max-age=3600", max-age=1', 1],
    ['twice, of which the first one counts', 'max-age=1, max-age=3600', 1],
    ['2^31', 'max-age=2147483648', maxSeconds],
    ['enormous', 'max-age=99999999999999999999', maxSeconds],
    ['negative', 'max-age=-60', 0],
    ['single quotes', "max-age='60'", 0],
    ['letters before', 'max-age=a60', 0],
    ['letters after', 'max-age=60a', 0],
    ['a fraction', 'max-age=60.5', 0],
    ['a space before =', 'max-age =60', 0],
    ['a space after =', 'max-age= 60', 0],
    ['no value', 'max-age', 0],
    ['a semicolon', 'max-age=60; public', 0],
    ['empty parts', ',, ,max-age=60,,', 60],
    ['absent', 'public', undefined],
    ['in another name', 'x-max-age=60', undefined],
  ]
  it.each(table)('max-age in Cache-Control, %s: %j means %s', (_, field, seconds) => {
    expect(secondsOf(parseCacheControl(field), 'max-age')).toBe(seconds)
  })

  it('a malformed no-store still forbids storing', () => {
    for (const field of ['no-store;', 'NO-STORE', 'no-store=1', 'a, no-store ', 'no-store="']) {
      expect(parseCacheControl(field).has('no-store')).toBe(true)
    }
  })

  it('no-cache and private without a list of fields apply to the whole response', () => {
    expect(fieldsOf(parseCacheControl('no-cache="a, B", no-cache=c'), 'no-cache')).toEqual(['a', 'b', 'c'])
    expect(parseCacheControl('no-cache="a", no-cache').get('no-cache')).toBe(true)
    expect(parseCacheControl('private=""').get('private')).toBe(true)
  })

  it('parseCacheControl never throws, and secondsOf never returns seconds out of range', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (field) => {
        const seconds = secondsOf(parseCacheControl(field), 'max-age')
        expect(seconds === undefined || (seconds >= 0 && seconds <= maxSeconds)).toBe(true)
      }),
    )
  })
})

describe('targeted fields (RFC 9213, section 2.1)', () => {
  const table: [string, Record<string, string | true> | undefined][] = [
    ['max-age=60', { 'max-age': '60' }],
    ['foobar, max-age=60;a=1 ,  no-cache', { foobar: true, 'max-age': '60', 'no-cache': true }],
    ['max-age=1, max-age=2', { 'max-age': '2' }],
    ['max-age="60"', { 'max-age': '' }],
    ['no-cache="a, b"', { 'no-cache': 'a, b' }],
    ['no-store=?0, must-revalidate=?1', { 'must-revalidate': true }],
    ['', undefined],
    ['max-age=60, &&&', undefined],
    ['max-age =60', undefined],
    ['max-age= 60', undefined],
    ['Max-Age=60', undefined],
    ['max-age=60,', undefined],
    ['max-age="60', undefined],
  ]
  it.each(table)('parseTargeted reads %j', (field, directives) => {
    const parsed = parseTargeted(field)
    expect(parsed && Object.fromEntries(parsed)).toEqual(directives)
  })
})
