import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectToChromium } from '../../../test/browser/chromium.js'
import { folderWith } from '../../disk/testing/folder.js'
import { animatedGif } from '../testing/gif.js'
import { grayProfile, lightnessProfile } from '../testing/icc-profile.js'
import { photograph } from '../testing/originals.js'
import * as rare from '../testing/rare-files.js'
import { avif, startService, urlOf } from '../testing/service.js'

const jpeg = await sharp(photograph).resize(640).jpeg().toBuffer()
/** A JPEG of four shades of gray with a profile, which sharp would convert before it writes it. */
const grayWith = async (profile: Buffer) => {
  const shades = Uint8Array.from({ length: 64 * 16 }, (_, at) => [40, 100, 160, 220][(at % 64) >> 4] ?? 0)
  const gray = sharp(shades, { raw: { width: 64, height: 16, channels: 1 } }).toColourspace('b-w')
  const file = await gray.jpeg({ quality: 100 }).toBuffer()
  const segment = Buffer.alloc(18)
  segment.writeUInt16BE(0xffe2)
  segment.writeUInt16BE(profile.length + 16, 2)
  segment.write('ICC_PROFILE\0\x01\x01', 4, 'latin1')
  return Buffer.concat([file.subarray(0, 2), segment, profile, file.subarray(2)])
}
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="16"><style>rect { fill: #1ea05a }</style>'
const files: Record<string, Uint8Array> = {
  'plain.png': rare.patches,
  'linear.png': rare.withChunks(rare.patches, rare.gamma(100_000)),
  'old-mac.png': rare.withChunks(rare.patches, rare.gamma(55_556)),
  'gamma-2.2.png': rare.withChunks(rare.patches, rare.gamma(45_455)),
  'p3-by-chromaticities.png': rare.withChunks(rare.patches, rare.gamma(45_455), rare.p3Chromaticities),
  'p3-by-code-points.png': rare.withChunks(rare.patches, rare.codePoints(12, 13, 0, 1)),
  'pq.png': rare.withChunks(rare.patches, rare.codePoints(9, 16, 0, 1)),
  'bt709.png': rare.withChunks(rare.patches, rare.codePoints(1, 1, 0, 1)),
  'srgb-by-code-points.png': rare.withChunks(rare.patches, rare.codePoints(1, 13, 0, 1), rare.gamma(100_000)),
  'srgb-with-gamma.png': rare.withChunks(rare.patches, rare.sRgb, rare.gamma(100_000)),
  'p3.avif': rare.p3Avif,
  'srgb.avif': rare.srgbAvif,
  'pq-exif.avif': rare.pqAvif,
  'hlg-xmp.avif': rare.hlgAvif,
  'p3-exif.avif': rare.p3AvifWithExif,
  'gray-lightness.jpg': await grayWith(lightnessProfile()),
  'gray-gamma.jpg': await grayWith(grayProfile(1.8)),
  'animated.avif': rare.animatedAvif,
  'animated.png': rare.animatedPng(),
  'icon.ico': rare.ico(await rare.palettePng()),
  'picture.bmp': rare.bmp(),
  'uncovered.gif': animatedGif({ width: 64, height: 16 }, [{ width: 40, height: 8 }]),
  'without-end.jpg': jpeg.subarray(0, -2),
  'drawing.svg': Buffer.from(
    `${drawing}<script>document.rootElement.remove()</script><rect width="64" height="16"/></svg>`,
  ),
}

// Of all these, only an SVG needs its type.
const typeOf = (name: string) => (name.endsWith('.svg') ? { contentType: 'image/svg+xml' } : {})

const origin = 'http://site.test'
const browser = await connectToChromium()
afterAll(() => browser.close())
let page: Page
beforeAll(async () => {
  const service = startService({
    sources: { '/media/': await folderWith(files) },
    svg: true,
    quality: { avif: 100, jpeg: 100 },
  })
  page = await browser.newPage()
  await page.route(`${origin}/**`, async (route) => {
    const [, kind, name = ''] = new URL(route.request().url()).pathname.split('/')
    if (kind === '')
      return await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Images</title>' })
    if (kind === 'original')
      return await route.fulfill({ ...typeOf(name), body: Buffer.from(files[name] as Uint8Array) })
    const response = await service.get(urlOf(`/media/${name}`, 1920), kind === 'jpeg' ? {} : avif)
    const headers = Object.fromEntries(response.headers)
    await route.fulfill({ status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) })
  })
  await page.goto(`${origin}/`)
})

/** Returns the size of an image, and some of its pixels as red, green, blue and alpha. */
const readPixels = (url: string) =>
  page.evaluate(async (src) => {
    const image = new Image()
    image.src = src
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    context?.drawImage(image, 0, 0)
    const pixelAt = (share: number) => [
      ...(context?.getImageData(Math.floor(width * share), Math.floor(height * share), 1, 1).data ?? []),
    ]
    return { width, height, pixels: [0.1, 0.3, 0.6, 0.9].map(pixelAt) }
  }, url)

const isSame = async (name: string, kind: string, tolerance: number) => {
  const [expected, actual] = [
    await readPixels(`${origin}/original/${name}`),
    await readPixels(`${origin}/${kind}/${name}`),
  ]
  expect([actual.width, actual.height]).toEqual([expected.width, expected.height])
  for (const [index, pixel] of actual.pixels.entries()) {
    const difference = pixel.map((value, channel) =>
      Math.abs(value - (expected.pixels[index]?.[channel] ?? Number.NaN)),
    )
    expect([name, index, pixel, Math.max(...difference) <= tolerance]).toEqual([name, index, pixel, true])
  }
}

// Encoding once more with fewer colors changes them a little.
test.each(Object.keys(files))('Chromium shows %s the same with and without the service', async (name) => {
  await isSame(name, 'image', /^(?:without-end|srgb\.)/.test(name) ? 24 : /-(?:exif|xmp)\./.test(name) ? 6 : 3)
})

test.each(Object.keys(files).filter((name) => /^(?:p3|pq|hlg).*avif$/.test(name)))(
  'Chromium shows %s the same if it accepts no AVIF',
  (name) => isSame(name, 'jpeg', 6),
)
