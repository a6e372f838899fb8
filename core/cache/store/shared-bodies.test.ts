import { expect, test } from 'vitest'
import type { StoredValue } from './entry.js'
import { createSharedBodies } from './shared-bodies.js'

const size = 100_003

/** An entry whose body is a part of a larger buffer, as stores return them. */
const entryOf = (fill: number, { length = size, offset = 1, last = fill } = {}): StoredValue => {
  const body = new Uint8Array(new ArrayBuffer(offset + length), offset).fill(fill)
  body[length - 1] = last
  return { kind: 'value', metadata: { offset }, body, ttl: 60 }
}

test('entries of one key share the bytes that are in use', () => {
  const share = createSharedBodies()
  const first = share('a', entryOf(1))
  const second = share('a', entryOf(1, { offset: 3 }))
  expect(second.kind !== 'vary' && first.kind !== 'vary' && second.body.buffer === first.body.buffer).toBe(true)
  expect(second).toEqual(entryOf(1, { offset: 3 }))
  expect(share('a', first)).toBe(first)
})

test.each([
  ['another last byte', 'a', entryOf(1, { last: 2 })],
  ['another length', 'a', entryOf(1, { length: size - 1 })],
  ['another key', 'b', entryOf(1)],
  ['too few bytes', 'a', entryOf(1, { length: 100 })],
])('nothing is shared with an entry of %s', (_, key, other) => {
  const share = createSharedBodies()
  const first = entryOf(1)
  expect(share('a', first)).toBe(first)
  expect(share(key, other)).toBe(other)
  expect(share(key, { ...other })).toEqual(other)
})

test('an entry with another body takes the place of the first', () => {
  const share = createSharedBodies()
  const [first, second] = [entryOf(1), entryOf(2)]
  share('a', first)
  expect(share('a', second)).toBe(second)
  const third = share('a', entryOf(2))
  expect(third.kind === 'value' && third.body.buffer === second.body.buffer).toBe(true)
})
