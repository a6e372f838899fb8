import { expect, test } from 'vitest'
import { inflatedTextBytes } from './png-text.js'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const chunk = (type: string, length: number) => {
  const bytes = Buffer.alloc(12 + length)
  bytes.writeUInt32BE(length)
  bytes.write(type, 4, 'latin1')
  return bytes
}
const png = (...chunks: Buffer[]) => Buffer.concat([signature, chunk('IHDR', 13), ...chunks, chunk('IEND', 0)])

test.each([
  ['no text', png(), 0],
  ['plain text', png(chunk('tEXt', 5000)), 0],
  ['some compressed text', png(chunk('zTXt', 100)), 103_200],
  ['each kind', png(chunk('iTXt', 10), chunk('iCCP', 10), chunk('zTXt', 10)), 30_960],
  ['many large ones', png(...Array.from({ length: 300 }, () => chunk('zTXt', 8_000))), 2_400_000_000],
  ['one after the pixels', png(chunk('IDAT', 9000), chunk('zTXt', 1)), 1_032],
  ['one that is cut off', png(chunk('zTXt', 1000)).subarray(0, 100), 1_032_000],
  [
    'a length beyond the file',
    Buffer.concat([signature, Buffer.from('ffffffff7a545874', 'hex'), Buffer.alloc(9)]),
    8_000_000,
  ],
  ['nothing', Buffer.alloc(0), 0],
  ['half a chunk', signature, 0],
])('a PNG with %s', (_, bytes, expected) => expect(inflatedTextBytes(bytes)).toBe(expected))
