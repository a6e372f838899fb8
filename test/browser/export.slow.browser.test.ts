import { readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createProject, listFiles, run } from '../../cli/testing/project.js'
import { listen } from '../adapter/listen.js'
import { connectToChromium } from './chromium.js'
import { exampleUrl } from './examples.js'
import { areImagesComplete, scrollThrough } from './in-page.js'

let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser?.close())

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
}
const path = '/some/where/'

/** Serves the files of a folder at a path, as a plain static server does. */
async function serveFolder(folder: string): Promise<string> {
  const server = await listen(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://static.test')
    const file = join(folder, decodeURIComponent(pathname).slice(path.length))
    const isFile = pathname.startsWith(path) && statSync(file, { throwIfNoEntry: false })?.isFile()
    const type = types[extname(file)] ?? 'application/octet-stream'
    response.writeHead(isFile ? 200 : 404, { 'Content-Type': type }).end(isFile ? readFileSync(file) : 'Not found')
  })
  onTestFinished(() => server.close())
  return `${server.url}${path}`
}

it.each(['vite-hono', 'example-next'])(
  'the styleguide of %s as static files has its pages, their search and their pictures',
  async (name) => {
    const folder = createProject({})
    const url = `${await exampleUrl(name)}/styleguide`
    expect(run(folder, ['styleguide', url, '--out', 'static'])).toMatchObject({ code: 0, stderr: '' })
    const base = await serveFolder(join(folder, 'static'))
    const pages = listFiles(join(folder, 'static')).filter((file) => file.endsWith('.html'))
    expect(pages.length).toBeGreaterThan(20)

    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${page.url()}: ${response.status()} ${response.url()}`)
    })
    page.on('requestfailed', (request) => complaints.push(`${page.url()}: ${request.url()}`))
    // Scripts and pictures are of a few kinds.
    for (const file of pages.filter((_, index) => index % 5 === 0)) {
      await page.goto(base + file, { waitUntil: 'load' })
      await page.evaluate(scrollThrough)
      await page.waitForFunction(areImagesComplete)
    }
    expect(complaints).toEqual([])

    await page.goto(`${base}components/card/index.html`)
    await page.fill('.sw-search input', '#7d2c1b')
    await page.click('.sw-found li a')
    await page.waitForURL(`${base}foundations/colors/index.html#color-*`)
    await page.click('.sw-nav >> text=Typography')
    await page.waitForURL(`${base}foundations/typography/index.html`)
    await page.close()
  },
  300_000,
)
