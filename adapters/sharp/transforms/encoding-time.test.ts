import { expect, test } from 'vitest'
import { checkEncodingTime } from './encoding-time.js'

const seconds = 1_000
const megapixels = 1_000_000

test.each([
  ['gif', 22 * megapixels, 1],
  ['gif', 21 * megapixels, 300],
  ['gif', 1, 499_000],
  ['webp', 99 * megapixels, 100],
  ['avif', 1_000 * megapixels, 1],
  ['jpeg', 1_000 * megapixels, 1],
  ['png', 1_000 * megapixels, 1],
] as const)('%s of %i pixels in %i frames is made within ten seconds', (format, pixels, pages) => {
  expect(() => checkEncodingTime(format, pixels, { pages }, 10 * seconds)).not.toThrow()
})

test.each([
  [
    'gif',
    23 * megapixels,
    1,
    'As GIF, the image has 23000000 pixels in 1 frame, which takes longer than 10000 ms to encode',
  ],
  [
    'gif',
    22_200_000,
    1_000,
    'As GIF, the image has 22200000 pixels in 1000 frames, which takes longer than 10000 ms to encode',
  ],
  ['gif', 1, 500_000, 'As GIF, the image has 1 pixels in 500000 frames, which takes longer than 10000 ms to encode'],
  [
    'webp',
    101 * megapixels,
    1,
    'As WEBP, the image has 101000000 pixels in 1 frame, which takes longer than 10000 ms to encode',
  ],
] as const)('%s of %i pixels in %i frames is not', (format, pixels, pages, message) => {
  const error = expect.objectContaining({
    status: 422,
    message: `${message}; choose a smaller width or another format`,
  })
  expect(() => checkEncodingTime(format, pixels, { pages }, 10 * seconds)).toThrow(error)
  expect(() => checkEncodingTime(format, pixels, { pages }, 20 * seconds)).not.toThrow()
})
