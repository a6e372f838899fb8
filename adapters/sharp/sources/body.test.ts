import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readDecodedBody } from './body.js'

const head = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1016)])
const bodyOf = (count: number, size: number) => {
  const pieces = function* () {
    yield head
    for (let piece = 0; piece < count; piece++) yield Buffer.alloc(size)
  }
  return Readable.from(pieces(), { objectMode: false })
}

test('a body in many small pieces is given up', async () => {
  const body = bodyOf(100_000, 1)
  await expect(readDecodedBody(body, '', 1e9)).rejects.toMatchObject({ status: 502 })
  expect(body.destroyed).toBe(true)
})

test.each([
  [900, 1],
  [20_000, 300],
])('a body in %i pieces of %i bytes is read', async (count, size) => {
  expect((await readDecodedBody(bodyOf(count, size), '', 1e9)).length).toBe(1024 + count * size)
})
