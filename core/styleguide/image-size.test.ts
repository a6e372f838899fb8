import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readImageSize } from './image-size.js'

const image = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 9, g: 80, b: 200, alpha: 0.5 } } })

describe('readImageSize', () => {
  it.each([
    ['JPEG', image(640, 427).jpeg()],
    [
      'progressive JPEG with metadata',
      image(301, 200)
        .withExif({ IFD0: { Copyright: 'x'.repeat(900) } })
        .jpeg({ progressive: true }),
    ],
    ['WebP', image(640, 427).webp()],
    ['lossless WebP', image(333, 77).webp({ lossless: true })],
    ['WebP with transparency', image(640, 427, 4).webp()],
    ['AVIF', image(640, 427).avif({ effort: 0 })],
    ['AVIF with transparency', image(65, 42, 4).avif({ effort: 0 })],
    ['PNG', image(640, 427).png()],
  ])('reads the size of an image: %s', async (_, file) => {
    const { data, info } = await file.toBuffer({ resolveWithObject: true })
    expect(readImageSize(data)).toEqual({ width: info.width, height: info.height })
  })

  it.each(['jpeg', 'webp', 'avif', 'png'] as const)(
    'the size of a truncated %s is undefined or correct, wherever the file ends',
    async (format) => {
      const data = await image(64, 48).toFormat(format).toBuffer()
      for (let length = 0; length < data.length; length++) {
        expect([undefined, 64]).toContain(readImageSize(data.subarray(0, length))?.width)
      }
    },
  )

  it.each(['<svg/>', 'GIF89a', ''])('the size of %j is undefined', (text) => {
    expect(readImageSize(new TextEncoder().encode(text))).toBeUndefined()
  })
})
