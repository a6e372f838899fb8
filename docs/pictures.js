// Takes the pictures of the guides: screenshots of the demonstration in `public/demo`, and the bytes of a photograph, measured.
// usage: npm run build && npm run build -w vite-hono && node docs/demo.js && node docs/pictures.js
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
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
/** A phone of 390 pixels at twice the density loads this width. */
const phone = measured.find((image) => image.width === 828)
const bars = [
  [`The original, ${width} pixels wide`, original],
  ...phone.deliveries.map(({ format, bytes }) => [`${format}, 828 pixels wide`, bytes]).sort(([, a], [, b]) => b - a),
]
const rows = bars.map(([label, bytes], index) => {
  const y = 8 + index * 58
  const share = Math.max(2, Math.round((440 * bytes) / original))
  return `<text x="0" y="${y + 14}">${label}</text><text class="end" x="440" y="${y + 14}">${Math.round(bytes / 1000)} kB</text>
<rect class="${index === 0 ? 'before' : 'after'}" x="0" y="${y + 24}" width="${share}" height="12" rx="2"/>`
})
const height = 8 + bars.length * 58
writeFileSync(
  `${figures}bytes.svg`,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 ${height}" width="440" height="${height}" role="img">
<title>Bytes of one photograph: the original, and what a phone loads in each format</title>
<style>
text { fill: #241a13; font: 15px "Helvetica Neue", Arial, sans-serif }
.end { text-anchor: end; font-weight: 600 }
.before { fill: #b9a98f }
.after { fill: #7d2c1b }
@media (prefers-color-scheme: dark) { text { fill: #ece2d2 } .before { fill: #6b5a4a } .after { fill: #e3a17c } }
</style>
${rows.join('\n')}
</svg>
`,
)
