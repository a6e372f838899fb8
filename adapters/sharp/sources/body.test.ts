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

// A stored block of deflate (RFC 1951, section 3.2.4) that is empty, and not the last one.
const emptyBlock = Buffer.from('000000ffff', 'hex')
const gzipHead = Buffer.from('1f8b0800000000000003', 'hex')

test.each([
  ['in single bytes', 1, 1e9, 502],
  ['of more bytes than an original may have', 64 * 1024, 1e6, 422],
])('a coded body that decodes to nothing is given up: %s', async (_, size, maxBytes, status) => {
  let sent = 0
  const blocks = Buffer.concat(Array(size).fill(emptyBlock))
  const pieces = function* () {
    yield gzipHead
    for (; sent < 10e6; sent += size) yield blocks.subarray(sent % 5, (sent % 5) + size)
  }
  const body = Readable.from(pieces(), { objectMode: false })
  await expect(readDecodedBody(body, 'gzip', maxBytes)).rejects.toMatchObject({ status })
  expect(body.destroyed).toBe(true)
  expect(sent).toBeLessThan(2e6)
})

test.each([
  [900, 1],
  [20_000, 300],
])('a body in %i pieces of %i bytes is read', async (count, size) => {
  expect((await readDecodedBody(bodyOf(count, size), '', 1e9)).length).toBe(1024 + count * size)
})
