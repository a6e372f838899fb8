import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { imageSizeOf } from './image-size.js'

const picture = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 9, g: 80, b: 200, alpha: 0.5 } } })

describe('imageSizeOf', () => {
  it.each([
    ['JPEG', picture(640, 427).jpeg()],
    [
      'progressive JPEG with metadata',
      picture(301, 200)
        .withExif({ IFD0: { Copyright: 'x'.repeat(900) } })
        .jpeg({ progressive: true }),
    ],
    ['WebP', picture(640, 427).webp()],
    ['lossless WebP', picture(333, 77).webp({ lossless: true })],
    ['WebP with transparency', picture(640, 427, 4).webp()],
    ['AVIF', picture(640, 427).avif({ effort: 0 })],
    ['AVIF with transparency', picture(65, 42, 4).avif({ effort: 0 })],
    ['PNG', picture(640, 427).png()],
  ])('%s', async (_, image) => {
    const { data, info } = await image.toBuffer({ resolveWithObject: true })
    expect(imageSizeOf(data)).toEqual({ width: info.width, height: info.height })
  })

  it.each(['jpeg', 'webp', 'avif', 'png'] as const)(
    'is undefined, or right, for a %s cut short at any place',
    async (format) => {
      const data = await picture(64, 48).toFormat(format).toBuffer()
      for (let length = 0; length < data.length; length++) {
        expect([undefined, 64]).toContain(imageSizeOf(data.subarray(0, length))?.width)
      }
    },
  )

  it.each(['<svg/>', 'GIF89a', ''])('is undefined for %j', (text) => {
    expect(imageSizeOf(new TextEncoder().encode(text))).toBeUndefined()
  })
})
