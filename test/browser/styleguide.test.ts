import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningExample, startExample } from '../examples/start.js'
import { launchChromium } from './chromium.js'
import { checkScreenshot } from './screenshots.js'
import { findViolations } from './styleguide.js'

// The stored pictures are of one example; the other two show the same tree.
const examples = process.env.SCREENSHOTS === 'renew' ? ['vite-hono'] : ['vite-hono', 'vite-express', 'example-next']
interface View {
  width: number
  scheme: 'light' | 'dark'
}

const views: View[] = [390, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser?.close())

describe.each(examples)('the styleguide of %s', (name) => {
  let example: RunningExample
  let paths: string[]

  beforeAll(async () => {
    example = await startExample(name, { STYLEGUIDE_ENABLED: 'true' })
    const root = await (await fetch(`${example.url}/styleguide`)).text()
    paths = [...new Set([...root.matchAll(/href="(\/styleguide[^"#?]*)"/g)].map(([, href]) => href as string))]
  }, 200_000)
  afterAll(() => example?.close())

  it('has all its pages', () => {
    expect(paths.length).toBeGreaterThanOrEqual(10)
  })

  it.each(name === 'vite-hono' ? views : views.filter((_, index) => index === 0 || index === 3))(
    '$width pixels wide, $scheme: no complaint, no violation, nothing else than before',
    async (view) => {
      const context = await browser.newContext({
        viewport: { width: view.width, height: 900 },
        colorScheme: view.scheme,
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      const complaints = listen(page)
      const changes: (string | undefined)[] = []
      for (const path of paths) {
        await open(page, example.url + path, view)
        complaints.push(...(await findViolations(page)).map((violation) => `${path}: ${violation}`))
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (overflow > 0) complaints.push(`${path}: ${overflow} pixels wider than the window`)
        if (name === 'vite-hono') changes.push(await checkScreenshot(nameOf(path, view), await takePicture(page)))
      }
      await context.close()
      expect(complaints).toEqual([])
      expect(changes.filter(Boolean)).toEqual([])
    },
    240_000,
  )
})

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
    await Promise.all(images.map((image) => image.decode()))
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
