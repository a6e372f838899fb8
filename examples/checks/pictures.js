// Photographs each frame of a styleguide, and compares it with the picture in the folder, which the first run writes:
// CHROMIUM=/usr/bin/chromium node pictures.js http://localhost:3000/styleguide pictures
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const [url = '', folder = 'pictures'] = process.argv.slice(2)
const { components } = await (await fetch(`${url}/index.json`)).json()
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] })
mkdirSync(folder, { recursive: true })
for (const { schemes, variants } of components)
  for (const { href, widths } of variants)
    for (const colorScheme of schemes)
      for (const width of widths) {
        const page = await browser.newPage({ colorScheme, viewport: { width, height: 320 } })
        await page.goto(new URL(href, url).href, { waitUntil: 'networkidle' })
        await page.evaluate(async () => void (await document.fonts.ready))
        // Photographs are masked: an image service may encode one anew between two runs.
        const picture = await page.screenshot({ fullPage: true, mask: [page.locator('img')] })
        await page.close()
        const file = `${folder}/${`${href} ${width} ${colorScheme}`.replace(/\W+/g, '-').slice(1)}.png`
        if (!existsSync(file)) writeFileSync(file, picture)
        if (readFileSync(file).equals(picture)) continue
        console.error(`${file} differs`)
        writeFileSync(file.replace('.png', '.new.png'), picture)
        process.exitCode = 1
      }
await browser.close()
