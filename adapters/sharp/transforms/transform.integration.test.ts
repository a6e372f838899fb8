import { readdir, readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { readRights } from '../../../core/rights.js'
import { folderWith } from '../../disk/testing/folder.js'
import { gradient } from '../testing/crops.js'
import * as original from '../testing/originals.js'
import { avif, bytesOf, startService, type TestSize, urlOf, webp } from '../testing/service.js'

// The limits are long, for busy machines: nothing here is timed.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let service: ReturnType<typeof startService>

beforeAll(async () => {
  const folder = await folderWith({
    'photo.jpg': original.photograph,
    'truncated.jpg': await original.truncated('jpeg'),
    'truncated-progressive.jpg': await original.truncated('jpeg', true),
    'truncated.png': await original.truncated('png'),
    'truncated-animation.webp': (await original.animated('webp')).subarray(0, -100),
    'truncated.webp': await original.truncated('webp'),
    'truncated.tiff': await original.truncated('tiff'),
    'truncated.avif': await original.truncated('avif'),
    'empty.jpg': '',
    'one-byte.jpg': 'x',
    'text.jpg': 'This is not an image, whatever its name.',
    'start-only.jpg': Buffer.from('ffd8ffe0', 'hex'),
    'bomb.png': original.bombPng(),
    'vector.svg': original.svg,
    'vector.jpg': original.svg,
    'old-vector.svg': `<?xml version="1.0"?>\n<!-- made by hand -->\n${original.svg}`,
    'paper.pdf': original.pdf,
    'page.jpg': '<!doctype html><title>Not found</title>',
    'cmyk.jpg': await original.cmykJpeg(),
    'sixteen.png': await original.sixteenBitPng(),
    'p3.jpg': await original.displayP3Jpeg(),
    'rotated.jpg': await original.rotatedJpeg(),
    'rotated-gradient.jpg': await sharp(await gradient({ width: 240, height: 160 }))
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer(),
    'alpha.png': await original.transparentPng(),
    'large.jpg': await original.flat(5000, 5000),
    'animated.gif': await original.animated('gif'),
    'animated.webp': await original.animated('webp'),
  })
  service = startService({ sources: { '/media/': folder } })
})

describe('a corrupt file, or one that is not an image, is 422 and never cached', () => {
  test.each([
    ['truncated.jpg', 'The original is corrupt'],
    ['truncated-progressive.jpg', 'The original is corrupt'],
    ['truncated.png', 'The original is corrupt'],
    ['truncated-animation.webp', 'The original is corrupt'],
    ['truncated.webp', 'The original is corrupt'],
    ['truncated.tiff', 'The original is corrupt'],
    ['truncated.avif', 'The original is corrupt'],
    ['start-only.jpg', 'The original is corrupt'],
    ['empty.jpg', 'The original is empty'],
    ['one-byte.jpg', 'The original is not an image of a known type'],
    ['text.jpg', 'The original is not an image of a known type'],
    ['bomb.png', 'The original is too large: 50000 x 50000 pixels'],
    ['vector.svg', 'The original is SVG, which is not accepted'],
    ['vector.jpg', 'The original is SVG, which is not accepted'],
    ['old-vector.svg', 'The original is SVG, which is not accepted'],
    ['paper.pdf', 'The original is PDF, which is not accepted'],
    ['page.jpg', 'The original is HTML, which is not accepted'],
  ])('%s: %s', async (name, failure) => {
    const loads = service.count('load')
    for (const attempt of ['first', 'second']) {
      const response = await service.get(urlOf(`/media/${name}`), avif)
      expect([attempt, response.status, service.lastFailure()]).toEqual([
        attempt,
        422,
        expect.stringContaining(failure),
      ])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    // Once, or not at all if its first bytes are not those of an image.
    expect(service.count('load') - loads).toBeLessThanOrEqual(1)
  })

  test('rejecting the decompression bomb takes no memory', async () => {
    const memoryBefore = process.memoryUsage().rss
    await service.get(urlOf('/media/bomb.png'), avif)
    // Decoded, it would be 7.5 GB.
    expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(500_000_000)
  })
})

describe('an image is rendered', () => {
  const render = async (name: string, headers: Record<string, string> = {}, size: TestSize = 64) => {
    const response = await service.get(urlOf(`/media/${name}`, size), headers)
    expect(response.status).toBe(200)
    const bytes = await bytesOf(response)
    return { type: response.headers.get('content-type'), bytes, ...(await original.describe(bytes)) }
  }

  test.each([
    // original, headers, size, result
    ['photo.jpg', avif, 320, { type: 'image/avif', format: 'avif', width: 320, height: 234 }],
    ['photo.jpg', webp, 320, { type: 'image/webp', format: 'webp', width: 320, height: 234 }],
    ['photo.jpg', {}, 320, { type: 'image/jpeg', format: 'jpeg', width: 320, height: 234 }],
    ['photo.jpg', { accept: '*/*' }, 320, { type: 'image/jpeg' }],
    ['photo.jpg', avif, { width: 320, ratio: '16:5' }, { width: 320, height: 100 }],
    ['photo.jpg', avif, 3840, { width: 1024, height: 750 }],
    ['photo.jpg', avif, { width: 3840, ratio: '16:5' }, { width: 1024, height: 320 }],
    ['alpha.png', {}, 64, { type: 'image/png', format: 'png', hasAlpha: true }],
    ['alpha.png', webp, 64, { type: 'image/webp', hasAlpha: true }],
    ['alpha.png', avif, 64, { type: 'image/webp', hasAlpha: true }],
    ['rotated.jpg', avif, 150, { width: 150, height: 205, orientation: undefined }],
    ['rotated.jpg', {}, 5000, { width: 750, height: 1024, orientation: 1 }],
    ['sixteen.png', { accept: 'image/png' }, 64, { depth: 'uchar', space: 'srgb' }],
    ['sixteen.png', avif, 64, { depth: 'uchar', space: 'srgb' }],
    ['cmyk.jpg', {}, 64, { space: 'srgb', type: 'image/jpeg' }],
    ['cmyk.jpg', avif, 64, { space: 'srgb', type: 'image/avif' }],
    ['animated.gif', avif, 60, { type: 'image/webp', pages: 5, width: 60, height: 40 }],
    ['animated.gif', {}, 60, { type: 'image/gif', pages: 5, width: 60, height: 40 }],
    ['animated.gif', { accept: 'image/avif' }, 60, { type: 'image/gif', pages: 5 }],
    ['animated.gif', avif, { width: 40, ratio: '1:1' }, { type: 'image/webp', pages: 5, width: 40, height: 40 }],
    [
      'animated.gif',
      avif,
      { width: 40, ratio: '2:3', focus: { x: 0.3, y: 1 } },
      { type: 'image/webp', pages: 5, width: 40, height: 60 },
    ],
    [
      'animated.gif',
      {},
      { width: 640, ratio: '1:1', focus: { x: 1, y: 0 } },
      { type: 'image/gif', pages: 5, width: 80, height: 80 },
    ],
    ['animated.webp', {}, { width: 640, ratio: '16:9' }, { type: 'image/webp', pages: 5, width: 120, height: 68 }],
    ['photo.jpg', avif, { width: 320, ratio: '16:9' }, { width: 320, height: 180 }],
    ['photo.jpg', avif, { width: 3840, ratio: '16:9' }, { width: 1024, height: 576 }],
    ['photo.jpg', avif, { width: 3840, ratio: '16:9', focus: { x: 0.1, y: 0.9 } }, { width: 1024, height: 576 }],
    ['rotated.jpg', avif, { width: 3840, ratio: '16:9' }, { width: 750, height: 422 }],
    ['animated.webp', avif, 60, { type: 'image/webp', pages: 5 }],
    ['animated.webp', {}, 60, { type: 'image/webp', pages: 5 }],
  ] as const)('%s, %o, %s', async (name, headers, size, expected) => {
    expect(await render(name, { ...headers }, size)).toMatchObject(expected)
  })

  test('every photograph of the example site is rendered', async () => {
    const photographs = startService({ sources: { '/media/': original.photographs.pathname } })
    for (const name of await readdir(original.photographs)) {
      if (!name.endsWith('.jpg')) continue
      const response = await photographs.get(urlOf(`/media/${name}`, 640), avif)
      expect([name, response.status, response.headers.get('content-type')]).toEqual([name, 200, 'image/avif'])
      const source = await readFile(new URL(name, original.photographs))
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(source.length)
    }
  })

  test.each(['cmyk.jpg', 'sixteen.png', 'p3.jpg'])('the colors of %s are preserved', async (name) => {
    const expected = await original.meanColor(original.photograph)
    const { bytes } = await render(name, avif, 256)
    const actual = await original.meanColor(bytes)
    // CMYK has fewer colors.
    for (const [index, mean] of actual.entries()) expect(Math.abs(mean - (expected[index] ?? 0))).toBeLessThan(16)
  })

  test('metadata and color profiles are removed, but for the creator', async () => {
    for (const name of ['photo.jpg', 'rotated.jpg', 'p3.jpg']) {
      for (const headers of [{}, webp, avif]) {
        const { exif, icc } = await render(name, headers)
        expect([icc, exif && new Set(Object.keys(readRights({ exif }) ?? {}))]).toEqual([
          undefined,
          exif && new Set(['creator']),
        ])
        expect(exif?.length ?? 0).toBeLessThan(300)
      }
    }
  })

  test('smart gravity crops differently from the center', async () => {
    const smart = await render('photo.jpg', {}, { width: 100, ratio: '1:3' })
    const centre = await render('photo.jpg', {}, { width: 100, ratio: '1:3', focus: { x: 0.5, y: 0.5 } })
    expect(smart.bytes.equals(centre.bytes)).toBe(false)
  })

  test.each([
    [0, 60 / 180],
    [1, 120 / 180],
  ])('the focus is a point of the image as it is shown, rotated: y %d', async (y, mean) => {
    const { bytes } = await render('rotated-gradient.jpg', {}, { width: 120, ratio: '1:1', focus: { x: 0, y } })
    // The left edge of the file, where red begins, is the top of the image.
    const [red = 0, green = 0] = await original.meanColor(bytes)
    expect(Math.abs(red / 255 - mean)).toBeLessThan(1 / 180)
    expect(Math.abs(green / 255 - 0.5)).toBeLessThan(1 / 180)
  })

  test('quality has an effect', async () => {
    const bytesWith = async (quality: number) => {
      const service = startService({
        sources: { '/media/': original.photographs.pathname },
        quality: { avif: quality },
      })
      return await bytesOf(await service.get(urlOf('/media/black-canyon.jpg', 640), avif))
    }
    expect((await bytesWith(20)).length * 2).toBeLessThan((await bytesWith(90)).length)
  })
})
