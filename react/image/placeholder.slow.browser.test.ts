import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToChromium } from '../../test/browser/chromium.js'
import {
  names,
  oklabError,
  pageOf,
  plainImage,
  showsPage,
  size,
  startPlaceholderSite,
} from './testing/placeholder-site.js'

let site: Awaited<ReturnType<typeof startPlaceholderSite>>
let browser: Browser
beforeAll(async () => {
  site = await startPlaceholderSite()
  browser = await connectToChromium()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const clip = { x: 0, y: 0, ...size }

async function open(html: string, use: (page: Page) => Promise<void>, waitUntil: 'commit' | 'load' = 'commit') {
  site.pages['/'] = pageOf(html)
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } })
  const consoleMessages: string[] = []
  page.on('console', (message) => consoleMessages.push(message.text()))
  await page.goto(site.url, { waitUntil })
  await page.waitForSelector('img')
  await use(page)
  expect(consoleMessages.filter((text) => !/favicon|404/.test(text))).toEqual([])
  await page.close()
}
const backgroundOf = (page: Page, selector = 'img') =>
  page.$eval(selector, (element) => getComputedStyle(element).backgroundImage)

describe('a placeholder', () => {
  it.each(names)(
    'the placeholder of %s looks like the blurred photograph, under a strict policy and without a request',
    async (name) => {
      await open(site.imageOf('/hangs', name), async (page) => {
        expect(await oklabError(await page.screenshot({ clip }), site.photos[name].blurred)).toBeLessThan(6)
        const requests = await page.evaluate(() =>
          performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
        )
        expect(requests.filter((path) => !/favicon/.test(path))).toEqual(['/site.css', '/placeholder.css'])
        expect(await page.$$('[style], style, script')).toEqual([])
      })
    },
  )

  it('the placeholder leaves no trace after an opaque image has loaded', async () => {
    const shots: Buffer[] = []
    for (const html of [site.imageOf('/black-canyon.png', 'nagasaki-boats'), plainImage('/black-canyon.png')]) {
      await open(html, async (page) => void shots.push(await page.screenshot()), 'load')
    }
    expect(shots[0]?.equals(shots[1] as Buffer)).toBe(true)
  })

  it('the layout does not shift and the background does not flash while the image arrives slowly', async () => {
    await open(site.imageOf('/black-canyon.png?slowly', 'black-canyon'), async (page) => {
      const shifts = page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
            }).observe({ type: 'layout-shift', buffered: true })
            const end = () => setTimeout(() => resolve(sum), 200)
            // On a busy machine, the image has arrived before this is evaluated.
            if (document.readyState === 'complete') end()
            else addEventListener('load', end)
          }),
      )
      for (let isComplete = false; !isComplete; ) {
        isComplete = await page.$eval('img', (image) => (image as HTMLImageElement).complete)
        const shot = await page.screenshot({ clip })
        expect(await showsPage(shot)).toBe(false)
        expect(await oklabError(shot, site.photos['black-canyon'].blurred)).toBeLessThan(16)
      }
      expect(await shifts).toBe(0)
    })
  })

  it.each([
    ['class="object-contain"', 'Tailwind’s class'],
    ['class="md:object-scale-down"', 'Tailwind’s class with a variant'],
    ['class="bars"', 'a rule of the site, background: none'],
  ])('the placeholder is not painted with %s: %s', async (attribute) => {
    await open(site.imageOf('/hangs', 'black-canyon', attribute), async (page) =>
      expect(await backgroundOf(page)).toBe('none'),
    )
  })

  it('the placeholder is neither printed nor painted in forced colors', async () => {
    await open(site.imageOf('/hangs', 'black-canyon'), async (page) => {
      expect(await backgroundOf(page)).toContain('radial-gradient')
      await page.emulateMedia({ media: 'print' })
      expect(await backgroundOf(page)).toBe('none')
      await page.emulateMedia({ media: 'screen', forcedColors: 'active' })
      expect(await backgroundOf(page)).toBe('none')
    })
  })

  it('an image within an element with a placeholder does not inherit the placeholder', async () => {
    const inner = site.imageOf('/hangs', 'black-canyon')
    const nested = `<div data-lq="${site.photos['nagasaki-boats'].placeholder}">${inner}${plainImage('/hangs', 'id="none"')}</div>`
    let backgroundAlone = ''
    await open(inner, async (page) => {
      backgroundAlone = await backgroundOf(page)
    })
    await open(nested, async (page) => {
      expect(await backgroundOf(page)).toBe(backgroundAlone)
      expect(await backgroundOf(page, '#none')).toBe('none')
      expect(await backgroundOf(page, 'div')).toBe('none')
    })
  })

  it.each(names)('the text of a broken image is legible on the placeholder of %s', async (name) => {
    const broken = site.imageOf('/missing', name).replace('alt=""', 'alt="A boat in the harbor of Nagasaki"')
    await open(
      broken,
      async (page) => {
        const style = await page.$eval('img', (image) => {
          const { color, textShadow } = getComputedStyle(image)
          return { color, halo: textShadow.match(/rgb\([^)]*\)/g) }
        })
        expect(style.color).toBe('rgb(0, 0, 0)')
        expect(new Set(style.halo)).toEqual(new Set(['rgb(255, 255, 255)']))
      },
      'load',
    )
  })
})
