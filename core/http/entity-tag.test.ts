import { describe, expect, it } from 'vitest'
import { matchesEntityTag, sameEntityTag } from './conditional.js'

describe('matchesEntityTag', () => {
  it.each([
    ['"a"', '"a"', true],
    ['"a"', '"b"', false],
    ['*', '"a"', true],
    [' * ', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['W/"a"', 'W/"a"', true],
    ['"b", W/"a"', '"a"', true],
    ['"b","a"', 'W/"a"', true],
    ['"ab"', '"a"', false],
    ['"A"', '"a"', false],
    ['"a,b"', '"a,b"', true],
    ['"a,b"', '"a"', false],
    ['"*"', '"a"', false],
    ['"b,"a', '"a"', false],
    ['', '"a"', false],
    ['a', '"a"', false],
  ])('If-None-Match: %s matches ETag: %s: %s', (field, etag, expected) =>
    expect(matchesEntityTag(field, etag)).toBe(expected),
  )
})

describe('sameEntityTag', () => {
  // RFC 9110, section 8.8.3.2, column "Weak Comparison".
  it.each([
    ['W/"1"', 'W/"1"', true],
    ['W/"1"', 'W/"2"', false],
    ['W/"1"', '"1"', true],
    ['"1"', '"1"', true],
  ])('the entity tags %s and %s are the same: %s', (first, second, expected) =>
    expect(sameEntityTag(first, second)).toBe(expected),
  )
})
