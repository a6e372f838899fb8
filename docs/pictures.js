// Takes the pictures of the guides: screenshots of the demonstration in `public/demo`, a photograph in four shapes, and
// its bytes, measured.
// Part of `npm run docs`.
// usage: npm run build && npm run build -w vite-hono && node docs/demo.js && node docs/pictures.js
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { sharpService } from '../dist/adapters/sharp/index.js'
import { createImages } from '../dist/core/image/index.js'
import { measureImages } from '../dist/core/styleguide/index.js'

const toPath = (path) => fileURLToPath(new URL(path, import.meta.url))
const figures = toPath('public/figures/')
mkdirSync(figures, { recursive: true })

/** Pages of the demonstration, and how far each is scrolled. */
const shots = {
  styleguide: ['styleguide/foundations/colors/index.html', 0],
  cover: ['styleguide/index.html', 0],
  component: ['styleguide/components/card/index.html', 0],
  typography: ['styleguide/foundations/typography/index.html', 0],
  spacing: ['styleguide/foundations/spacing/index.html', 0],
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files', '--disable-background-networking'],
})
for (const colorScheme of ['light', 'dark']) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme })
  for (const [name, [path, top]] of Object.entries(shots)) {
    await page.goto(pathToFileURL(toPath(`public/demo/${path}`)).href, { waitUntil: 'load' })
    await page.evaluate((top) => scrollTo(0, top), top)
    await page.waitForTimeout(500) // fonts are optional: they are shown from the second page on
    const picture = await page.screenshot()
    await sharp(picture).webp({ quality: 82, effort: 6 }).toFile(`${figures}${name}-${colorScheme}.webp`)
  }
  await page.close()
}
await browser.close()

const src = '/media/black-canyon-large.jpg'
const folder = toPath('../examples/site/media')
const images = createImages({ sources: { '/media/': folder }, service: sharpService() })
const original = statSync(`${folder}/black-canyon-large.jpg`).size
const { width } = await sharp(`${folder}/black-canyon-large.jpg`).metadata()
const measured = await measureImages({ fetch: images.handler, loader: images.loader, src })

/** One photograph in four shapes, side by side. */
const shapes = [undefined, '16:9', '1:1', '3:4']
const [shapeHeight, shapeGap] = [336, 16]
let right = 0
const cropped = []
for (const ratio of shapes) {
  const { src: url } = images.srcSet({ src, width: 828, ratio, focus: { x: 0.21, y: 0.75 } })
  const crop = Buffer.from(await (await images.handler(new Request(new URL(url, 'http://localhost')))).arrayBuffer())
  const { data, info } = await sharp(crop).resize({ height: shapeHeight }).toBuffer({ resolveWithObject: true })
  cropped.push({ input: data, left: right, top: 0 })
  right += info.width + shapeGap
}
const canvas = { width: right - shapeGap, height: shapeHeight, channels: 4, background: '#0000' }
await sharp({ create: canvas }).composite(cropped).webp({ quality: 80, effort: 6 }).toFile(`${figures}shapes.webp`)

/** A phone of 390 pixels at twice the density loads this width. */
const phone = measured.find((image) => image.width === 828)
const bars = [
  [`The original, ${width} pixels wide`, original],
  ...phone.deliveries.map(({ format, bytes }) => [`${format}, 828 pixels wide`, bytes]).sort(([, a], [, b]) => b - a),
]
const drawingWidth = 372
const rows = bars.map(([label, bytes], index) => {
  const y = 8 + index * 58
  const share = Math.max(2, Math.round((drawingWidth * bytes) / original))
  return `<text x="0" y="${y + 14}">${label}</text><text class="end" x="${drawingWidth}" y="${y + 14}">${Math.round(bytes / 1000)} kB</text>
<rect class="${index === 0 ? 'before' : 'after'}" x="0" y="${y + 24}" width="${share}" height="12" rx="2"/>`
})
// The other drawings are written by hand. All have one style.
const [style] = readFileSync(`${figures}publish.svg`, 'utf8').match(/<style>.*<\/style>/s)
const height = 8 + bars.length * 58
writeFileSync(
  `${figures}bytes.svg`,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${drawingWidth} ${height}" width="${drawingWidth}" height="${height}" role="img">
<title>Bytes of one photograph: the original, and what a phone loads in each format</title>
${style}
${rows.join('\n')}
</svg>
`,
)
