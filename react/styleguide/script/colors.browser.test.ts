import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findViolations } from '../../../test/browser/styleguide.js'
import { serveStyleguide } from '../testing/scripted-site.js'

const { open, urlOf } = serveStyleguide()
const red = '#color-odd-ok'
const openDetails = (page: Page) =>
  page.$$eval('.sw-detail', (details) =>
    details.filter((detail) => detail.checkVisibility()).map((detail) => detail.querySelector('strong')?.textContent),
  )

describe('a swatch', () => {
  it('a swatch opens its detail without scrolling, and closes it on a second click', async () => {
    const page = await open('foundations/colors')
    await page.locator(red).scrollIntoViewIfNeeded() // so that the click does not scroll
    const scrollBefore = await page.evaluate(() => scrollY)
    await page.click(red)
    expect([await openDetails(page), page.url()]).toEqual([['odd-ok'], urlOf(`foundations/colors${red}`)])
    expect(await page.evaluate(() => scrollY)).toBe(scrollBefore)
    await page.click('#color-gray-500')
    expect(await openDetails(page)).toEqual(['gray-500'])
    await page.click('#color-gray-500')
    expect([await openDetails(page), page.url()]).toEqual([[], urlOf('foundations/colors')])
    await page.click(red)
    await page.click(`${red} + .sw-detail .sw-close`)
    expect(await openDetails(page)).toEqual([])
  })

  it('a swatch in the address is open, and may be closed', async () => {
    const page = await open(`foundations/colors${red}`)
    expect(await openDetails(page)).toEqual(['odd-ok'])
    await page.click('#color-gray-500')
    expect(await openDetails(page)).toEqual(['gray-500'])
    await page.click('#color-gray-500')
    expect(await openDetails(page)).toEqual([])
  })

  it('a swatch is reached and opened with the keyboard', async () => {
    const page = await open('foundations/colors')
    await page.focus('#color-gray-50')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    expect(await openDetails(page)).toEqual(['gray-400'])
    expect(await page.getAttribute('#color-gray-400', 'aria-expanded')).toBe('true')
    await page.keyboard.press('Escape')
    expect(await openDetails(page)).toEqual([])
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('color-gray-400')
  })

  it.each([390, 1280])(
    'an open detail has its own row, and moves no swatch of the rows above, at %d pixels',
    async (width) => {
      const page = await open('foundations/modes', { viewport: { width, height: 2000 } })
      const boxes = () =>
        page.$$eval('.sw-chip', (chips) => chips.map((chip) => chip.getBoundingClientRect().toJSON() as DOMRect))
      const before = await boxes()
      await page.click('#color-ink')
      const after = await boxes()
      const rowOf = before.filter(({ top }) => top === before[1]?.top)
      expect(after.slice(0, rowOf.length)).toEqual(rowOf)
      const detail = await page.locator('#color-ink + .sw-detail').boundingBox()
      expect([detail?.x, detail?.width]).toEqual([before[0]?.left, (rowOf.at(-1)?.right ?? 0) - (before[0]?.left ?? 0)])
    },
  )

  it.each([
    ['with', true],
    ['without', false],
  ])(
    'a detail is as wide as the palette, also if groups share a line, and no swatch of the line moves, %s the script',
    async (_, javaScriptEnabled) => {
      const page = await open('foundations/roles', { viewport: { width: 1280, height: 3000 }, javaScriptEnabled })
      const chips = page.locator('.sw-chip')
      const boxes = async () => Promise.all((await chips.all()).map((chip) => chip.boundingBox()))
      const before = await boxes()
      const palette = await page.locator('.sw-palette').boundingBox()
      for (const [index, id] of ['primary-on', 'secondary-container', 'inverse'].entries()) {
        await page.click(`#color-${id}`)
        const after = await boxes()
        const count = index < 2 ? 8 : 16
        expect(after.slice(0, count)).toEqual(before.slice(0, count))
        expect(new Set(after.slice(count - 8, count).map((box) => box?.y)).size).toBe(1)
        const detail = await page.locator(`#color-${id} + .sw-detail`).boundingBox()
        expect([detail?.x, detail?.width]).toEqual([palette?.x, palette?.width])
        expect(detail?.y).toBeGreaterThan((after[count - 1]?.y ?? 0) + (after[count - 1]?.height ?? 0) - 1)
      }
      expect(await openDetails(page)).toEqual(['inverse'])
      if (!javaScriptEnabled) return
      await page.$eval('.sw-trial', (trial) => trial.remove()) // shows pairs that fail, for example
      expect(await findViolations(page)).toEqual([])
    },
  )

  it('a swatch under the pointer shows that it opens', async () => {
    const page = await open('foundations/roles')
    await page.hover('#color-secondary')
    const decorationOf = (id: string) => page.$eval(id, (chip) => getComputedStyle(chip).textDecorationLine)
    expect(await decorationOf('#color-secondary')).toBe('underline')
    expect(await decorationOf('#color-primary')).toBe('none')
  })

  it('the values of a row are on one line, also if a name of the row has two', async () => {
    const page = await open('foundations/roles')
    const lines = await page.$$eval('#colors-surface ~ ul .sw-chip', (all) =>
      all.map((chip) => [...chip.querySelectorAll('small')].map((value) => value.getBoundingClientRect().y)),
    )
    expect(new Set(lines.map(String)).size).toBe(1)
    expect(lines[0]).toHaveLength(2)
  })
})

