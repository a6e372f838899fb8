import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectToChromium } from '../browser/chromium.js'
import { installPackages } from '../setup/install-packages.js'
import { startSite } from './start.js'

// The styleguide of a site with Pug and Bootstrap: its component, in frames that have Bootstrap, in a shell that has not.

const here = import.meta.dirname
const site = join(here, 'express')
let browser: Browser
let server: Awaited<ReturnType<typeof startSite>>

beforeAll(async () => {
  await installPackages(here)
  for (const name of ['server', 'styleguide'])
    copyFileSync(join(here, `../../docs/snippets/existing/pug-${name}.cjs`), join(site, `${name}.js`))
  browser = await connectToChromium()
  server = await startSite(site, 'server.js', { STYLEGUIDE_ENABLED: 'true' })
}, 600_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

it('a component of Pug has the site’s look in its frame, and the shell has its own', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto(`${server.url}/styleguide/card`)
  const button = page.frameLocator('iframe').first().locator('a.btn')
  await button.waitFor()
  const styleOf = (element: Element) => {
    const { color, backgroundColor, paddingLeft } = getComputedStyle(element)
    return [color, backgroundColor, paddingLeft]
  }
  // Bootstrap's primary button, and the site's color of a title.
  expect(await button.evaluate(styleOf)).toEqual(['rgb(255, 255, 255)', 'rgb(13, 110, 253)', '12px'])
  const title = page.frameLocator('iframe').first().locator('.card-title')
  expect((await title.evaluate(styleOf))[0]).toBe('rgb(125, 44, 27)')
  const list = page.locator('.sw-nav ul, .sw-nav ol').first()
  expect((await list.evaluate(styleOf))[2]).toBe('0px')
  await page.goto(`${server.url}/styleguide/colors`)
  expect(await page.locator('#color-brand').count()).toBe(1)
  expect(errors).toEqual([])
  await page.close()
})
