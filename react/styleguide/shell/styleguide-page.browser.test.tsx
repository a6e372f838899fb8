import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToChromium } from '../../../test/browser/chromium.js'
import { bundleStyleguide } from '../../../test/browser/styleguide.js'
import { ColorPage, StyleguidePage, type StyleguideTree } from '../index.js'

const { css } = await bundleStyleguide()

it('the stylesheet has at most 22 KB, and its rules apply only to the styleguide', () => {
  expect(css.length).toBeLessThanOrEqual(22 * 1024)
  expect(gzipSync(css).length).toBeLessThanOrEqual(6_400)
  expect(css).not.toMatch(/url\(|@import|[{}](?:html|body|\*|:root(?!:has\([#.]sw-))/)
})

const paints: [value: string, painted: string][] = [
  ['#06c', 'rgb(0, 102, 204)'],
  ['RGB(255 0 0 / 50%)', 'rgba(255, 0, 0, 0.5)'],
  ['oklch(0.7 0.2 30)', 'oklch(0.7 0.2 30)'],
  ['color(display-p3 0 1 0)', 'color(display-p3 0 1 0)'],
  ['color-mix(in srgb, red, blue)', 'color(srgb 0.5 0 0.5)'],
  ['light-dark(red, blue)', 'rgb(255, 0, 0)'],
  ['var(--brand)', 'rgb(102, 51, 153)'],
  ['rgb(from red r g 255)', 'color(srgb 1 0 1)'],
  ['notacolor', 'none'],
  ['12', 'none'],
]
const colors = paints.map(([value], index) => ({ name: `c${index}`, value }))
const tree: StyleguideTree = {
  title: 'Styleguide',
  pages: [
    { title: 'Colors', content: <ColorPage colors={colors} /> },
    { title: 'A title that is long and-without-a-place-to-break-until-the-very-end-of-it-all' },
  ],
}

const roles = ['primary', 'secondary', 'tertiary', 'error', 'surface', 'inverse-surface'].flatMap((name) =>
  [name, `on-${name}`, `${name}-container`, `on-${name}-container`].map((name, index) => ({
    name,
    value: index % 2 ? '#222' : '#97f0ff',
  })),
)
const roleTree: StyleguideTree = {
  title: 'Roles',
  pages: [{ title: 'Foundations', pages: [{ title: 'Colors', content: <ColorPage colors={roles} /> }] }],
}

describe('in Chromium, without JavaScript, under a strict CSP', () => {
  let browser: Browser
  const violations: string[] = []
  const server = createServer((request, response) => {
    response.setHeader('Content-Security-Policy', "default-src 'self'")
    if (request.url === '/styleguide.css') {
      response.setHeader('Content-Type', 'text/css').end(`${css} :root { --brand: rebeccapurple } body { margin: 0 }`)
      return
    }
    const slug = request.url?.replace('/styleguide', '')
    const isRoles = slug === '/roles'
    const html = renderToStaticMarkup(<StyleguidePage tree={isRoles ? roleTree : tree} slug={isRoles ? '' : slug} />)
    const head = '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/styleguide.css">'
    response
      .setHeader('Content-Type', 'text/html; charset=utf-8')
      .end(`<!doctype html><html lang="en"><title>Test</title>${head}${html}`)
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, resolve))
    browser = await connectToChromium()
  })
  afterAll(async () => {
    await browser?.close()
    server.close()
  })

  async function open(path: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    page.on('console', (message) => violations.push(message.text()))
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/styleguide/${path}`)
    return page
  }

  it('every CSS color is painted, and an invalid color is not', async () => {
    const page = await open('colors', 1280)
    const fills = await page.$$eval('.sw-chip rect:only-child', (rects) =>
      rects.map((rect) => getComputedStyle(rect).fill),
    )
    const single = paints.filter(([value]) => !value.startsWith('light-dark'))
    expect(fills).toEqual(single.map(([, painted]) => painted))
    expect(violations).toEqual([])
    await page.context().close()
  })

  it('the styleguide and its colors follow the dark scheme', async () => {
    const page = await open('colors', 1280, 'dark')
    expect(await page.$eval('.sw-styleguide', (shell) => getComputedStyle(shell).backgroundColor)).toBe(
      'rgb(19, 21, 25)',
    )
    const bands = await page.$$eval('#color-c5 rect', (rects) => rects.map((rect) => getComputedStyle(rect).fill))
    expect(bands).toEqual(['rgb(255, 0, 0)', 'rgb(0, 0, 255)'])
    await page.context().close()
  })

  it.each([320, 390, 768, 1280, 1920])('every page fits into a window of %d pixels', async (width) => {
    for (const path of [
      '',
      'colors',
      'a-title-that-is-long-and-without-a-place-to-break-until-the-very-end-of-it-all',
      'x',
    ]) {
      const page = await open(path, width)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await page.context().close()
    }
  })

  it.each([390, 1280])(
    'in a window of %d pixels, no name on a stripe is cut, and a picture alone fills its row',
    async (width) => {
      const page = await open('roles', width)
      const names = await page.$$eval('.sw-stripes li', (stripes) =>
        stripes.map((stripe) => {
          const range = document.createRange()
          range.selectNodeContents(stripe.querySelector('span > span') as Element)
          const [outer, text] = [stripe.getBoundingClientRect(), range.getBoundingClientRect()]
          const isWhole =
            text.left >= outer.left && text.right <= outer.right && text.top >= outer.top && text.bottom <= outer.bottom
          return [range.toString(), isWhole]
        }),
      )
      expect(names).toHaveLength(8)
      expect(names.filter(([name, isWhole]) => !name || !isWhole)).toEqual([])
      const [list, picture] = await page.$$eval('.sw-pictures, .sw-picture', (elements) =>
        elements.map((element) => element.getBoundingClientRect()),
      )
      expect(picture?.width).toBe(list?.width)
      expect(picture?.height).toBeLessThanOrEqual(320)
      await page.context().close()
    },
  )

  it('the link of a swatch opens the detail of the color under its strip, and the link Close closes it', async () => {
    const page = await open('colors', 1280)
    const details = () =>
      page.$$eval('.sw-detail', (elements) => elements.filter((element) => element.checkVisibility()).length)
    expect(await details()).toBe(0)
    await page.click('#color-c0')
    expect(await details()).toBe(1)
    expect(await page.isVisible('#color-c0 + .sw-detail >> text=#06c')).toBe(true)
    await page.click('#color-c0 + .sw-detail .sw-close')
    expect(await details()).toBe(0)
    await page.context().close()
  })

  it('no letter of the title on the cover is cut, although its lines are lower than its letters', async () => {
    const page = await open('', 1280)
    const cuts = await page.$$eval('.sw-cover h1 :is(svg, foreignObject)', (boxes) =>
      boxes.filter((box) => getComputedStyle(box).overflow !== 'visible').map(({ tagName }) => tagName),
    )
    expect(await page.locator('.sw-cover h1 foreignObject').count()).toBe(1)
    expect(cuts).toEqual([])
    await page.context().close()
  })

  it('a small screen has a menu of the pages, and a large screen shows the pages beside the content', async () => {
    const small = await open('', 390)
    expect(await small.isVisible('.sw-nav')).toBe(false)
    await small.click('.sw-menu')
    await small.click('.sw-drawer button')
    expect(await small.isVisible('.sw-nav')).toBe(false)
    await small.click('.sw-menu')
    await small.click('.sw-nav >> text=Colors')
    await small.waitForSelector('h1:text-is("Colors")')
    await small.context().close()

    const large = await open('', 1280)
    expect(await large.isVisible('.sw-nav')).toBe(true)
    expect(await large.isVisible('.sw-menu')).toBe(false)
    await large.context().close()
  })
})
