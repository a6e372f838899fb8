import { expect, test } from 'vitest'
import { digestOf, digestOriginal, etagOf } from './etag.js'

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

test('the digest of an original is that of its bytes', async () => {
  for (const bytes of [new Uint8Array(), new Uint8Array([1, 2, 3]), new Uint8Array(100_000).fill(7)]) {
    expect(await digestOriginal(bytes)).toBe(digestOf(bytes))
  }
})
