import { describe, expect, it } from 'vitest'
import { parseCacheControl } from './cache-control.js'
import { findHeader, storableHeaders, updateHeaders } from './headers.js'

describe('storableHeaders', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['end-to-end fields', { 'Content-Type': 'text/html', ETag: '"a"' }, ['content-type', 'etag']],
    ['no hop-by-hop fields', { 'Keep-Alive': '5', 'Transfer-Encoding': 'chunked', TE: 'trailers', A: '1' }, ['a']],
    ['no Age', { Age: '5', A: '1' }, ['a']],
    ['no fields of Connection', { Connection: 'close, X-Hop', 'X-Hop': '1', A: '1' }, ['a']],
    ['no fields of no-cache', { 'Cache-Control': 'no-cache="Set-Cookie"', 'Set-Cookie': 'a=1' }, ['cache-control']],
    ['no fields of private', { 'Cache-Control': 'private="X-User"', 'X-User': 'a', A: '1' }, ['a', 'cache-control']],
  ])('storableHeaders returns %s', (_, fields, names) => {
    const headers = new Headers(fields)
    const stored = storableHeaders(headers, parseCacheControl(headers.get('cache-control')))
    expect(stored.map(([name]) => name)).toEqual(names)
  })

  it('storableHeaders returns each Set-Cookie', () => {
    const headers = new Headers([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ])
    expect(storableHeaders(headers, parseCacheControl(null))).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
  })
})

it('findHeader returns the first value', () => {
  const lines = [
    ['a', '1'],
    ['b', '2'],
    ['b', '3'],
  ] as const
  expect([findHeader(lines, 'b'), findHeader(lines, 'c')]).toEqual(['2', undefined])
})

it('updateHeaders replaces all lines of a field, except those that describe the stored bytes', () => {
  const stored = [
    ['cache-control', 'max-age=1'],
    ['content-length', '10'],
    ['etag', '"a"'],
    ['link', '</a>'],
    ['link', '</b>'],
    ['x', '1'],
  ] as const
  const update = [
    ['cache-control', 'max-age=2'],
    ['content-length', '0'],
    ['etag', 'W/"a"'],
    ['link', '</c>'],
    ['new', '1'],
  ] as const
  expect(updateHeaders(stored, update)).toEqual([
    ['content-length', '10'],
    ['etag', '"a"'],
    ['x', '1'],
    ['cache-control', 'max-age=2'],
    ['link', '</c>'],
    ['new', '1'],
  ])
})
