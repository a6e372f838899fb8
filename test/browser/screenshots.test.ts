import sharp from 'sharp'
import { expect, it } from 'vitest'
import { compareScreenshots, storeScreenshot } from './screenshots.js'

/** Draws a page with a text and a swatch. */
function draw({ swatch = '#7d2c1b', text = 'Silver and salt', shift = 0, height = 1200 } = {}): Promise<Buffer> {
  const lines = Array.from(
    { length: 30 },
    (_, line) => `<text x="${40 + shift}" y="${80 + line * 36}" font-size="16" font-family="sans-serif">${text}</text>`,
  )
  const swatches = `<rect x="700" y="80" width="120" height="80" fill="${swatch}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${lines.join('')}${swatches}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

it.each([
  ['the same page', {}],
  ['edges drawn a third of a pixel elsewhere', { shift: 0.33 }],
  ['a page one pixel longer', { height: 1201 }],
])('%s matches', async (_, change) => {
  const { share } = await compareScreenshots(await draw(change), await storeScreenshot(await draw()))
  expect(share).toBeLessThanOrEqual(0.002)
})

it.each([
  ['another color of one swatch', { swatch: '#a3543f' }],
  ['another text', { text: 'Salt and silver prints' }],
  ['text that is gone', { text: '' }],
  ['a page that is a line longer', { height: 1224 }],
])('%s does not match', async (_, change) => {
  const { share } = await compareScreenshots(await draw(change), await storeScreenshot(await draw()))
  expect(share).toBeGreaterThan(0.002)
})
