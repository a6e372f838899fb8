import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { describeColor } from '../../../core/styleguide/internal.js'
import { palette, serveStyleguide } from '../testing/scripted-site.js'

const { open } = serveStyleguide()

describe('a click on a color', () => {
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  const red = '#color-odd-ok'

  it('copies its value, or its hex, and announces it', async () => {
    const page = await open('foundations/colors', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.click(`${red} .sw-copy`)
    await page.waitForSelector('.sw-toast:text("Copied oklch(63.7% 0.237 25.331)")')
    expect(await clipboard(page)).toBe('oklch(63.7% 0.237 25.331)')
    await page.click(`${red} .sw-copy`, { modifiers: ['Shift'] })
    await page.waitForSelector('.sw-toast:text("Copied #fb2c36")')
    expect(await clipboard(page)).toBe('#fb2c36')
    await page.focus('#color-odd-far .sw-copy')
    await page.keyboard.press('Shift+Enter')
    await page.waitForSelector('.sw-toast:text("Copied oklch(0.7 0.3 30)")') // it has no hex
    expect(await page.getAttribute('.sw-toast', 'role')).toBe('status')
  })

  it('selects the value if the browser denies copying', async () => {
    const deny = (page: Page) =>
      page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined }) // as on http://192.0.2.1
      })
    const page = await open('foundations/colors', {}, deny)
    await page.click(`${red} .sw-copy`)
    await page.waitForSelector('.sw-toast:text("Could not copy")')
    expect(await page.evaluate(() => String(getSelection()))).toBe('oklch(63.7% 0.237 25.331)')
  })
})

it('the button to copy covers the paint', async () => {
  const page = await open('foundations/colors')
  const boxOf = (selector: string) => page.locator(`#color-odd-ok ${selector}`).boundingBox()
  expect(await boxOf('.sw-copy')).toEqual(await boxOf('.sw-paint'))
  await page.focus('#color-odd-ok .sw-copy')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  const outline = await page.$eval('#color-odd-ok .sw-copy', (button) => getComputedStyle(button).outlineStyle)
  expect(outline).toBe('solid')
})

describe('a color that only a browser can resolve', () => {
  const labels = (page: Page) =>
    page.$$eval('.sw-painted', (labels) =>
      Object.fromEntries(
        labels.map((label) => [label.parentElement?.id.replace('color-seen-', ''), label.textContent]),
      ),
    )

  it('is labelled with what the browser paints, in each color scheme', async () => {
    const page = await open('foundations/colors', { colorScheme: 'light' })
    await page.waitForSelector('.sw-painted:not(:empty)')
    const light = {
      only: '#663399',
      wrong: '',
      missing: 'not a color on this page',
      half: '#66339980',
      far: 'outside sRGB',
      split: '#663399',
    }
    expect(await labels(page)).toEqual(light)
    await page.check('#sw-dark', { force: true })
    expect(await labels(page)).toEqual({ ...light, split: '#ff0000' })
    await page.check('#sw-system', { force: true })
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await labels(page)).toEqual(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(() => document.querySelector('#color-seen-split .sw-painted')?.textContent === '#ff0000')
  })

  it('is copied as hex with Shift', async () => {
    const page = await open('foundations/colors', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.waitForSelector('.sw-painted:not(:empty)')
    await page.click('#color-seen-only .sw-copy', { modifiers: ['Shift'] })
    await page.waitForSelector('.sw-toast:text("Copied #663399")')
  })
})

it('a name that just fills its line has no empty second line', async () => {
  const page = await open('foundations/colors')
  const heights = await page.$eval('.sw-swatch-name', (link) => {
    link.textContent = 'x'
    const line = link.getBoundingClientRect().height
    return Array.from({ length: 60 }, (_, length) => {
      link.textContent = 'x'.repeat(length + 1)
      const text = document.createRange()
      text.selectNodeContents(link)
      const lines = new Set(Array.from(text.getClientRects(), ({ top }) => Math.round(top))).size
      return link.getBoundingClientRect().height - lines * line
    })
  })
  expect(heights.every((difference) => Math.abs(difference) < 1)).toBe(true)
})

describe('contrast on a custom background', () => {
  const measured = (page: Page) =>
    page.$$eval('.sw-swatch', (swatches) =>
      Object.fromEntries(
        swatches.map((swatch) => [swatch.id, swatch.querySelector('.sw-custom dd')?.textContent.trim()]),
      ),
    )
  const onServer = (background: string) =>
    [...Object.entries(palette.gray), ...Object.entries(palette.odd)].map(([shade, value]) => {
      const { ratio, level } = describeColor(value, background)?.onBackground ?? { ratio: Number.NaN, level: '' }
      const group = shade in palette.gray ? 'gray' : 'odd'
      return [`color-${group}-${shade}`, `${ratio.toFixed(2)} ${level === 'none' ? '' : level}`.trim()]
    })

  it.each(['#ffffff', '#f6f1e6', '#808080', '#0000ff'])('on %s agrees with the server', async (background) => {
    const page = await open('foundations/colors')
    await page.fill('.sw-picker input', background)
    expect(await measured(page)).toMatchObject(Object.fromEntries(onServer(background)))
    expect(await page.textContent('#color-gray-500 .sw-custom dt')).toBe(`Contrast on ${background}`)
  })

  it('is shown on each of the page’s colors, also for colors that only a browser can resolve', async () => {
    const page = await open('foundations/colors', { colorScheme: 'light' })
    await page.selectOption('.sw-picker select', { label: 'seen-scheme' })
    const onWhite = await measured(page)
    expect(onWhite).toMatchObject(Object.fromEntries(onServer('#ffffff')))
    expect(onWhite['color-seen-only']).toBe('8.40 AAA')
    expect(onWhite['color-seen-wrong']).toBeUndefined()
    expect(await page.$$('#color-gray-500 .sw-contrast > div')).toHaveLength(3)

    await page.check('#sw-dark', { force: true })
    expect(await measured(page)).toMatchObject(Object.fromEntries(onServer('#000000')))

    await page.check('#sw-system', { force: true })
    expect(await measured(page)).toMatchObject(onWhite)

    await page.selectOption('.sw-picker select', { label: 'odd-half' }) // composited over the page’s background
    expect(await measured(page)).toMatchObject(Object.fromEntries(onServer('rgb(255 127.5 127.5)')))
    await page.selectOption('.sw-picker select', { index: 0 })
    expect(await page.$$('.sw-custom')).toEqual([])
  })
})
