import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImages } from '../../core/image/index.js'
import { connectToChromium } from '../../test/browser/chromium.js'
import { folderWith } from '../disk/testing/folder.js'
import { sharpService } from './index.js'

// fonts-noto-core of Debian, which test/setup/install.js installs.
const fonts = '/usr/share/fonts/truetype/noto'

interface Sample {
  /** The family after `Noto Sans`. */
  family: string
  text: string
  /** The same letters, shaped or ordered wrong, as by a renderer that draws each letter by itself. */
  wrong: string
}

const apart = (text: string) => [...text].join('\u200c')
const reversed = (text: string) => [...text].reverse().join('')

const samples: Record<string, Sample> = {
  Latin: { family: '', text: 'Çà et là, naïve ﬁgures', wrong: 'Çà et là, naive figures, no' },
  Cyrillic: { family: '', text: 'Лодки в гавани', wrong: 'Лодки в иинваг' },
  Arabic: { family: 'Arabic', text: 'قوارب في الميناء', wrong: apart('قوارب في الميناء') },
  Hebrew: { family: 'Hebrew', text: 'סירות בְּנָמָל 1870', wrong: `\u202d${reversed('סירות בְּנָמָל 1870')}` },
  Devanagari: { family: 'Devanagari', text: 'नौकाएँ स्थिर हैं', wrong: apart('नौकाएँ स्थिर हैं') },
  Bengali: { family: 'Bengali', text: 'বন্দরে নৌকাগুলি', wrong: apart('বন্দরে নৌকাগুলি') },
  Tamil: { family: 'Tamil', text: 'துறைமுகத்தில் படகு', wrong: reversed('துறைமுகத்தில் படகு') },
  Thai: { family: 'Thai', text: 'เรือที่ท่าน้ำ', wrong: reversed('เรือที่ท่าน้ำ') },
}

const browser = await connectToChromium()
afterAll(() => browser.close())

let folder: string
beforeAll(async () => {
  const black = { create: { width: 1200, height: 630, channels: 3, background: '#000' } } as const
  folder = await folderWith({ 'black.png': await sharp(black).png().toBuffer() })
})

const fontOf = ({ family }: Sample) => ({
  family: `Noto Sans ${family}`.trim(),
  file: join(fonts, `NotoSans${family}-Bold.ttf`),
})

/** Returns the title of a card on black. */
async function draw(sample: Sample): Promise<Buffer> {
  const service = sharpService({ isolation: 'none', card: { font: fontOf(sample) } })
  const images = createImages({ sources: { '/media/': folder }, secret: 'x'.repeat(32), service })
  const address = images.card({ src: '/media/black.png', title: sample.text })
  const response = (await images.handler(new Request(new URL(address, 'http://site.test')))) as Response
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** Returns a text as Chromium draws it in the same font. */
async function drawInChromium(sample: Sample, text: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 300 } })
  const font = `font: 700 76px '${fontOf(sample).family}'; font-synthesis: none`
  await page.setContent(
    `<body style="margin: 80px; background: #000; color: #fff"><p dir="auto" style="${font}; white-space: nowrap"></p>`,
  )
  await page.locator('p').evaluate((element, content) => {
    element.textContent = content
  }, text)
  const picture = await page.screenshot()
  await page.close()
  return picture
}

/** Returns the letters of a picture, cut out. */
async function inkOf(picture: Buffer) {
  const trimmed = sharp(picture).grayscale().trim({ background: '#000', threshold: 60 })
  const { data, info } = await trimmed.toBuffer({ resolveWithObject: true })
  const pixels = await sharp(data).resize(400, 50, { fit: 'fill' }).grayscale().raw().toBuffer()
  return { width: info.width, height: info.height, pixels }
}
type Ink = Awaited<ReturnType<typeof inkOf>>

/** Returns the correlation of the pixels of two pictures: 1 for the same picture. */
function correlate({ pixels: a }: Ink, { pixels: b }: Ink): number {
  const mean = (of: Uint8Array) => of.reduce((sum, each) => sum + each, 0) / of.length
  const [meanA, meanB] = [mean(a), mean(b)]
  const product = (of: Uint8Array, ofMean: number, by: Uint8Array, byMean: number) =>
    of.reduce((sum, each, index) => sum + (each - ofMean) * ((by[index] ?? 0) - byMean), 0)
  return product(a, meanA, b, meanB) / Math.sqrt(product(a, meanA, a, meanA) * product(b, meanB, b, meanB))
}

describe.each(Object.entries(samples))('%s', (_, sample) => {
  test('the letters of a card have the shapes, order and widths that they have in Chromium', async () => {
    const card = await draw(sample)
    const shown = await drawInChromium(sample, sample.text)
    const other = await drawInChromium(sample, sample.wrong)
    const [ours, theirs, wrong] = await Promise.all([card, shown, other].map(inkOf))
    if (!ours || !theirs || !wrong) throw new Error('no picture')
    expect(Math.abs(ours.width - theirs.width)).toBeLessThan(0.02 * theirs.width)
    expect(Math.abs(ours.height - theirs.height)).toBeLessThan(5)
    expect(correlate(ours, theirs)).toBeGreaterThan(0.9)
    // The comparison tells letters that are shaped or ordered wrong.
    expect(correlate(ours, wrong)).toBeLessThan(0.7)
  })
})
