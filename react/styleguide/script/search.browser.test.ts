import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { serveStyleguide } from '../testing/scripted-site.js'

const { open, urlOf } = serveStyleguide()

describe('the filter', () => {
  const shown = (page: Page) =>
    page.$$eval('.sw-nav a', (links) => links.filter((link) => link.checkVisibility()).map((link) => link.textContent))

  it.each<[string, string[], string]>([
    ['col', ['Foundations', 'Colors', 'Components', 'Colophon', 'No color'], 'Pages found: 3'],
    ['  COLOR', ['Foundations', 'Colors', 'No color'], 'Pages found: 2'],
    ['ecri', ['Écriture'], 'Pages found: 1'],
    ['components', ['Components'], 'Pages found: 1'],
    ['nothing like it', [], 'Pages found: 0'],
    ['.*', [], 'Pages found: 0'],
  ])('shows for %j the pages %j', async (text, titles, status) => {
    const page = await open('')
    const all = await shown(page)
    await page.fill('.sw-filter input', text)
    expect(await shown(page)).toEqual(titles)
    expect(await page.textContent('.sw-filter [role=status]')).toBe(status)
    await page.press('.sw-filter input', 'Escape')
    expect(await page.inputValue('.sw-filter input')).toBe('')
    expect(await shown(page)).toEqual(all)
    expect(await page.textContent('.sw-filter [role=status]')).toBe('')
  })

  it('is focused by a slash, unless the user is typing', async () => {
    const page = await open('')
    await page.keyboard.press('/')
    await page.keyboard.type('col')
    expect(await page.inputValue('.sw-filter input')).toBe('col')
    await page.keyboard.press('/')
    expect(await page.inputValue('.sw-filter input')).toBe('col/')
    await page.click('[aria-label^="A field"]')
    await page.keyboard.press('/')
    expect(await page.inputValue('[aria-label^="A field"]')).toBe('/')
    await page.check('#sw-light', { force: true })
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Filter pages')
  })

  it('opens the first match on Enter', async () => {
    const page = await open('')
    await page.fill('.sw-filter input', 'nothing')
    await page.press('.sw-filter input', 'Enter')
    expect(page.url()).toBe(urlOf(''))
    await page.fill('.sw-filter input', 'col')
    await page.press('.sw-filter input', 'Enter')
    await page.waitForURL(urlOf('foundations/colors'))
  })

  it('is in the menu of a small screen, which a slash opens and the second Escape closes', async () => {
    const page = await open('', { viewport: { width: 390, height: 800 } })
    await page.keyboard.press('/')
    await page.keyboard.type('card')
    expect(await shown(page)).toEqual(['Components', 'Card'])
    await page.keyboard.press('Escape')
    expect(await page.isVisible('.sw-nav')).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.isVisible('.sw-nav')).toBe(false)
  })
})
