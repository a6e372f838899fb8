import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectToChromium } from './chromium.js'
import { exampleUrl } from './examples.js'
import { compareOutlines, type OutlinedElement, outlineOf } from './outline.js'
import { checkScreenshot } from './screenshots.js'
import { findViolations } from './styleguide.js'

interface View {
  width: number
  scheme: 'light' | 'dark'
}

// From narrow to wide, since a browser keeps an image that is larger than needed.
const views: View[] = [390, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))
// Both widths and both schemes.
const someViews = views.filter((_, index) => index === 0 || index === 3)

const isRenewal = process.env.SCREENSHOTS === 'renew'

let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser?.close())

async function pathsOf(name: string): Promise<string[]> {
  const root = await (await fetch(`${await exampleUrl(name)}/styleguide`)).text()
  return [...new Set([...root.matchAll(/href="(\/styleguide[^"#?]*)"/g)].map(([, href]) => href as string))]
}

/** Opens all pages of an example's styleguide, each once for all views, and returns the complaints. */
async function visitAll(
  name: string,
  views: readonly View[],
  look: (page: Page, path: string, view: View) => Promise<string[]>,
): Promise<string[]> {
  const origin = await exampleUrl(name)
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  const complaints: string[] = []
  listen(page, complaints)
  const paths = await pathsOf(name)
  // The site's fonts have `font-display: optional`, so they are used only when they are in the cache.
  await page.goto(origin + paths[0], { waitUntil: 'load' })
  for (const view of views.slice(0, 1)) await show(page, view)
  for (const path of paths) {
    await page.setViewportSize({ width: views[0]?.width ?? 0, height: 8_000 })
    await page.goto(origin + path, { waitUntil: 'load' })
    for (const view of views) {
      await show(page, view)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      const complaintsOfPage = overflow > 0 ? [`${overflow} pixels wider than the window`] : []
      complaintsOfPage.push(...(await look(page, path, view)))
      complaints.push(...complaintsOfPage.map((complaint) => `${keyOf(path, view)}: ${complaint}`))
    }
  }
  await page.close()
  return complaints
}

it.each(['vite-hono', 'vite-express', 'example-next'])(
  'the styleguide of %s has all its pages',
  async (name) => {
    expect((await pathsOf(name)).length).toBeGreaterThanOrEqual(10)
  },
  120_000,
)

// All pages have the same stylesheet, so half of them are searched for violations in each view.
const isChecked = (path: string, view: View) => view === someViews[path.length % 2]

/** Outlines of the pages of vite-hono, by view and path. */
const outlines = new Map<string, OutlinedElement[]>()

it('the styleguide of vite-hono has no errors and no violations, and matches its stored pictures', async () => {
  const complaints = await visitAll('vite-hono', isRenewal ? views : someViews, async (page, path, view) => {
    const picture = await takePicture(page)
    if (someViews.includes(view)) outlines.set(keyOf(path, view), await outlineOf(page))
    const [violations, change] = await Promise.all([
      isChecked(path, view) ? findViolations(page) : [],
      checkScreenshot(nameOf(path, view), picture),
    ])
    return change ? [...violations, change] : violations
  })
  expect(complaints).toEqual([])
}, 480_000)

// Stored pictures and axe-core are for one example.
it('the styleguide of vite-express has the same documents and stylesheets', async () => {
  const [express = '', hono = ''] = await Promise.all(['vite-express', 'vite-hono'].map(exampleUrl))
  const paths = await pathsOf('vite-express')
  expect(paths).toEqual(await pathsOf('vite-hono'))
  const fetchText = async (url: string) => {
    const response = await fetch(url)
    // A picture that was requested twice is encoded again, smaller.
    return {
      url: url.slice(url.indexOf('/', 8)),
      text: (await response.text()).replace(/[\d.]+ k?B|(?<=takes )\d+ %/g, '…'),
    }
  }
  for (const path of paths) {
    const [actual, expected] = await Promise.all([fetchText(express + path), fetchText(hono + path)])
    expect(actual).toEqual(expected)
    const stylesheets = expected.text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)
    for (const [, href = ''] of stylesheets)
      expect(await fetchText(express + href)).toEqual(await fetchText(hono + href))
  }
}, 120_000)

it('the styleguide of example-next has no errors, and the same elements as that of vite-hono', async () => {
  expect(await pathsOf('example-next')).toEqual(await pathsOf('vite-hono'))
  const complaints = await visitAll('example-next', someViews.slice(1), async (page, path, view) =>
    compareOutlines(await outlineOf(page), outlines.get(keyOf(path, view)) ?? []),
  )
  expect(complaints).toEqual([])
}, 240_000)

function keyOf(path: string, { width, scheme }: View): string {
  return `${width} ${scheme} ${path}`
}

function listen(page: Page, complaints: string[]): void {
  page.on('console', (message) => complaints.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error}`))
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
}

/** Shows a page in a view, first in a window so high that all lazy images load. */
async function show(page: Page, { width, scheme }: View): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.setViewportSize({ width, height: 8_000 })
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
    // All fonts, even if this page does not need them.
    const faces = [document, ...frames].flatMap((each) => [...(each?.fonts ?? [])])
    await Promise.all(faces.map((face) => face.load().catch(() => {})))
    const images = [document, ...frames].flatMap((each) => [...(each?.images ?? [])])
    for (const image of images) image.decoding = 'sync' // otherwise a screenshot may be taken before the image is painted
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
