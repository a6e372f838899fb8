import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectToChromium } from './chromium.js'
import { exampleUrl } from './examples.js'

let url: string
let browser: Browser

beforeAll(async () => {
  ;[url, browser] = await Promise.all([exampleUrl('example-next'), connectToChromium()])
}, 120_000)

afterAll(() => browser?.close())

it.each([
  [390, 3],
  [1280, 1],
  [820, 2],
] as [width: number, density: number][])(
  'next/image with our loader at %i pixels and density %i requests no width that is refused',
  async (width, density) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, deviceScaleFactor: density })
    const page = await context.newPage()
    const answers: [number, string][] = []
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('response', (response) => {
      if (response.url().includes('/_image/'))
        answers.push([response.status(), response.headers()['content-type'] ?? ''])
    })
    for (const path of ['/', '/articles', '/articles/house-cat', '/de']) {
      await page.goto(url + path, { waitUntil: 'load' })
      // Lazy pictures too.
      await page.evaluate(async () => {
        for (const image of document.images) {
          image.loading = 'eager'
          await image.decode()
        }
      })
    }
    expect(answers.length).toBeGreaterThan(10)
    expect([...new Set(answers.map(String))]).toEqual(['200,image/avif'])
    expect(complaints).toEqual([])
    await context.close()
  },
  120_000,
)
