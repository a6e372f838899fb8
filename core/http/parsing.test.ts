import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addTags, checkTags, maxTags, parseTags } from '../tag-names.js'
import { fieldsOf, maxSeconds, parseCacheControl, parseTargeted, secondsOf } from './cache-control.js'
import { createCacheStatus } from './cache-status.js'
import { parseHttpDate } from './dates.js'
import { parseRequestDirectives } from './request-directives.js'

describe('Cache-Control (RFC 9111, section 5.2)', () => {
  const table: [string, string, number | undefined][] = [
    ['plain', 'max-age=60', 60],
    ['any letter case', 'MaX-aGe=60', 60],
    ['quoted', 'max-age="60"', 60],
    ['beside an extension', 'foobar, max-age=60', 60],
    ['leading zeros', 'max-age=0060', 60],
    ['in a quoted string before', 'extension="max-age=3600", max-age=1', 1],
    ['in a quoted string after', 'max-age=1, extension="a, max-age=3600"', 1],
    ['in a quoted string with an escape', 'extension="\\", max-age=3600", max-age=1', 1],
    ['twice: the first', 'max-age=1, max-age=3600', 1],
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
  it.each(table)('max-age, %s', (_, field, seconds) => {
    expect(secondsOf(parseCacheControl(field), 'max-age')).toBe(seconds)
  })

  it('forbids even when malformed', () => {
    for (const field of ['no-store;', 'NO-STORE', 'no-store=1', 'a, no-store ', 'no-store="']) {
      expect(parseCacheControl(field).has('no-store')).toBe(true)
    }
  })

  it('parses lists of fields; a directive without one applies to all', () => {
    expect(fieldsOf(parseCacheControl('no-cache="a, B", no-cache=c'), 'no-cache')).toEqual(['a', 'b', 'c'])
    expect(parseCacheControl('no-cache="a", no-cache').get('no-cache')).toBe(true)
    expect(parseCacheControl('private=""').get('private')).toBe(true)
  })

  it('never throws, and never returns seconds out of range', () => {
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
  it.each(table)('%s', (field, directives) => {
    const parsed = parseTargeted(field)
    expect(parsed && Object.fromEntries(parsed)).toEqual(directives)
  })
})

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
    ['', undefined],
  ])('%s', (text, time) => expect(parseHttpDate(text)).toBe(time))
})

describe('tags', () => {
  it.each([
    [null, []],
    ['', []],
    [' , ,', []],
    ['document', ['document']],
    [' a ,b,, a,two words ', ['a', 'b', 'two words']],
    ['gr\u00f6\u00dfe', ['gr%C3%B6%C3%9Fe']],
  ])('of Cache-Tag %j', (field, tags) => expect(parseTags(field)).toEqual({ tags }))

  it('are at most 10,000', () => {
    const list = Array.from({ length: maxTags }, (_, index) => `tag-${index}`)
    expect(parseTags(list.join(',')).tags).toHaveLength(maxTags)
    expect(parseTags(addTags(list.join(','), ['one-more'])).error).toBe('more than 10000 tags')
    expect(parseTags('x'.repeat(1_000_000)).error).toBe('a tag is longer than 1024 characters')
  })

  it.each([
    [null, ['a', ' b '], 'a,b'],
    ['a, b,', ['b', 'c'], 'a,b,c'],
    ['a', ['größe', '新', '\ud800', 'a,b', ' ', '\r\n'], 'a,gr%C3%B6%C3%9Fe,%E6%96%B0,%EF%BF%BD,a%2Cb'],
  ])('join %j', (field, tags, joined) => {
    expect(addTags(field, tags)).toBe(joined)
    expect(addTags(joined, tags)).toBe(joined)
    expect(parseTags(joined)).toEqual({ tags: joined.split(',') })
  })

  it('are checked before a purge', () => {
    expect(checkTags([' a ', 'a', 'b'])).toEqual(['a', 'b'])
    expect(checkTags(['größe'])).toEqual(['größe', 'gr%C3%B6%C3%9Fe'])
    for (const wrong of [[], ['a,b'], [''], [' '], [1], 'document', undefined]) {
      expect(() => checkTags(wrong as string[])).toThrow(/^tags: /)
    }
  })
})

describe('request directives (RFC 9111, section 5.2.1)', () => {
  const read = (headers: Record<string, string>, honor = true) => parseRequestDirectives(new Headers(headers), honor)
  it('are parsed', () => {
    expect(read({})).toEqual({ noCache: false, noStore: false, onlyIfCached: false })
    expect(read({ pragma: 'x, no-cache' }).noCache).toBe(true)
    expect(read({ pragma: 'no-cache', 'cache-control': 'max-age=1' }).noCache).toBe(false)
    expect(read({ 'cache-control': 'max-age=1, min-fresh=2, max-stale=3' })).toMatchObject({
      maxAge: 1,
      minFresh: 2,
      maxStale: 3,
    })
    expect(read({ 'cache-control': 'max-stale' }).maxStale).toBe(maxSeconds)
  })
  it('are ignored by option, except only-if-cached and max-stale', () => {
    const all = { 'cache-control': 'no-cache, no-store, max-age=0, min-fresh=9, only-if-cached, max-stale=1' }
    expect(read(all, false)).toEqual({ noCache: false, noStore: false, onlyIfCached: true, maxStale: 1 })
    expect(read({ pragma: 'no-cache' }, false).noCache).toBe(false)
  })
})

describe('Cache-Status (RFC 9211)', () => {
  const describeOutcome = createCacheStatus('edge')
  it('is formatted', () => {
    expect(describeOutcome({ hit: true, ttl: -3, detail: 'stale' })).toBe('edge; hit; ttl=-3; detail=stale')
    expect(describeOutcome({ forward: 'uri-miss', status: 200, stored: true, collapsed: true })).toBe(
      'edge; fwd=uri-miss; fwd-status=200; stored; collapsed',
    )
    expect(() => createCacheStatus('my cache')).toThrow(/^name: /)
  })
})
