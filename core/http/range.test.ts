import { describe, expect, it } from 'vitest'
import { type ByteRange, selectRange } from './conditional.js'

const lastModified = 'Tue, 01 Jan 2030 00:00:00 GMT'
const validators = { status: 200, etag: '"a"', lastModified, date: 'Tue, 01 Jan 2030 00:00:01 GMT' }

describe('selectRange of 10 bytes', () => {
  it.each<[string, ByteRange | 'whole' | 'unsatisfiable']>([
    ['bytes=0-4', { first: 0, last: 4 }],
    ['bytes=9-9', { first: 9, last: 9 }],
    ['bytes=5-', { first: 5, last: 9 }],
    ['bytes=5-99', { first: 5, last: 9 }],
    ['bytes=-2', { first: 8, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['Bytes= 0-4 ', { first: 0, last: 4 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=0-1,4-5', 'whole'],
    ['lines=0-4', 'whole'],
    ['bytes=a-b', 'whole'],
  ])('selectRange selects a part of 10 bytes for %j', (range, expected) => {
    expect(selectRange(new Headers({ Range: range }), validators, 10)).toEqual(expected)
  })

  it.each<[string, string, Partial<typeof validators>, boolean]>([
    ['the entity tag of the response', '"a"', {}, true],
    ['another entity tag', '"b"', {}, false],
    ['a weak entity tag', 'W/"a"', { etag: 'W/"a"' }, false],
    ['the date of the response', lastModified, {}, true],
    ['another date', validators.date, {}, false],
    ['the date of a response that was changed less than a second before', lastModified, { date: lastModified }, false],
  ])('selectRange compares an If-Range with %s', (_, ifRange, changed, isPart) => {
    const request = new Headers({ Range: 'bytes=0-4', 'If-Range': ifRange })
    expect(selectRange(request, { ...validators, ...changed }, 10)).toEqual(isPart ? { first: 0, last: 4 } : 'whole')
  })
})

it.each([
  ['without a Range', {}, 10],
  ['if the body is empty', { Range: 'bytes=0-4' }, 0],
])('selectRange selects the whole body %s', (_, headers, length) => {
  expect(selectRange(new Headers(headers), validators, length)).toBe('whole')
})
