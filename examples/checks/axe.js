// Checks each frame of a styleguide with axe:
// CHROMIUM=/usr/bin/chromium node axe.js http://localhost:3000/styleguide
import axe from 'axe-core'
import { chromium } from 'playwright-core'

const [url = ''] = process.argv.slice(2)
const { components } = await (await fetch(`${url}/index.json`)).json()
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] })
for (const { schemes, variants } of components)
  for (const { href } of variants)
    for (const colorScheme of schemes) {
      const page = await browser.newPage({ colorScheme })
      await page.goto(new URL(href, url).href)
      await page.evaluate(axe.source)
      // A frame is a part of a page, so the rules of best practice for whole pages do not apply.
      const { violations } = await page.evaluate(() => globalThis.axe.run({ runOnly: ['wcag2a', 'wcag2aa'] }))
      for (const { id, nodes } of violations) for (const { html } of nodes) console.error(href, colorScheme, id, html)
      if (violations.length > 0) process.exitCode = 1
      await page.close()
    }
await browser.close()
