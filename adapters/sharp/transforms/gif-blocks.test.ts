import { expect, test } from 'vitest'
import { animatedGif } from '../testing/gif.js'
import { animated } from '../testing/originals.js'
import { isCutOffGif } from './gif-blocks.js'

test('a whole GIF is not cut off, of any encoder, with or without what follows its blocks', async () => {
  for (const gif of [
    await animated('gif'),
    animatedGif({ width: 9, height: 9 }, Array(3).fill({ width: 3, height: 3 })),
  ]) {
    expect(isCutOffGif(gif)).toBe(false)
    expect(isCutOffGif(gif.subarray(0, -1))).toBe(false) // without the trailer
    expect(isCutOffGif(Buffer.concat([gif, Buffer.from('\0more')]))).toBe(false)
  }
})

test('one that ends within a block is', async () => {
  const gif = await animated('gif')
  const lengths = Array.from({ length: gif.length - 2 }, (_, length) => length + 1)
  const whole = lengths.filter((length) => !isCutOffGif(gif.subarray(0, length)))
  // Where a block has just ended: extensions and frames.
  expect(whole.length).toBeLessThan(20)
  expect(isCutOffGif(new Uint8Array())).toBe(true)
})

test.each([
  ['sub-blocks that do not end', '474946383961 0100 0100 00 00 00 21fe 01 61', true],
  ['a color table', '474946383961 0100 0100 81 00 00 000000 000000 000000 0000', true],
  ['the colors of a frame', '474946383961 0100 0100 00 00 00 2c 0000 0000 0100 0100 81 00', true],
  ['bytes that are no block', '474946383961 0100 0100 00 00 00 99 21fe ff', false],
])('%s', (_, hex, isCutOff) => {
  expect(isCutOffGif(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toBe(isCutOff)
})
