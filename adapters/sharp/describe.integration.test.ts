import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createImages, type ImageDescription } from '../../core/image/index.js'
import { diskStore } from '../disk/index.js'
import { folderWith } from '../disk/testing/folder.js'
import { sharpService } from './index.js'
import { startOrigin } from './testing/origin.js'
import * as originals from './testing/originals.js'
import { buildWorker } from './testing/worker.js'

const png = (alpha: number) =>
  sharp({ create: { width: 300, height: 200, channels: 4, background: { r: 200, g: 30, b: 30, alpha } } })
    .png()
    .toBuffer()

let folder: string
let workerFile: string
let origin: Awaited<ReturnType<typeof startOrigin>>
beforeAll(async () => {
  workerFile = await buildWorker()
  const gray = { input: await originals.flat(8, 8), left: 290, top: 190 }
  const hole = sharp(await png(1)).composite([{ ...gray, blend: 'dest-out' }])
  folder = await folderWith({
    'photograph.jpg': originals.photograph,
    'rotated.jpg': await originals.rotatedJpeg(),
    'cmyk.jpg': await originals.cmykJpeg(),
    'p3.jpg': await originals.displayP3Jpeg(),
    'opaque.png': await png(1),
    'translucent.png': await png(0.5),
    'hole.png': await hole.png().toBuffer(),
    'animated.gif': await originals.animated('gif'),
    'animated.webp': await originals.animated('webp'),
    'pixel.png': await sharp(await png(1))
      .resize(1, 1, { fit: 'fill' })
      .png()
      .toBuffer(),
    'text.jpg': 'not an image',
    'empty.jpg': '',
    'drawing.svg.jpg': originals.svg,
    'bomb.png': originals.bombPng(),
    'cut.jpg': await originals.truncated('jpeg'),
  })
  origin = await startOrigin((req, res) => {
    if (req.url?.endsWith('gone.jpg')) return void res.writeHead(404).end()
    if (req.url?.endsWith('large.jpg')) return void res.end(Buffer.alloc(2_000_000, originals.photograph))
    res.end(originals.photograph)
  })
})
afterAll(() => origin.stop())

const start = (options: Parameters<typeof sharpService>[0] = {}) =>
  createImages({
    sources: { '/media/': folder, [`${origin.origin}/`]: true },
    service: sharpService({ workerFile, allowNetworks: ['127.0.0.0/8'], ...options }),
    log: () => {},
  })

type Row = [name: string, expected: Partial<ImageDescription>]
const rows: Row[] = [
  ['photograph.jpg', { width: 1024, height: 750, type: 'image/jpeg', color: '#87715f', isAnimated: false }],
  ['rotated.jpg', { width: 750, height: 1024, type: 'image/jpeg' }],
  ['cmyk.jpg', { width: 1024, height: 750, type: 'image/jpeg' }],
  ['p3.jpg', { width: 1024, height: 750, color: '#87715f' }],
  ['opaque.png', { width: 300, height: 200, type: 'image/png', color: '#c81e1e', placeholder: expect.any(String) }],
  [
    'translucent.png',
    {
      width: 300,
      height: 200,
      type: 'image/png',
      color: expect.stringMatching(/^#c[5-8]1[b-e]1[b-e]$/),
      placeholder: undefined,
    },
  ],
  ['hole.png', { width: 300, height: 200, placeholder: undefined }],
  ['animated.gif', { width: 120, height: 80, type: 'image/gif', isAnimated: true }],
  ['animated.webp', { width: 120, height: 80, type: 'image/webp', isAnimated: true }],
  ['pixel.png', { width: 1, height: 1, color: '#c81e1e', placeholder: expect.any(String) }],
]

describe('images.describe, with the embedded service', () => {
  test.each(rows)('images.describe describes %s', async (name, expected) => {
    const src = `/media/${name}`
    const description = await start().describe(src)
    expect(description).toMatchObject({ src, originalWidth: description.width, ...expected })
    expect(Object.keys(description).sort()).toEqual(
      ['src', 'width', 'height', 'originalWidth', 'type', 'color', 'placeholder', 'isAnimated'].sort(),
    )
  })

  test.each([
    ['/media/none.jpg', 'Image not found: Unknown source'],
    ['/media/text.jpg', 'Image could not be processed: The original is not an image of a known type'],
    ['/media/empty.jpg', 'Image could not be processed: The original is empty'],
    ['/media/drawing.svg.jpg', 'Image could not be processed: The original is SVG, which is not accepted'],
    ['/media/bomb.png', 'Image could not be processed: The original is too large: 50000 x 50000 pixels'],
    ['/gone.jpg', 'Image not found'],
    ['/large.jpg', 'Image could not be processed: The original is larger than 1000000 bytes'],
  ])('images.describe rejects %s: %s', async (path, reason) => {
    const src = path.startsWith('/media/') ? path : origin.origin + path
    const described = start({ maxSourceBytes: 1_000_000 }).describe(src)
    await expect(described).rejects.toThrow(`describe: ${src}: ${reason}`)
  })

  test('a source under no prefix is a mistake of the site', async () => {
    const described = start().describe('/other/cat.jpg')
    await expect(described).rejects.toThrow(TypeError)
    await expect(start().describe('/other/cat.jpg')).rejects.toThrow(
      `describe: expected a path or URL under /media/, ${origin.origin}/, got '/other/cat.jpg'`,
    )
  })

  test('a remote original is fetched once, and again after a purge', async () => {
    const images = start()
    const src = `${origin.origin}/cat.jpg`
    const fetched = () => origin.requests.filter((path) => path === '/cat.jpg').length
    const descriptions = await Promise.all([images.describe(src), images.describe(src)])
    expect(descriptions[0]).toEqual(descriptions[1])
    await images.describe(src)
    expect(fetched()).toBe(1)
    await images.invalidate([src])
    await images.describe(src)
    expect(fetched()).toBe(2)
  })

  test('a description is stored with the images, and changes with the file', async () => {
    const cache = diskStore({ directory: await folderWith(), maxBytes: 10 * 1024 ** 2 })
    const media = await folderWith({ 'cat.png': await png(1) })
    const startAgain = (isolation: 'none' | 'process') =>
      createImages({ sources: { '/media/': media }, service: sharpService({ isolation, workerFile }), cache })
    const description = await startAgain('process').describe('/media/cat.png')
    await vi.waitFor(
      async () => expect(await startAgain('process').describe('/media/cat.png')).toEqual(description),
      20_000,
    )
    await writeFile(
      join(media, 'cat.png'),
      await sharp(await png(1))
        .resize(60, 50, { fit: 'fill' })
        .png()
        .toBuffer(),
    )
    await vi.waitFor(async () => expect((await startAgain('none').describe('/media/cat.png')).width).toBe(60), 20_000)
    await rm(join(media, 'cat.png'))
    await expect(startAgain('none').describe('/media/cat.png')).rejects.toThrow('Image not found')
  })

  test('visitors cannot request a description, and the URL of an image never returns one', async () => {
    const images = start()
    await images.describe('/media/photograph.jpg')
    const source = 'L21lZGlhL3Bob3RvZ3JhcGguanBn'
    for (const path of [`/info/x/${source}`, `/.describe/${source}`, `/_image/info/${source}`]) {
      const response = await images.handler(new Request(`http://site.test${path}`))
      expect([path, response?.status ?? 'another route']).toEqual([
        path,
        path.startsWith('/_image') ? 400 : 'another route',
      ])
    }
    const image = await images.handler(new Request(`http://site.test/_image/${source}?width=640`))
    expect(image?.headers.get('content-type')).toBe('image/jpeg')
  })
})
