import { expect, test } from 'vitest'
import { digestOf, etagOf, matchesEntityTag } from './etag.js'

test('the validator depends on all of its parts, and on their borders', () => {
  const tags = [
    etagOf('a', 'b', 'c'),
    etagOf('x', 'b', 'c'),
    etagOf('a', 'x', 'c'),
    etagOf('a', 'b', 'x'),
    etagOf('ab', '', 'c'),
  ]
  expect(new Set(tags).size).toBe(tags.length)
  expect(etagOf('a', 'b', 'c')).toBe(`"${digestOf('a\nb\nc')}"`)
})

test.each([
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['"b",W/"a"', true],
  ['*', true],
  [' * ', true],
  ['"b"', false],
  ['"ab"', false],
  ['"b,"a', false],
  ['a', false],
  ['', false],
  [null, false],
])('If-None-Match: %s', (header, expected) => {
  expect(matchesEntityTag(header, '"a"')).toBe(expected)
})
