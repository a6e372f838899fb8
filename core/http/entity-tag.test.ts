import { expect, test } from 'vitest'
import { matchesEntityTag } from './entity-tag.js'

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
])('If-None-Match: %s', (header, expected) => {
  expect(matchesEntityTag(header, '"a"')).toBe(expected)
})
