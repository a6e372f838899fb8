import { expect, test } from 'vitest'
import { isGraphic, isOpaque } from './graphics.js'

type Pixel = (x: number, y: number) => readonly [number, number, number, number?]
const side = 64
const draw = (pixel: Pixel) =>
  Uint8Array.from(
    Array.from({ length: side * side }, (_, index) => {
      const [red, green, blue, alpha = 255] = pixel(index % side, Math.floor(index / side))
      return [red, green, blue, alpha]
    }).flat(),
  )
const noise = (x: number, y: number) => ((x * 73_856_093) ^ (y * 19_349_663)) >>> 0

test.each<[string, Pixel, boolean]>([
  ['one color', () => [200, 30, 30], true],
  ['black and white modules', (x, y) => (noise(x >> 2, y >> 2) % 2 ? [0, 0, 0] : [255, 255, 255]), true],
  ['sixteen areas', (x, y) => [(x >> 4) * 80, (y >> 4) * 80, 40], true],
  ['edges of a few steps', (x) => (x % 16 < 8 ? [0, 0, 0] : x % 16 === 8 ? [128, 128, 128] : [255, 255, 255]), true],
  ['a transparent hole', (x, y) => [0, 0, 0, Math.hypot(x - 32, y - 32) < 20 ? 0 : 255], true],
  ['a gradient', (x, y) => [x * 2, x * 2, y * 2], false],
  ['gray with the grain of a photograph', (x, y) => [100 + x + (noise(x, y) % 9), 0, 0], false],
  ['noise in all colors', (x, y) => [noise(x, y) % 256, noise(y, x) % 256, (noise(x, y) >> 8) % 256], false],
])('%s', (_, pixel, expected) => expect(isGraphic(draw(pixel))).toBe(expected))

test('an image is opaque unless a pixel is transparent', () => {
  expect(isOpaque(draw(() => [0, 0, 0]))).toBe(true)
  expect(isOpaque(draw((x, y) => [0, 0, 0, x + y === 126 ? 254 : 255]))).toBe(false)
})
