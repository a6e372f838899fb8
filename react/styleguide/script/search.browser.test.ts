import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { serveStyleguide } from '../testing/scripted-site.js'

const { open, urlOf, takeMessages } = serveStyleguide()

describe('the search', () => {
  const resultsOf = (page: Page) =>
    page.$$eval('.sw-found li a', (links) =>
      links.map((link) => link.firstChild?.textContent?.trim() || link.textContent),
    )
  const search = async (page: Page, text: string, status: string) => {
    await page.fill('.sw-search input', text)
    await page.waitForSelector(`.sw-search [role=status]:text("${status}")`)
  }

  it.each<[string, string[], string]>([
    ['coloph', ['Colophon'], 'Found: 1'],
    ['  ECRI', ['Écriture'], 'Found: 1'],
    ['gray-500', ['gray-500'], 'Found: 1'],
    ['text', ['Écriture'], 'Found: 1'],
    ['nothing like it', [], 'Nothing found'],
    ['.*', [], 'Nothing found'],
  ])('a search for %j finds %j', async (text, titles, status) => {
    const page = await open('')
    await search(page, text, status)
    expect((await resultsOf(page)).map((title) => title.replace(/\s+/g, ' '))).toEqual(titles)
    // Where nothing is found, the tree stays.
    expect(await page.isVisible('.sw-nav > .sw-pages')).toBe(titles.length === 0)
    await page.press('.sw-search input', 'Escape')
    expect(await page.inputValue('.sw-search input')).toBe('')
    await page.waitForSelector('.sw-nav > .sw-pages')
    expect(await resultsOf(page)).toEqual([])
  })

  it.each([
    ['#767676', 'gray-550', 'Found:'],
    ['#5a5a5b', 'gray-900', 'No color has this value.'],
    ['#fb2c36', 'odd-ok', 'Found:'],
  ])('a search for the color %s finds %s first, as a swatch beside its name', async (text, name, status) => {
    const page = await open('')
    await search(page, text, status)
    expect((await page.locator('.sw-found :is(svg, .sw-picture)').first().boundingBox())?.width).toBeGreaterThanOrEqual(
      40,
    )
    expect(await page.textContent('.sw-found li a')).toContain(name)
    await page.press('.sw-search input', 'Enter')
    await page.waitForURL(urlOf(`foundations/colors#color-${name}`))
    await page.waitForSelector(`#color-${name} + .sw-detail`)
  })

  it('the search can be used with the keyboard', async () => {
    const page = await open('')
    await page.keyboard.press('/')
    await page.keyboard.type('col')
    await page.waitForSelector('.sw-found a')
    await page.keyboard.press('/')
    expect(await page.inputValue('.sw-search input')).toBe('col/')
    await page.keyboard.press('Backspace')
    await page.waitForSelector('.sw-found a')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.closest('li')?.previousElementSibling !== null)).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await page.click('[aria-label^="A field"]')
    await page.keyboard.press('/')
    expect(await page.inputValue('[aria-label^="A field"]')).toBe('/')
  })

  it('the search finds titles of the navigation if the index cannot be loaded', async () => {
    const page = await open('', {}, (page) => page.route('**/styleguide/search?*', (request) => request.abort()))
    await page.fill('.sw-search input', 'card')
    await page.waitForSelector('.sw-found a:has-text("Card")')
    await page.press('.sw-search input', 'Enter')
    await page.waitForURL(urlOf('components/card'))
    expect(takeMessages()).toEqual(['Failed to load resource: net::ERR_FAILED'])
  })

  it('a result of the server says why it was found, and its address is that of the search', async () => {
    const page = await open('search?q=tex')
    expect(await page.title()).toBe('Styleguide')
    const result = page.locator('main .sw-found li')
    expect((await result.textContent())?.trim()).toBe('ÉcritureÉcriture Text')
    expect(await page.textContent('main .sw-found h2')).toBe('Site')
    expect(await result.locator('mark').allTextContents()).toEqual(['Tex'])
    await page.fill('main .sw-search input', '#5a5a5b')
    await page.press('main .sw-search input', 'Enter')
    await page.waitForURL(urlOf('search?q=%235a5a5b'))
    expect(await page.textContent('main .sw-found li')).toContain('gray-900 #5a5a5a · ΔE 0.')
  })

  it('a page that does not answer the query, such as a static file, is searched by the script', async () => {
    const page = await open('search?q=pairs', {}, (page) =>
      page.route('**/styleguide/search?*', async (request) => {
        await request.fulfill({ response: await request.fetch({ url: urlOf('search') }) })
      }),
    )
    await page.waitForSelector('main [role=status]:text("Found: 1")')
    expect(await page.inputValue('main .sw-search input')).toBe('pairs')
    expect(await page.isVisible('.sw-index')).toBe(false)
    await page.fill('.sw-nav .sw-search input', '#5a5a5b')
    await page.waitForSelector('.sw-nav .sw-found a:has-text("gray-900")')
    await search(page, '5a5a5c', 'Found: 2')
    expect((await resultsOf(page))[0]).toContain('gray-900')
  })

  it('results in the navigation are those of the search page, in groups and with pictures', async () => {
    const markupOf = (page: Page, place: string) => page.$eval(`${place} .sw-found`, (list) => list.innerHTML)
    const page = await open('search?q=gra')
    const expected = await markupOf(page, 'main')
    await search(page, 'gra', 'Found:')
    expect((await markupOf(page, '.sw-nav')).replaceAll(urlOf('').replace(/\/styleguide\/?$/, ''), '')).toBe(expected)
    expect(await page.$$eval('.sw-nav .sw-found svg', (swatches) => swatches[0]?.getBoundingClientRect().width)).toBe(
      40,
    )
  })

  it('on a small screen, a slash opens the menu with the search, and the second Escape closes it', async () => {
    const page = await open('', { viewport: { width: 390, height: 800 } })
    await page.keyboard.press('/')
    await page.keyboard.type('card')
    await page.waitForSelector('.sw-found a:has-text("Card")')
    await page.keyboard.press('Escape')
    expect(await page.isVisible('.sw-nav')).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.isVisible('.sw-nav')).toBe(false)
  })
})
