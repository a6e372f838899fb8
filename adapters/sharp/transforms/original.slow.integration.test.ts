import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../disk/testing/folder.js'
import { animatedGif } from '../testing/gif.js'
import * as original from '../testing/originals.js'
import * as rare from '../testing/rare-files.js'
import { avif, bytesOf, startService, type TestSize, urlOf, webp } from '../testing/service.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const photo = sharp(original.photograph).resize(600)
const files: Record<string, Uint8Array | string> = {
  'photo.jpg': original.photograph,
  'poor.jpg': await photo.clone().jpeg({ quality: 8 }).toBuffer(),
  'poor-rotated.jpg': await photo.clone().withMetadata({ orientation: 6 }).jpeg({ quality: 8 }).toBuffer(),
  'camera.jpg': await rare.photographed(await photo.clone().jpeg({ quality: 8 }).toBuffer()),
  'poor.webp': await photo.clone().webp({ quality: 3 }).toBuffer(),
  'camera.webp': await photo
    .clone()
    .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
    .webp({ quality: 1 })
    .toBuffer(),
  'poor.avif': await photo.clone().avif({ quality: 5 }).toBuffer(),
  'photo.png': await photo.clone().png().toBuffer(),
  'qr.png': await rare.qrCode(),
  'palette.png': await rare.palettePng(),
  'icon.ico': rare.ico(await rare.palettePng()),
  'page.ico': '<!doctype html><script>alert(1)</script>',
  'picture.bmp': rare.bmp(),
  'letter.bmp': 'BMW sent us this letter, which is longer than a header',
  'animated.png': rare.animatedPng(),
  'animated.avif': rare.animatedAvif,
  'animated.gif': await original.animated('gif'),
  'vector.svg': original.svg,
  'phone.heic': rare.container('heic'),
  'new.jxl': Buffer.from('ff0a030e', 'hex'),
  'new-boxed.jxl': Buffer.from('0000000c4a584c200d0a870a', 'hex'),
}
const enlarged = {
  'large.ico': files['icon.ico'],
  'large.bmp': files['picture.bmp'],
  'large-animated.avif': rare.animatedAvif,
} as Record<string, Uint8Array>
let folder: string
beforeAll(async () => {
  folder = await folderWith({ ...files, ...enlarged })
  for (const name of Object.keys(enlarged)) await truncate(join(folder, name), 10_000_001)
})
const start = (options: Partial<Parameters<typeof startService>[0]> = {}) =>
  startService({ sources: { '/media/': folder }, ...options })
const render = async (name: string, headers: Record<string, string> = avif, size: TestSize = 1920, svg = false) => {
  const response = await start({ svg }).get(urlOf(`/media/${name}`, size), headers)
  expect([name, response.status]).toEqual([name, 200])
  return { type: response.headers.get('content-type'), bytes: await bytesOf(response), headers: response.headers }
}
const sizeOf = (name: string) => Buffer.from(files[name] as Uint8Array).length

describe('what needs no resizing is never larger than the original', () => {
  test.each([
    ['poor.jpg', avif, 'image/jpeg'],
    ['poor.jpg', {}, 'image/jpeg'],
    ['poor.webp', webp, 'image/webp'],
    ['poor.avif', avif, 'image/avif'],
    ['palette.png', {}, 'image/png'],
    ['animated.gif', {}, 'image/gif'],
  ] as const)('%s, %o', async (name, headers, type) => {
    const image = await render(name, headers)
    expect(image.type).toBe(type)
    expect(image.bytes.length).toBeLessThanOrEqual(sizeOf(name))
  })

  test.each(Object.keys(files).filter((name) => /^(?:photo|poor\.|qr|palette|animated)/.test(name)))(
    '%s',
    async (name) => {
      for (const headers of [avif, ...(name.endsWith('.webp') ? [webp] : name.endsWith('.avif') ? [] : [webp, {}])]) {
        expect((await render(name, headers)).bytes.length).toBeLessThanOrEqual(sizeOf(name))
      }
    },
  )

  test('an original of a type that the client does not accept is encoded', async () => {
    expect((await render('poor.webp', {})).type).toBe('image/jpeg')
    expect((await render('poor.avif', webp)).type).toBe('image/webp')
  })

  test('an original is encoded if it has to be rotated, resized or cropped', async () => {
    const rotated = await render('poor-rotated.jpg')
    expect(await original.describe(rotated.bytes)).toMatchObject({ format: 'avif', width: 439, orientation: undefined })
    expect((await render('poor.jpg', avif, 599)).type).toBe('image/avif')
    expect((await render('poor.jpg', avif, { width: 600, ratio: '6:1' })).type).toBe('image/avif')
  })

  test('an original that is not encoded has the same entity tag on every instance', async () => {
    const [first, second] = [await render('poor.jpg'), await render('poor.jpg')]
    expect(first.headers.get('etag')).toBe(second.headers.get('etag'))
    expect(first.bytes).toEqual(second.bytes)
  })

  test('camera.jpg is sent without its metadata, with the same pixels', async () => {
    const { bytes, type } = await render('camera.jpg', webp)
    expect(type).toBe('image/jpeg')
    expect(bytes.toString('latin1')).not.toMatch(/GPS|Camera|Exif|xmpmeta|city|home|mp42/)
    expect(await sharp(bytes).raw().toBuffer()).toEqual(
      await sharp(files['camera.jpg'] as Buffer)
        .raw()
        .toBuffer(),
    )
    const { icc, exif, xmp } = await sharp(bytes).metadata()
    expect([icc !== undefined, exif, xmp]).toEqual([true, undefined, undefined])
  })

  test('camera.webp is encoded again without its metadata', async () => {
    const { bytes, type } = await render('camera.webp', webp)
    expect([type, (await sharp(bytes).metadata()).exif]).toEqual(['image/webp', undefined])
  })
})

