import { expect, test } from 'vitest'
import { digestOf, etagOf } from './etag.js'

test('the entity tag depends on each of its parts, and on where they are separated', () => {
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
