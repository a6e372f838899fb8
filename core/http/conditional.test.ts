import { describe, expect, it } from 'vitest'
import { isNotModified, isNotModifiedField, needsHandler } from './conditional.js'

const [earlier, date, later] = [
  'Tue, 01 Jan 2030 00:00:00 GMT',
  'Tue, 01 Jan 2030 00:00:01 GMT',
  'Tue, 01 Jan 2030 00:00:02 GMT',
]

describe('isNotModified', () => {
  it.each<[string, Record<string, string>, Parameters<typeof isNotModified>[1], boolean]>([
    ['no condition', {}, { status: 200, etag: '"a"' }, false],
    ['the entity tag of the response', { 'If-None-Match': 'W/"a"' }, { status: 200, etag: '"a"' }, true],
    ['another entity tag', { 'If-None-Match': '"b"' }, { status: 200, etag: '"a"' }, false],
    ['any entity tag', { 'If-None-Match': '*' }, { status: 200 }, true],
    ['an entity tag, for a response without one', { 'If-None-Match': '"a"' }, { status: 200 }, false],
    [
      'the entity tag of a response with another status than 200',
      { 'If-None-Match': '"a"' },
      { status: 404, etag: '"a"' },
      false,
    ],
    ['the same date', { 'If-Modified-Since': date }, { status: 200, lastModified: date }, true],
    ['a later date', { 'If-Modified-Since': later }, { status: 200, lastModified: date }, true],
    ['an earlier date', { 'If-Modified-Since': earlier }, { status: 200, lastModified: date }, false],
    ['a date, for a response with only a Date', { 'If-Modified-Since': date }, { status: 200, date }, true],
    ['an invalid date', { 'If-Modified-Since': 'today' }, { status: 200, lastModified: date }, false],
    [
      'another entity tag and the same date',
      { 'If-None-Match': '"b"', 'If-Modified-Since': date },
      { status: 200, etag: '"a"', lastModified: date },
      false,
    ],
  ])('isNotModified is right for a request with %s', (_, headers, validators, expected) => {
    expect(isNotModified(new Headers(headers), validators)).toBe(expected)
  })
})

it.each([
  ['Range', true],
  ['If-Match', true],
  ['If-Unmodified-Since', true],
  ['If-None-Match', false],
  ['If-Modified-Since', false],
  ['If-Range', false],
])('a request with %s needs the handler: %s', (name, expected) => {
  expect(needsHandler(new Headers({ [name]: 'x' }))).toBe(expected)
})

it.each([
  ['etag', true],
  ['vary', true],
  ['cache-tag', true],
  ['content-type', false],
  ['content-length', false],
])('%s belongs on a 304: %s', (name, expected) => expect(isNotModifiedField(name)).toBe(expected))
