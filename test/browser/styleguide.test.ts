import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningExample, startExample } from '../examples/start.js'
import { launchChromium } from './chromium.js'
import { checkScreenshot } from './screenshots.js'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
// The stored pictures are of one example; the other two show the same tree.
const examples = process.env.SCREENSHOTS === 'renew' ? ['vite-hono'] : ['vite-hono', 'vite-express', 'example-next']
const views = [390, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))

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

  it.each(views)(
    '$width pixels wide, $scheme: no complaint, no barrier, nothing else than before',
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
        await open(page, example.url + path)
        complaints.push(...(await findBarriers(page)).map((barrier) => `${path}: ${barrier}`))
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

/** Opens a page with its fonts: the site's are optional, and there for sure only once they were asked for before. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle' })
  await page.evaluate(() => document.fonts.ready)
  await page.reload({ waitUntil: 'networkidle' })
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([document.fonts.ready, ...[...document.images].map((image) => image.decode().catch(() => {}))])
  })
}

async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run()
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    )
  })
}

function takePicture(page: Page): Promise<Buffer> {
  return page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })
}

function nameOf(path: string, { width, scheme }: { width: number; scheme: string }): string {
  const slug = path.replace(/^\/styleguide\/?/, '').replaceAll('/', '-') || 'home'
  return `${slug}-${width}-${scheme}`
}
