import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { bundleStyleguide, findViolations } from '../../../test/browser/styleguide.js'
import { backgroundOf, night, serveStyleguide } from '../testing/scripted-site.js'

const { open, urlOf } = serveStyleguide()

it('the script is at most 5 KB gzipped', async () => {
  const { js } = await bundleStyleguide()
  expect(gzipSync(js, { level: 9 }).length).toBeLessThanOrEqual(5 * 1024)
})

it('React hydrates without warnings, and keeps the remembered scheme', async () => {
  const page = await open('')
  await page.check('#sw-dark', { force: true })
  await page.goto(urlOf('hydrated'))
  await page.waitForFunction(() => document.title === 'hydrated')
  expect([await page.isChecked('#sw-dark'), await backgroundOf(page)]).toEqual([true, night])
  await page.fill('.sw-search input', 'card')
  await page.waitForSelector('.sw-search [role=status]:text("Found: 1")')
})

it('a long navigation is scrolled to the current page', async () => {
  const page = await open('no-color', { viewport: { width: 1280, height: 220 } })
  const nav = page.locator('.sw-nav')
  expect(await nav.evaluate((nav) => nav.scrollTop)).toBeGreaterThan(50)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

it('the navigation lists the headings of a page with several headings', async () => {
  const page = await open('foundations/pairs')
  const outline = await page.$$eval('.sw-outline a', (links) => links.map((link) => link.textContent))
  expect(outline).toEqual(['Before', 'Text on ground'])
})

it('the keyboard skips to the content', async () => {
  const page = await open('')
  await page.keyboard.press('Tab')
  expect(await page.isVisible('.sw-skip:focus-visible')).toBe(true)
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
})

describe('without the script', () => {
  const missing = (page: Page) => page.route('**/styleguide.js', (request) => request.fulfill({ body: '' }))

  it.each<[string, BrowserContextOptions, typeof missing?]>([
    ['JavaScript', { javaScriptEnabled: false }],
    ['the script', {}, missing],
  ])(
    'without %s, the search is answered by the server, and the scheme switch works for the current page',
    async (_, options, prepare) => {
      const page = await open('foundations/colors', options, prepare)
      expect(await page.isVisible('.sw-nav >> text=Card')).toBe(true)
      await page.fill('.sw-search input', 'colophon')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/search?q=colophon')
      expect(await page.isVisible('.sw-main .sw-found >> text=Colophon')).toBe(true)
      await page.click('label[title=Dark]')
      expect(await backgroundOf(page)).toBe(night)
      await page.click('.sw-nav >> text=Card')
      await page.waitForSelector('h1:text-is("Card")')
    },
  )
})

it('only the content is printed, in the light scheme', async () => {
  const page = await open('foundations/colors', { colorScheme: 'dark' })
  await page.emulateMedia({ media: 'print' })
  for (const part of ['.sw-header', '.sw-nav', '.sw-breadcrumbs']) {
    expect(await page.isVisible(part)).toBe(false)
  }
  expect(await page.$eval('h1', (title) => getComputedStyle(title).color)).toBe('rgb(24, 27, 34)')
  expect(await page.$eval('.sw-chip .sw-paint', (paint) => getComputedStyle(paint).printColorAdjust)).toBe('exact')
})

describe('axe-core', () => {
  it.each([
    [390, 'dark'],
    [1280, 'light'],
  ] as const)('axe-core finds no violation at %d pixels in the scheme %s', async (width, colorScheme) => {
    const page = await open('', { viewport: { width, height: 800 }, colorScheme })
    for (const path of ['', 'foundations/colors', 'foundations/modes', 'components', 'no-color', 'broken', 'search']) {
      await page.goto(urlOf(path))
      if (path === 'foundations/colors') await page.click('#color-odd-ok')
      if (width === 390 && path === 'components') await page.click('.sw-menu')
      expect(await findViolations(page)).toEqual([])
    }
  })
})
