import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spacingStylesheet } from '../../core/spacing/index.js'
import { connectToChromium } from '../../test/browser/chromium.js'
import { Spacing } from './index.js'
import { allCases, findDeviations, measureSpacing, pageWith, props, single, sizes, viewports } from './testing/cases.js'

const files: Record<string, string> = {
  '/spacing.css': spacingStylesheet(),
  '/spacing.layer.css': spacingStylesheet({ layered: true }),
  '/site.css': ':root{--sw-small:20px}#subtree{--sw-large:1px}#vertical{writing-mode:vertical-rl}',
  // The file begins like the output of Tailwind.
  '/utilities.css': '@layer theme, base, components, utilities;@layer utilities{.mt-1{margin-block-start:4px}}',
}
const orders = {
  before: (file: string) => ['/preflight.css', file],
  after: (file: string) => [file, '/preflight.css'],
}

let server: Server
let browser: Browser
let origin: string

beforeAll(async () => {
  const preflight = await readFile(new URL('../../node_modules/tailwindcss/preflight.css', import.meta.url), 'utf8')
  files['/preflight.css'] = `@layer base{${preflight}}`
  for (const file of ['/spacing.css', '/spacing.layer.css']) {
    for (const [order, linksOf] of Object.entries(orders)) {
      files[`${file}/${order}`] = pageWith(linksOf(file), allCases())
    }
  }
  server = createServer((request, response) => {
    const content = files[request.url ?? '']
    response.writeHead(content === undefined ? 404 : 200, {
      'Content-Type': request.url?.endsWith('.css') ? 'text/css' : 'text/html',
      'Content-Security-Policy': "default-src 'none'; style-src 'self'",
    })
    response.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await connectToChromium()
}, 60_000)

afterAll(async () => {
  await browser?.close()
  server?.close()
})

async function open(path: string) {
  const page = await browser.newPage()
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('response', (response) => {
    // Chromium requests an icon by itself.
    if (response.status() >= 400 && !response.url().endsWith('/favicon.ico')) problems.push(response.url())
  })
  await page.goto(origin + path, { waitUntil: 'load' })
  const measure = (selector: string) => page.evaluate(measureSpacing, selector)
  return { page, measure, problems: () => problems.filter((text) => !text.includes('favicon')) }
}

it('there is a case for each of 12 props and 15 sizes, at six widths', () => {
  expect([props.length, sizes.length, single.length, viewports.length]).toEqual([12, 15, 180, 6])
})

describe.each(['/spacing.css', '/spacing.layer.css'])('%s, under a strict CSP', (file) => {
  it.each(Object.keys(orders))(
    'all cases are as specified with Tailwind’s preflight %s the stylesheet',
    async (order) => {
      const { page, measure, problems } = await open(`${file}/${order}`)
      for (const width of viewports) {
        await page.setViewportSize({ width, height: 800 })
        const deviations = findDeviations(await measure('body > *'), width)
        expect({ width, deviations }).toEqual({ width, deviations: [] })
      }
      expect(problems()).toEqual([])
      expect(await page.$$('[style], style, script')).toEqual([])
      await page.close()
    },
  )

  it.each(Object.keys(orders))(
    'custom properties of the page or of an element apply, if loaded %s the stylesheet',
    async (order) => {
      const links = order === 'before' ? ['/site.css', file] : [file, '/site.css']
      files[`${file}/scale/${order}`] = pageWith(
        links,
        <>
          <Spacing marginXs="small" paddingXs="large" />
          <section id="subtree">
            <Spacing marginXs="topSmall" paddingXs="large" />
          </section>
          <section id="vertical">
            <Spacing marginXs="topBase" />
          </section>
        </>,
      )
      const { page, measure } = await open(`${file}/scale/${order}`)
      expect(await measure('div')).toEqual([
        [20, 20, 64, 64],
        [20, 0, 1, 1],
        [32, 0, 0, 0],
      ])
      const right = await page.$eval('#vertical div', (element) => getComputedStyle(element).marginRight)
      expect(right).toBe('32px')
      await page.close()
    },
  )
})

it('Tailwind’s utilities override the layered file, but not the file without layers', async () => {
  for (const [file, start] of [
    ['/spacing.layer.css', 4],
    ['/spacing.css', 64],
  ] as const) {
    files[`${file}/utilities`] = pageWith(
      ['/utilities.css', '/preflight.css', file],
      <Spacing className="mt-1" marginXs="large" />,
    )
    const { page, measure } = await open(`${file}/utilities`)
    expect(await measure('div')).toEqual([[start, 64, 0, 0]])
    await page.close()
  }
})