describe('one color on another', () => {
  const answers = (page: Page) =>
    page.$$eval<string[], HTMLElement>('.sw-trial output p', (texts) =>
      texts.map(({ innerText }) => innerText.replace(/\s+/g, ' ')),
    )
  const pairOf = (page: Page) =>
    Promise.all(['text', 'ground'].map((name) => page.inputValue(`.sw-trial [name=${name}]`)))
  const groundOf = (page: Page) => page.getAttribute('.sw-trial .sw-light .sw-painted > svg > rect', 'fill')

  it('without JavaScript, the server shows the chosen pair, its verdicts and the nearest text that passes', async () => {
    const page = await open('foundations/modes', { javaScriptEnabled: false })
    await page.selectOption('.sw-trial [name=text]', 'accent')
    await page.selectOption('.sw-trial [name=ground]', 'paper')
    await page.click('.sw-trial button')
    await page.waitForURL(urlOf('foundations/modes?text=accent&ground=paper#try'))
    expect(await answers(page)).toEqual(['4.3 For headings only. Use accent-strong 7.0', '7.5 Good for every text.'])
    expect(await page.isVisible('.sw-trial > .sw-small')).toBe(false)
    const verdicts = await page.$$eval('.sw-trial .sw-light output > .sw-painted > span .sw-painted > span', (lines) =>
      lines.map((line) => line.textContent),
    )
    expect([verdicts, await groundOf(page)]).toEqual([['✓ passes', '✕ needs 4.5', '✕ needs 4.5'], '#fbf6ec'])
    await page.click('.sw-trial output a')
    await page.waitForURL(urlOf('foundations/modes?text=accent-strong&ground=paper#try'))
    expect(await pairOf(page)).toEqual(['accent-strong', 'paper'])
  })

  it('two colors are chosen with the keyboard, and the address keeps them', async () => {
    const page = await open('foundations/modes')
    await page.focus('.sw-trial [name=text]')
    await page.keyboard.type('accent')
    await page.keyboard.press('Tab')
    await page.keyboard.type('paper')
    expect(await answers(page)).toEqual(['4.3 For headings only. Use accent-strong 7.0', '7.5 Good for every text.'])
    expect([page.url(), await page.isVisible('.sw-trial button')]).toEqual([
      urlOf('foundations/modes?text=accent&ground=paper#try'),
      false,
    ])
    await page.focus('.sw-trial output a')
    await page.keyboard.press('Enter')
    expect(await pairOf(page)).toEqual(['accent-strong', 'paper'])
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
    await page.reload()
    expect(await pairOf(page)).toEqual(['accent-strong', 'paper'])
  })

  it('a swatch is dropped on another', async () => {
    const page = await open('foundations/modes')
    await page.dragAndDrop('#color-ink-soft .sw-paint', '#color-line .sw-paint')
    expect(await answers(page)).toEqual(['4.2 For headings only. Use accent-strong 4.9', '5.2 Good for every text.'])
    expect([await groundOf(page), await page.locator('.sw-drop').count()]).toEqual(['#ddd0bb', 0])
    await page.click('.sw-trial a:text("Swap")')
    expect(await pairOf(page)).toEqual(['line', 'ink-soft'])
  })

  it('a static file shows the pair of the address by the script', async () => {
    const page = await open('foundations/modes?text=line&ground=ink', {}, (page) =>
      page.route('**/modes?*', async (request) => {
        await request.fulfill({ response: await request.fetch({ url: urlOf('foundations/modes') }) })
      }),
    )
    expect([await pairOf(page), await groundOf(page)]).toEqual([['line', 'ink'], '#2b211a'])
  })

  it('a name that no color has is named in a sentence, as text', async () => {
    const page = await open('foundations/modes?text=%3Cimg%20src=x%3E&ground=paper')
    expect(await page.textContent('.sw-trial > p')).toBe('No color here is called “<img src=x>”.')
    expect((await pairOf(page))[1]).toBe('paper')
  })
})

describe('a click on a value', () => {
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  it('a click on a value copies it, and announces it', async () => {
    const page = await open('foundations/colors', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.click('#color-odd-far')
    await page.click('#color-odd-far + .sw-detail .sw-copy >> nth=0')
    await page.waitForSelector('.sw-toast:text("Copied oklch(0.7 0.3 30)")')
    expect(await clipboard(page)).toBe('oklch(0.7 0.3 30)')
    await page.click('#color-odd-far + .sw-detail .sw-copy >> nth=1')
    await page.waitForSelector('.sw-toast:text("Copied #ff5843")') // without the sign ≈
    expect(await page.getAttribute('.sw-toast', 'role')).toBe('status')
  })

  it('a click on a value selects it if the browser denies copying', async () => {
    const deny = (page: Page) =>
      page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined }) // as on http://192.0.2.1
      })
    const page = await open('foundations/colors', {}, deny)
    await page.click(red)
    await page.click(`${red} + .sw-detail .sw-copy >> nth=0`)
    await page.waitForSelector('.sw-toast:text("Could not copy")')
    expect(await page.evaluate(() => String(getSelection()))).toBe('oklch(63.7% 0.237 25.331)')
  })
})
