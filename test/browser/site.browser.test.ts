import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeSource } from '../../core/image/url.js'
import { connectToChromium } from './chromium.js'
import { exampleUrl } from './examples.js'
import { areImagesComplete, decodePictures, scrollThrough } from './in-page.js'

const paths = ['/', '/articles', '/about', '/de']
let origin: string
let browser: Browser

beforeAll(async () => {
  ;[origin, browser] = await Promise.all([exampleUrl('vite-hono'), connectToChromium()])
  const list = await (await fetch(`${origin}/articles`)).text()
  paths.push(...new Set([...list.matchAll(/href="(\/articles\/[^"]+)"/g)].map(([, href]) => href as string)))
}, 200_000)

afterAll(() => browser?.close())

/** Opens a page, scrolls through it as a reader does, and records errors, failed requests and layout shifts. */
async function readPage(page: Page, url: string) {
  const complaints: string[] = []
  const types = new Map<string, string>()
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('response', (response) => {
    types.set(response.url(), response.headers()['content-type'] ?? '')
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  await page.addInitScript(() => {
    Object.assign(globalThis, { layoutShift: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        ;(globalThis as unknown as { layoutShift: number }).layoutShift += (entry as unknown as { value: number }).value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.evaluate(scrollThrough)
  await page.waitForFunction(areImagesComplete)
  const layoutShift = await page.evaluate(() => (globalThis as unknown as { layoutShift: number }).layoutShift)
  return { complaints, types, layoutShift }
}

const originalWidths = new Map<string, Promise<number>>()

/** Width of the original of an image, in pixels. */
function originalWidth(src: string): Promise<number> {
  const source = decodeSource(/_image\/([\w-]+)/.exec(src)?.[1] ?? '') ?? ''
  const file = new URL(`../../examples/site${source}`, import.meta.url).pathname
  const knownWidth =
    originalWidths.get(file) ??
    sharp(file)
      .metadata()
      .then(({ width }) => width)
  originalWidths.set(file, knownWidth)
  return knownWidth
}

// Each width and each density once, and two articles: the others have the same layout.
const windows = [
  { width: 390, density: 2 },
  { width: 1280, density: 1 },
]

it.each(windows)(
  'at $width pixels and density $density, pages are still, silent and sharp',
  async ({ width, density }) => {
    for (const path of paths.slice(0, 6)) {
      const context = await browser.newContext({ viewport: { width, height: 800 }, deviceScaleFactor: density })
      const page = await context.newPage()
      const { complaints, types, layoutShift } = await readPage(page, origin + path)
      expect({ path, complaints, layoutShift }).toEqual({ path, complaints: [], layoutShift: 0 })

      const pictures = await page.evaluate(decodePictures)
      expect(pictures.length, path).toBeGreaterThan(0)
      for (const { src, width, naturalWidth } of pictures) {
        const needed = Math.min(Math.floor(width * density), await originalWidth(src))
        expect(naturalWidth, `${path}: ${src} in ${width} CSS pixels`).toBeGreaterThanOrEqual(needed)
        expect(types.get(src), src).toMatch(/^image\/(?:avif|webp)$/)
      }
      await context.close()
    }
  },
  240_000,
)

it('the first picture of a page is preloaded, and no URL is requested twice', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const requestedUrls: string[] = []
  page.on('request', (request) => requestedUrls.push(request.url()))
  await page.goto(origin, { waitUntil: 'networkidle' })
  const media = await page.$$eval('link[rel=preload][as=image]', (links) =>
    links.map((link) => (link as HTMLLinkElement).media),
  )
  const matches = await page.evaluate((queries) => queries.filter((query) => matchMedia(query).matches), media)
  expect(matches).toHaveLength(1)
  const pictures = requestedUrls.filter((url) => url.includes('/_image/'))
  expect(pictures.length).toBeGreaterThan(0)
  expect(pictures).toEqual([...new Set(pictures)])
  await page.close()
})

it('the site works without JavaScript', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(origin, { waitUntil: 'networkidle' })
  expect(await page.locator('img').count()).toBeGreaterThan(0)
  expect(await page.locator('h1').innerText()).not.toBe('')
  await page.close()
})
