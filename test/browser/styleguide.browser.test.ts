import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToChromium } from './chromium.js'
import { exampleUrl } from './examples.js'
import { compareOutlines, type OutlinedElement, outlineOf } from './outline.js'
import { checkScreenshot } from './screenshots.js'
import { findViolations } from './styleguide.js'

interface View {
  width: number
  scheme: 'light' | 'dark'
}

const views: View[] = [390, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))

let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser?.close())

async function pathsOf(name: string): Promise<string[]> {
  const root = await (await fetch(`${await exampleUrl(name)}/styleguide`)).text()
  return [...new Set([...root.matchAll(/href="(\/styleguide[^"#?]*)"/g)].map(([, href]) => href as string))]
}

/** Opens all pages of an example's styleguide, one after the other, and returns what is wrong with any. */
async function visitAll(
  name: string,
  view: View,
  look: (page: Page, path: string) => Promise<string[]>,
): Promise<string[]> {
  const origin = await exampleUrl(name)
  const context = await browser.newContext({
    viewport: { width: view.width, height: 900 },
    colorScheme: view.scheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const complaints = listen(page)
  for (const path of await pathsOf(name)) {
    await open(page, origin + path, view)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 0) complaints.push(`${path}: ${overflow} pixels wider than the window`)
    complaints.push(...(await look(page, path)).map((complaint) => `${path}: ${complaint}`))
  }
  await context.close()
  return complaints
}

it.each(['vite-hono', 'vite-express', 'example-next'])(
  'the styleguide of %s has all its pages',
  async (name) => {
    expect((await pathsOf(name)).length).toBeGreaterThanOrEqual(10)
  },
  120_000,
)

/** Outlines of the pages of vite-hono, by view and path. */
const outlines = new Map<string, OutlinedElement[]>()

describe('the styleguide of vite-hono', () => {
  it.each(views)(
    '$width pixels wide, $scheme: no complaint, no violation, nothing else than before',
    async (view) => {
      const complaints = await visitAll('vite-hono', view, async (page, path) => {
        outlines.set(keyOf(path, view), await outlineOf(page))
        const picture = await takePicture(page)
        const [violations, change] = await Promise.all([
          findViolations(page),
          checkScreenshot(nameOf(path, view), picture),
        ])
        return change ? [...violations, change] : violations
      })
      expect(complaints).toEqual([])
    },
    240_000,
  )
})

// Stored pictures and axe-core are for one example: on the other two, every element has the same attributes, text, place,
// font and colors.
describe.each(['vite-express', 'example-next'])('the styleguide of %s', (name) => {
  it.each(views.filter((_, index) => index === 0 || index === 3))(
    '$width pixels wide, $scheme: no complaint, and every element as in the first example',
    async (view) => {
      expect(await pathsOf(name)).toEqual(await pathsOf('vite-hono'))
      const complaints = await visitAll(name, view, async (page, path) => {
        return compareOutlines(await outlineOf(page), outlines.get(keyOf(path, view)) ?? [])
      })
      expect(complaints).toEqual([])
    },
    240_000,
  )
})

function keyOf(path: string, { width, scheme }: View): string {
  return `${width} ${scheme} ${path}`
}

function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error}`))
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  return complaints
}

/** Opens a page in a window so high that nothing waits for its reader to come near. */
async function open(page: Page, url: string, { width }: View): Promise<void> {
  await page.setViewportSize({ width, height: 8_000 })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForFunction(() => {
    const frames = [...document.querySelectorAll('iframe')].map(({ contentDocument }) => contentDocument)
    return [document, ...frames].every(
      (each) =>
        each?.readyState === 'complete' &&
        each.URL !== 'about:blank' &&
        each.fonts.status === 'loaded' &&
        [...each.images].every((image) => image.complete && image.naturalWidth > 0),
    )
  })
  await page.setViewportSize({ width, height: 900 })
  await page.evaluate(async () => {
    const frames = [...document.querySelectorAll('iframe')].map(({ contentDocument }) => contentDocument)
    const images = [document, ...frames].flatMap((each) => [...(each?.images ?? [])])
    for (const image of images) image.decoding = 'sync' // else a picture may be taken before it is painted
    // A lazy image may choose another file meanwhile, which ends the first decode.
    await Promise.all(images.map((image) => image.decode().catch(() => image.decode())))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
}

function takePicture(page: Page): Promise<Buffer> {
  return page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })
}

function nameOf(path: string, { width, scheme }: View): string {
  const slug = path.replace(/^\/styleguide\/?/, '').replaceAll('/', '-') || 'home'
  return `${slug}-${width}-${scheme}`
}
