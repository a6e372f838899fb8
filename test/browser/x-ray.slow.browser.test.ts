import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { StyleguideIndex } from '../../core/styleguide/index.js'
import { type RunningExample, startExample } from '../examples/start.js'
import { connectToChromium } from './chromium.js'

let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser?.close())

/** Opens X-ray. Adds the faults to the stylesheets of the site. */
async function openXRay(url: string, path: string, css = '', options: BrowserContextOptions = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options })
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()) + css })
  })
  await page.goto(`${url}/styleguide/x-ray?page=${path}`)
  await page.getByText(/values on this page are tokens/).waitFor({ state: 'attached' })
  return { page, frame: page.frames()[1] as Frame }
}

const faults =
  '.card .kicker { color: #7e2d1c } .card-text { margin-top: 13px } .card .card-summary { font-size: 18.5px }'

describe.each(['vite-hono', 'vite-express', 'example-next'])('%s', (name) => {
  let example: RunningExample
  beforeAll(async () => {
    example = await startExample(name, { STYLEGUIDE_ENABLED: 'true', STYLEGUIDE_XRAY: 'true' })
  })
  afterAll(() => example?.close())

  it('X-ray finds the seeded strays, and none on the clean pages', async () => {
    for (const path of ['/', '/articles/airplane']) {
      const { page } = await openXRay(example.url, path)
      expect([path, await page.locator('.sw-strays li').allInnerTexts()]).toEqual([path, []])
      await page.close()
    }
    const { page } = await openXRay(example.url, '/', faults)
    const strays = await page.locator('.sw-strays li em').allInnerTexts()
    expect(new Set(strays)).toEqual(new Set(['accent', 'lead', 'space-3']))
    await page.close()
  })

  it('index.json has pages, components with frames, and tokens', async () => {
    const index = (await (await fetch(`${example.url}/styleguide/index.json`)).json()) as StyleguideIndex
    expect(index.pages.map(({ title }) => title)).toContain('Colors')
    expect(index.components.map(({ title }) => title)).toContain('Card')
    expect(index.tokens.sets.base.sources[0]).toMatchObject({
      color: { accent: { $type: 'color', $value: { hex: '#7d2c1b' } } },
    })
    for (const { variants } of index.components)
      for (const { href } of variants) expect((await fetch(example.url + href)).status).toBe(200)
  })
})

