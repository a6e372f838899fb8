import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { measureImages } from './measure-images.js'

const image = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 9, g: 80, b: 200, alpha: 0.5 } } })

/** The size of an image that a proxy delivers. */
async function sizeOf(body: Uint8Array<ArrayBuffer>) {
  const fetch = async () => new Response(body, { headers: { 'Content-Type': 'image/avif' } })
  const [measured] = await measureImages({ fetch, loader: ({ src }) => src, src: '/media/a.jpg', widths: [640] })
  return measured?.deliveries[0]?.size
}

describe('the size of a delivered image', () => {
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
  ])('is read: %s', async (_, file) => {
    const { data, info } = await file.toBuffer({ resolveWithObject: true })
    expect(await sizeOf(new Uint8Array(data))).toEqual({ width: info.width, height: info.height })
  })

  it('is read from a JPEG with fill bytes in front of its markers (ITU-T T.81, B.1.1.2)', async () => {
    const data = await image(640, 427).jpeg().toBuffer()
    const filled = new Uint8Array([0xff, 0xd8, 0xff, 0xff, 0xff, ...data.subarray(2)])
    expect(await sizeOf(filled)).toEqual({ width: 640, height: 427 })
  })

  it.each(['jpeg', 'webp', 'avif', 'png'] as const)(
    'is undefined or correct for a truncated %s, wherever the file ends',
    async (format) => {
      const data = new Uint8Array(await image(64, 48).toFormat(format).toBuffer())
      for (let length = 0; length < data.length; length++) {
        expect([undefined, 64]).toContain((await sizeOf(data.slice(0, length)))?.width)
      }
    },
  )

  it.each(['<svg/>', 'GIF', ''])('is undefined for %j', async (text) => {
    expect(await sizeOf(new TextEncoder().encode(text))).toBeUndefined()
  })
})
