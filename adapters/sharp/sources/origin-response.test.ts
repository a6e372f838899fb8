import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { conditionsOf, originStateOf } from './origin-response.js'

const stateOf = (headers: IncomingHttpHeaders) => originStateOf({ headers } as IncomingMessage)

describe('when an original is asked for again', () => {
  test.each<[IncomingHttpHeaders, number | undefined]>([
    [{}, undefined],
    [{ 'cache-control': 'public' }, undefined],
    [{ 'cache-control': 'public, max-age=3600' }, 3600],
    [{ 'cache-control': 'max-age=31536000, immutable' }, 31_536_000],
    [{ 'cache-control': 'max-age=600, s-maxage=7200' }, 7200],
    [{ 'cache-control': 'max-age=3600', age: '600' }, 3000],
    [{ 'cache-control': 'max-age=3600', age: 'x' }, 3600],
    [{ 'cache-control': 'max-age=3600', age: '9999' }, 60],
    [{ 'cache-control': 'max-age=5' }, 60],
    [{ 'cache-control': 'max-age=x' }, 60],
    [{ 'cache-control': 'no-cache' }, 60],
    [{ 'cache-control': 'private, max-age=3600' }, 60],
    [{ 'cache-control': 'no-store' }, 60],
  ])('%j: %s', (headers, maxAge) => {
    expect(stateOf(headers).maxAge).toBe(maxAge)
  })
})

test.each<[IncomingHttpHeaders, object]>([
  [{}, {}],
  [{ etag: 'W/"1"' }, { 'if-none-match': 'W/"1"' }],
  [{ 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }, { 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }],
  [{ etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }, { 'if-none-match': '"1"' }],
])('how: %j', (headers, conditions) => {
  expect(conditionsOf(stateOf(headers))).toEqual(conditions)
})
