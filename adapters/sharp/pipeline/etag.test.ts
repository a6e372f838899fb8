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

test.each([0, 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20])(
  'the digest of %i bytes does not depend on slices',
  async (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => index % 251)
    expect(await digestOriginal(bytes, new AbortController().signal)).toBe(digestOf(bytes))
  },
)

test('nobody waits for the digest of an original that is not wanted any more', async () => {
  const leaving = digestOriginal(new Uint8Array(2 ** 21), AbortSignal.abort(new Error('left')))
  await expect(leaving).rejects.toThrow('left')
})
