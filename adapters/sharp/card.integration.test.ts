import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CardOptions, createImages, type ImageSite } from '../../core/image/index.js'
import { folderWith } from '../disk/testing/folder.js'
import { type SharpServiceOptions, sharpService } from './index.js'
import { createSharpService } from './service.js'
import { photograph } from './testing/originals.js'
import { avif } from './testing/service.js'
import { buildWorker } from './testing/worker.js'

const black = { create: { width: 1200, height: 630, channels: 3, background: '#000' } } as const
const secret = 'a-secret-that-signs-cards-of-a-test'
let workerFile: string
let folder: string
beforeAll(async () => {
  workerFile = await buildWorker()
  const square = { width: 60, height: 60, channels: 4, background: '#fff' } as const
  folder = await folderWith({
    'photo.jpg': photograph,
    'black.png': await sharp(black).png().toBuffer(),
    'small.png': await sharp({ create: { ...square, background: '#0000' } })
      .png()
      .toBuffer(),
    'mark.png': await sharp({ create: square }).png().toBuffer(),
    'font.woff2': 'wOF2',
  })
})

const create = (card: SharpServiceOptions['card'] = {}) => {
  sharpService({ card }) // checks the options
  const service = (site: ImageSite) => createSharpService({ card, workerFile }, site, { waitTimeout: 1_000_000 })
  const logged: unknown[] = []
  const log = (...entry: unknown[]) => void logged.push(entry)
  const images = createImages({ sources: { '/media/': folder }, secret, service, log })
  const load = async (address: string) =>
    (await images.handler(new Request(new URL(address, 'http://site.test'), { headers: avif }))) as Response
  const draw = async (options: Partial<CardOptions>) => {
    const response = await load(images.card({ src: '/media/black.png', title: 'A cat', ...options }))
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
  }
  /** Returns the area of a card on black that is not black. */
  const inkOf = async (options: Partial<CardOptions>) => {
    const { body } = await draw(options)
    const { info } = await sharp(body).trim({ background: '#000', threshold: 60 }).toBuffer({ resolveWithObject: true })
    const { width, height, trimOffsetLeft = 0, trimOffsetTop = 0 } = info
    return { width, height, left: -trimOffsetLeft, top: -trimOffsetTop }
  }
  return { images, logged, load, draw, inkOf }
}

test.each(['photo.jpg', 'small.png'])('a card of %s is a JPEG of 1200 x 630 pixels for every visitor', async (name) => {
  const { status, headers, body } = await create().draw({ src: `/media/${name}` })
  const { format, width, height } = await sharp(body).metadata()
  expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect([format, width, height]).toEqual(['jpeg', 1200, 630])
})

describe('the title', () => {
  test('markup in a title is shown as text', async () => {
    const { inkOf } = create()
    const marked = await inkOf({ title: '<b>cat</b> & "cat"', language: '"><b>' })
    expect(marked.width).toBeGreaterThan((await inkOf({ title: 'cat & "cat"' })).width * 1.3)
  })

  test('a longer title is smaller, and the longest ends within its area', async () => {
    const { inkOf } = create()
    const [short, long, longest] = await Promise.all(
      [1, 5, 60].map((count) => inkOf({ title: 'A cat, '.repeat(count) })),
    )
    expect(short?.height).toBeGreaterThan(50)
    for (const { left, top, width, height } of [long, longest].flatMap((each) => each ?? [])) {
      expect(left).toBeGreaterThanOrEqual(60)
      expect(left + width).toBeLessThanOrEqual(1140)
      expect(top + height).toBeLessThanOrEqual(570)
      expect(height).toBeLessThanOrEqual(304)
    }
    expect(longest?.height).toBeGreaterThan(200)
    // One that is cut is not the same as one that is a little longer and cut as well, except for what is cut.
    expect(await inkOf({ title: 'A cat, '.repeat(61) })).toEqual(longest)
  })

  test('a title from right to left is at the right, and its panel, too', async () => {
    const { inkOf } = create()
    const { left, width } = await inkOf({ title: 'חתול' })
    expect([left > 900, left + width]).toEqual([true, expect.closeTo(1136, -1)])
    expect((await inkOf({ title: 'A cat' })).left).toBeCloseTo(64, -1)
    expect((await inkOf({ title: 'חתול', layout: 'side' })).left).toBeGreaterThan(900)
  })

  test.each(['', '\u200b', '\ud800', 'W'.repeat(500), '\u0301'])('a card with the title %j is drawn', async (title) => {
    expect((await create().draw({ title, layout: 'center' })).status).toBe(200)
  })
})

test('white text has a contrast of 6 or more on a white photograph', async () => {
  await writeFile(join(folder, 'white.png'), await sharp(black).negate({ alpha: false }).png().toBuffer())
  for (const layout of ['bottom', 'center', 'side'] as const) {
    const { body } = await create().draw({ src: '/media/white.png', layout, title: 'A cat' })
    // The area around the beginning of the title.
    const area = { left: 40, top: layout === 'bottom' ? 540 : 300, width: 16, height: 20 }
    const brightest = Math.max(...(await sharp(body).extract(area).raw().toBuffer()))
    const luminance = ((brightest / 255 + 0.055) / 1.055) ** 2.4
    expect(1.05 / (luminance + 0.05)).toBeGreaterThan(6)
  }
})

test('a mark that is gone fails the card, but no other image of the photograph', async () => {
  const mark = join(folder, 'gone.png')
  await writeFile(
    mark,
    await sharp({ create: { ...black.create, width: 60, height: 60, background: '#fff' } })
      .png()
      .toBuffer(),
  )
  const { images, load, draw, logged } = create({ mark })
  await rm(mark)
  expect((await draw({})).status).toBe(502)
  expect(JSON.stringify(logged)).toContain('gone.png')
  expect((await load(images.loader({ src: '/media/black.png', width: 640 }))).status).toBe(200)
})

test('the mark is above the title', async () => {
  const without = await create().inkOf({})
  const { top, height, left } = await create({ mark: join(folder, 'mark.png') }).inkOf({})
  expect([left, without.top - top]).toEqual([without.left, expect.closeTo(60 + 32, -1)])
  expect(height).toBeGreaterThan(without.height)
})

test.each([
  [{ mark: './none.png' }, "mark: expected a PNG file, got './none.png'"],
  [{ colors: { text: 'white' } }, "text: expected a color such as '#1a2b3c', got 'white'"],
  [{ font: { family: 'Inter', weight: 0 } }, 'weight: expected a whole number from 1 to 1000, got 0'],
  [{ fonts: {} }, 'fonts: expected one of the options font, colors, mark, got an unknown one'],
])('%o is rejected when the site starts', (card, message) => {
  expect(() => create(card as object)).toThrow(message)
})

test('a font that cannot be read is rejected when the site starts', () => {
  const message = "file: expected a TTF or OTF file of the family 'Inter'"
  expect(() => create({ font: { family: 'Inter', file: join(folder, 'font.woff2') } })).toThrow(message)
})