describe('X-ray of the example', () => {
  let example: RunningExample
  beforeAll(async () => {
    example = await startExample('vite-hono', { STYLEGUIDE_ENABLED: 'true', STYLEGUIDE_XRAY: 'true' })
  })
  afterAll(() => example?.close())
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))

  const narrow = { viewport: { width: 390, height: 844 }, hasTouch: true }
  const open = (css = faults, options?: BrowserContextOptions) => openXRay(example.url, '/', css, options)
  const selected = (page: Page) => page.locator('.sw-card h2 code')
  const hasText = (page: Page, text: string) => expect.poll(() => selected(page).textContent()).toBe(text)

  it('a link that is stretched over its card does not hide what is below it', async () => {
    const { page, frame } = await open()
    for (const [selector, name] of [
      ['.card-summary', 'p.card-summary'],
      ['.card h3 a', 'a'],
      ['.card img', 'img'],
    ] as const) {
      await frame.locator(selector).first().scrollIntoViewIfNeeded()
      await frame.locator(selector).first().hover({ force: true })
      await hasText(page, name)
    }
  })

  it('each stray is reached by pointing at its number', async () => {
    const { page, frame } = await open()
    await frame.locator('.card-summary').first().scrollIntoViewIfNeeded()
    for (const [index, name] of ['p.kicker', 'div.card-text', 'p.card-summary'].entries()) {
      await page.locator('.sw-marks span').nth(index).hover()
      await hasText(page, name)
    }
  })

  it.each([1280, 390])('at %i pixels, labels cover neither each other nor the texts of the page', async (width) => {
    const { page, frame } = await open(faults, { ...narrow, viewport: { width, height: 900 } })
    await frame.locator('.card h3').first().scrollIntoViewIfNeeded()
    const labels = () =>
      page
        .locator('.sw-marks span')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as Rectangle))
    const texts = async () => {
      const { x, y } = (await page.locator('iframe').boundingBox()) ?? { x: 0, y: 0 }
      return (await frame.evaluate(textRectangles)).map((box) => ({ ...box, x: box.x + x, y: box.y + y }))
    }
    await expect.poll(async () => (await labels()).length).toBe(3)
    await expect.poll(async () => overlapping(await labels(), await texts())).toEqual([])
    expect((await labels()).every(({ x, width: own }) => x + own <= width)).toBe(true)
  })

  it.each([
    ['clean', ''],
    ['faulty', faults],
  ])('the numbers of a %s page add up, and lengths have one unit', async (_, css) => {
    const { page } = await open(css)
    const numbers = async (selector: string) =>
      ((await page.locator(selector).innerText()).match(/^\d+ of \d+|^\d+|\d+ (?=is|are near)/g) ?? [])
        .join(' ')
        .match(/\d+/g)
    const [strays] = ((await numbers('.sw-side .sw-count')) ?? []).map(Number)
    const [tokens, all, others = 0] = ((await numbers('.sw-side [role=status]')) ?? []).map(Number)
    expect((tokens ?? 0) + (strays ?? 0) + others).toBe(all)
    const lines = (await page.locator('.sw-strays li span').allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' ').trim(),
    )
    expect(lines).toEqual(css ? ['#7e2d1c → accent ΔE 0.3', '13 px → space-3 12 px', '18.5 px → lead 18 px'] : [])
  })

  it('the card is beside its element, and all parts of the page are links to their pages', async () => {
    const { page, frame } = await open()
    await page.locator('.sw-strays button').last().click()
    const [card, { y: top, height } = { y: 0, height: 0 }] = await Promise.all([
      page.locator('.sw-card').boundingBox(),
      frame
        .locator('.card-summary')
        .first()
        .boundingBox()
        .then((box) => box ?? undefined),
    ])
    const gaps = [(card?.y ?? 0) - (top + height), top - ((card?.y ?? 0) + (card?.height ?? 0))]
    expect(Math.max(...gaps)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...gaps)).toBeLessThan(24)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp') // the whole card, which leaves little room below it
    await hasText(page, 'article.card')
    const isWhole = () =>
      page.locator('.sw-card').evaluate(({ scrollHeight, clientHeight }) => scrollHeight === clientHeight)
    await expect.poll(isWhole).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight') // larger than the window
    await hasText(page, 'main')
    await expect
      .poll(() =>
        page.locator('.sw-card').evaluate((card) => {
          const { top, bottom } = card.getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight
        }),
      )
      .toBe(true)
    const links = page.locator('.sw-made a')
    const names = (await links.allInnerTexts()).map((text) => text.replace(/\s+\d+$/, ''))
    expect(names).toEqual(expect.arrayContaining(['ink', 'accent', 'lead', 'space-4', 'Card', 'Masthead', 'Footer']))
    const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
    for (const address of new Set(addresses)) expect((await fetch(address)).status).toBe(200)
  })

  it('a narrow window has a tab for the card and one for the strays', async () => {
    const { page } = await open(faults, narrow)
    const [point, strays] = [page.getByRole('radio', { name: 'Point' }), page.getByRole('radio', { name: '3 strays' })]
    const isShown = async () => [
      await page.locator('.sw-strays').isVisible(),
      await page.locator('.sw-card').isVisible(),
    ]
    expect(await strays.isChecked()).toBe(true)
    await expect.poll(isShown).toEqual([true, false])
    expect(await page.locator('.sw-side').evaluate((side) => getComputedStyle(side).borderInlineStartWidth)).toBe('0px')
    await page.locator('.sw-strays button').first().tap()
    await expect.poll(isShown).toEqual([false, true])
    expect(await point.isChecked()).toBe(true)
    await page.locator('.sw-tabs').getByText('3 strays').tap()
    await expect.poll(isShown).toEqual([true, false])
    expect(await strays.isChecked()).toBe(true)
  })

  it('the arrow keys work after a point and after a click in the list', async () => {
    const { page, frame } = await open()
    await frame.locator('.section-title').first().scrollIntoViewIfNeeded()
    await frame.locator('.section-title').first().hover()
    await hasText(page, 'h2.section-title')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => selected(page).textContent()).not.toBe('h2.section-title')
    await page.locator('.sw-strays button').last().click()
    await hasText(page, 'p.card-summary')
    await page.keyboard.press('ArrowUp')
    await hasText(page, 'div.card-text')
    await page.keyboard.press('ArrowDown')
    await hasText(page, 'p.kicker')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.sw-card').isVisible()).toBe(false)
    expect(await page.locator('.sw-side').innerText()).toMatch(/out[\s\S]*in[\s\S]*beside[\s\S]*pin/)
  })

  it('the arrow keys pass over what is clipped or outside of the page', async () => {
    const { page } = await open('.masthead { position: absolute; left: -9999px }')
    await page.locator('.sw-stage-x').focus()
    const names: (string | null)[] = []
    for (const key of ['ArrowDown', ...Array.from({ length: 8 }, () => 'ArrowRight')]) {
      await page.keyboard.press(key)
      names.push(await selected(page).textContent())
    }
    expect(names.filter((name) => name?.includes('skip') || name?.includes('masthead'))).toEqual([])
    expect(names).toContain('main')
  })
})

interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

// Runs in the page, so it uses nothing from this file.
function textRectangles(): (Rectangle & { text: string })[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: (Rectangle & { text: string })[] = []
  while (walker.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    for (const { x, y, width, height } of range.getClientRects())
      if (width > 0) found.push({ x, y, width, height, text: range.toString().slice(0, 30) })
  }
  return found
}

/** Names the labels that cover another label or a text. */
function overlapping(labels: Rectangle[], texts: (Rectangle & { text: string })[]): string[] {
  const meets = (a: Rectangle, b: Rectangle) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
  return labels.flatMap((label, at) => [
    ...labels.slice(at + 1).flatMap((other, after) => (meets(label, other) ? [`${at} and ${at + 1 + after}`] : [])),
    ...texts.flatMap((text) => (meets(label, text) ? [`${at} on ${text.text}`] : [])),
  ])
}