describe('a graphic keeps its colors and edges', () => {
  test.each([
    ['palette.png', 1920],
    ['qr.png', 1920],
  ])('the graphic %s, %s, is encoded without loss', async (name, size) => {
    for (const headers of [webp, avif, {}]) {
      const { bytes } = await render(name, headers, size)
      const pixels = (file: Uint8Array) => sharp(file).toColourspace('srgb').removeAlpha().raw().toBuffer()
      expect(await pixels(bytes)).toEqual(await pixels(files[name] as Buffer))
    }
  })

  test('a resized graphic is WebP without loss, or AVIF with full chroma if that is smaller', async () => {
    expect((await render('qr.png', avif, 200)).type).toBe('image/webp')
    expect((await render('qr.png', {}, 200)).type).toBe('image/png')
    const { bytes } = await render('qr.png', { accept: 'image/avif' }, 145)
    const { data } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
    expect(data.filter((value) => value > 40 && value < 215).length).toBeLessThan(data.length / 5)
  })

  test('a photograph is not treated as a graphic, whatever its format', async () => {
    expect((await render('photo.png', avif, 1920)).type).toBe('image/avif')
    expect((await render('photo.png', {}, 500)).type).toBe('image/jpeg')
  })
})

describe('what the decoder does not know is passed through', () => {
  test.each([
    ['icon.ico', 'image/x-icon'],
    ['picture.bmp', 'image/bmp'],
    ['animated.avif', 'image/avif'],
  ])('%s is passed through unchanged, in every width', async (name, type) => {
    for (const width of [16, 1920]) {
      const image = await render(name, avif, width)
      expect([image.type, image.bytes.equals(files[name] as Buffer)]).toEqual([type, true])
      expect(image.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(image.headers.get('x-content-type-options')).toBe('nosniff')
      const again = { ...avif, 'if-none-match': image.headers.get('etag') as string }
      expect((await start().get(urlOf(`/media/${name}`, width), again)).status).toBe(304)
    }
  })

  test('an animated PNG is passed through without its texts, with its frames', async () => {
    const { type, bytes } = await render('animated.png', avif, 16)
    expect(type).toBe('image/png')
    expect(bytes.toString('latin1')).toMatch(/acTL.*fcTL.*IDAT.*fcTL.*fdAT.*IEND/s)
    expect(bytes.toString('latin1')).not.toContain('GPS')
  })

  test('an SVG is passed through only if the option allows it', async () => {
    const { type, bytes, headers } = await render('vector.svg', avif, 64, true)
    expect([type, bytes.equals(original.svg)]).toEqual(['image/svg+xml', true])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  })

  test.each([
    ['vector.svg', 'The original is SVG, which is not accepted'],
    ['page.ico', 'The original is HTML, which is not accepted'],
    ['letter.bmp', 'The original is not an image of a known type'],
    ['large.ico', 'The original is larger than 10000000 bytes, the limit for an image that is not resized'],
    ['large.bmp', 'The original is larger than 10000000 bytes, the limit for an image that is not resized'],
    ['large-animated.avif', 'The original is larger than 10000000 bytes, the limit for an image that is not resized'],
    [
      'phone.heic',
      /^The original is HEIC, .*: convert it to JPEG or AVIF; on an iPhone, choose Camera, Formats, Most Comp/,
    ],
    ['new.jxl', /^The original is JPEG XL, .*: convert it to AVIF or WebP, or to JPEG with djxl/],
    ['new-boxed.jxl', /^The original is JPEG XL, .*: convert it to AVIF or WebP, or to JPEG with djxl/],
  ])('%s is 422, with the reason in the log', async (name, error) => {
    const service = start()
    const response = await service.get(urlOf(`/media/${name}`), avif)
    expect([response.status, await response.json()]).toEqual([422, { error: 'Image could not be processed' }])
    const failure = typeof error === 'string' ? expect.stringContaining(error) : expect.stringMatching(error)
    expect(service.logged[0]?.detail).toMatchObject({ source: `/media/${name}`, failure })
  })

  test('a file of 1 GB is refused before it is read', async () => {
    const folder = await folderWith({ 'large.ico': files['icon.ico'] as Buffer })
    await truncate(join(folder, 'large.ico'), 1e9)
    const service = start({ sources: { '/media/': folder } })
    const response = await service.get(urlOf('/media/large.ico'), avif)
    expect([response.status, service.count('load')]).toEqual([422, 0])
  })
})

describe('a damaged JPEG', () => {
  const cut = (file: Buffer, bytes: number) => file.subarray(0, file.length - bytes)
  const jpeg = (progressive: boolean) => photo.clone().jpeg({ progressive }).toBuffer()
  const flat = sharp({ create: { width: 300, height: 200, channels: 3, background: '#fff' } }).jpeg({
    progressive: true,
  })
  const mayor = (share: number) => (file: Buffer) => cut(file, Math.floor(file.length * share))

  test.each<[string, (file: Buffer) => Buffer, number]>([
    ['one byte of its end', (file) => cut(file, 1), 200],
    ['its end', (file) => cut(file, 2), 200],
    ['its last blocks', (file) => cut(file, 300), 422],
    ['a tenth', mayor(0.1), 422],
    ['two fifths', mayor(0.4), 422],
    ['nine tenths', mayor(0.9), 422],
  ])('the status for a damaged baseline JPEG that lacks %s', async (_, damage, status) => {
    const own = await folderWith({ 'damaged.jpg': damage(await jpeg(false)) })
    const service = start({ sources: { '/media/': own } })
    for (const size of [1920, 64]) {
      expect((await service.get(urlOf('/media/damaged.jpg', size), avif)).status).toBe(status)
    }
  })

  test.each<[string, (file: Buffer) => Buffer, number]>([
    ['one byte of its end', (file) => cut(file, 1), 200],
    ['its end', (file) => cut(file, 2), 200],
    ['two fifths', mayor(0.4), 422],
    ['nine tenths', mayor(0.9), 422],
  ])('the status for a damaged progressive JPEG that lacks %s', async (_, damage, status) => {
    const own = await folderWith({ 'damaged.jpg': damage(await jpeg(true)) })
    const service = start({ sources: { '/media/': own } })
    expect((await service.get(urlOf('/media/damaged.jpg'), avif)).status).toBe(status)
  })

  test('a JPEG that lacks its end and is white at the bottom is rendered', async () => {
    const own = await folderWith({ 'damaged.jpg': cut(await flat.toBuffer(), 2) })
    expect((await start({ sources: { '/media/': own } }).get(urlOf('/media/damaged.jpg'), avif)).status).toBe(200)
  })
})

describe('areas that no frame of a GIF covers are transparent', () => {
  const covered = { width: 10, height: 10 }
  const still = animatedGif({ width: 40, height: 40 }, [covered])
  const moving = animatedGif({ width: 40, height: 40 }, [covered, covered, { width: 20, height: 20 }])
  const corners = async (file: Buffer) => {
    const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4).subarray(0, 4)]
    return { inside: at(2, 2), outside: at(info.width - 2, info.height - 2) }
  }

  test.each([
    ['still.gif', webp, 1920],
    ['still.gif', avif, 30],
    ['still.gif', {}, 30],
    ['moving.gif', webp, 1920],
    ['moving.gif', {}, 30],
  ] as const)('%s, %o, %s', async (name, headers, size) => {
    const own = await folderWith({ 'still.gif': still, 'moving.gif': moving })
    const response = await start({ sources: { '/media/': own } }).get(urlOf(`/media/${name}`, size), headers)
    const bytes = await bytesOf(response)
    const { inside, outside } = await corners(bytes)
    expect([inside[0], inside[3], outside[3]]).toEqual([255, 255, 0])
    if (name === 'moving.gif' && size !== 1920) expect((await original.describe(bytes)).pages).toBeGreaterThan(1)
  })

  test('a GIF that its frames cover completely stays opaque', async () => {
    const own = await folderWith({ 'photo.gif': await photo.clone().gif().toBuffer() })
    const response = await start({ sources: { '/media/': own } }).get(urlOf('/media/photo.gif', 300), avif)
    expect(await original.describe(await bytesOf(response))).toMatchObject({ format: 'avif', hasAlpha: false })
  })
})

test('a photograph of 61 megapixels is rendered by default', async () => {
  const own = await folderWith({ 'large.jpg': await original.flat(9504, 6336) })
  expect((await start({ sources: { '/media/': own } }).get(urlOf('/media/large.jpg', 64), avif)).status).toBe(200)
})
