import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SpacingProps, type SpacingSize, spacingStylesheet } from '../../core/spacing/index.js'
import { connectToChromium } from '../../test/browser/chromium.js'
import { Spacing } from './index.js'

// The specification, repeated here: minimum width of each breakpoint and length of each size, in CSS pixels.
const breakpoints = { Xs: 0, Sm: 640, Md: 768, Lg: 1024, Xl: 1280, Xxl: 1536 }
const lengths = { ExtraSmall: 8, Small: 16, Base: 32, Large: 64, ExtraLarge: 96 }
const viewports = [360, 640, 768, 1024, 1280, 1536]

const kinds = ['margin', 'padding'] as const
const props = kinds.flatMap((kind) => Object.keys(breakpoints).map((name) => kind + name)) as (keyof SpacingProps)[]
const sizes = Object.keys(lengths).flatMap((name) => [
  name.charAt(0).toLowerCase() + name.slice(1),
  `top${name}`,
  `bottom${name}`,
]) as SpacingSize[]

const single = props.flatMap((prop) => sizes.map((size): SpacingProps => ({ [prop]: size })))
/** Elements with several props each, so many that every pair of props occurs; the same ones in every run. */
const mixed = Array.from({ length: 300 }, (_, row): SpacingProps => {
  const some = props.filter((_, column) => (row * 7 + column * 5 + ((row * column) % 3)) % 3 === 0)
  return Object.fromEntries(some.map((prop, index) => [prop, sizes[(row * 11 + index * 4) % sizes.length]]))
})
const cases = [...single, ...mixed]
// Elements to which the browser's own stylesheet gives margins or paddings, and some to which it does not.
const tags = ['div', 'p', 'h2', 'ul', 'blockquote', 'section', 'figure', 'dd', 'fieldset', 'button'] as const
const tagOf = (index: number) => tags[index % tags.length] as (typeof tags)[number]

/** Returns the specified margin and padding at the start and end of the block axis, at a viewport width. */
function expected(given: SpacingProps, viewport: number): number[] {
  return kinds.flatMap((kind) =>
    ['top', 'bottom'].map((side) => {
      let length = 0
      for (const [name, minWidth] of Object.entries(breakpoints)) {
        const size = given[(kind + name) as keyof SpacingProps]
        if (!size || viewport < minWidth) continue
        const [, onlySide, word] = /^(top|bottom)?(.+)$/.exec(size) as unknown as [string, string | undefined, string]
        const key = (word.charAt(0).toUpperCase() + word.slice(1)) as keyof typeof lengths
        if (!onlySide || onlySide === side) length = lengths[key]
      }
      return length
    }),
  )
}

const files: Record<string, string> = {
  '/spacing.css': spacingStylesheet(),
  '/spacing.layer.css': spacingStylesheet({ layered: true }),
  '/site.css': ':root{--sw-small:20px}#subtree{--sw-large:1px}#vertical{writing-mode:vertical-rl}',
  // Begins like Tailwind's own output.
  '/utilities.css': '@layer theme, base, components, utilities;@layer utilities{.mt-1{margin-block-start:4px}}',
}
const orders = {
  before: (file: string) => ['/preflight.css', file],
  after: (file: string) => [file, '/preflight.css'],
}

function document(links: string[], body: React.ReactNode): string {
  const head = links.map((href) => `<link rel="stylesheet" href="${href}">`).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8">${head}<body>${renderToStaticMarkup(body)}`
}

let server: Server
let browser: Browser
let origin: string

beforeAll(async () => {
  const preflight = await readFile(new URL('../../node_modules/tailwindcss/preflight.css', import.meta.url), 'utf8')
  files['/preflight.css'] = `@layer base{${preflight}}`
  for (const file of ['/spacing.css', '/spacing.layer.css']) {
    for (const [order, linksOf] of Object.entries(orders)) {
      const all = cases.map((given, index) => <Spacing key={JSON.stringify(given)} as={tagOf(index)} {...given} />)
      files[`${file}/${order}`] = document(linksOf(file), all)
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
  const measure = (selector: string) =>
    page.$$eval(selector, (elements) =>
      elements.map((element) => {
        const style = getComputedStyle(element)
        const { marginBlockStart, marginBlockEnd, paddingBlockStart, paddingBlockEnd } = style
        return [marginBlockStart, marginBlockEnd, paddingBlockStart, paddingBlockEnd].map(Number.parseFloat)
      }),
    )
  return { page, measure, problems: () => problems.filter((text) => !text.includes('favicon')) }
}

it('has a case for each of 12 props and 15 sizes, at six widths', () => {
  expect([props.length, sizes.length, single.length, viewports.length]).toEqual([12, 15, 180, 6])
})

describe.each(['/spacing.css', '/spacing.layer.css'])('%s, under a strict CSP', (file) => {
  it.each(Object.keys(orders))('with Tailwind’s preflight %s it', async (order) => {
    const { page, measure, problems } = await open(`${file}/${order}`)
    for (const width of viewports) {
      await page.setViewportSize({ width, height: 800 })
      const measured = await measure('body > *')
      const wrong = cases
        .map((given, index) => ({ given, tag: tagOf(index), is: measured[index], should: expected(given, width) }))
        .filter(({ is, should }) => String(is) !== String(should))
      expect({ width, wrong }).toEqual({ width, wrong: [] })
    }
    expect(problems()).toEqual([])
    expect(await page.$$('[style], style, script')).toEqual([])
    await page.close()
  })

  it.each(Object.keys(orders))(
    'custom properties of the page apply, to all of it or a part, loaded %s',
    async (order) => {
      const links = order === 'before' ? ['/site.css', file] : [file, '/site.css']
      files[`${file}/scale/${order}`] = document(
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

it('Tailwind’s utilities override the layered file, and not the other', async () => {
  for (const [file, start] of [
    ['/spacing.layer.css', 4],
    ['/spacing.css', 64],
  ] as const) {
    files[`${file}/utilities`] = document(
      ['/utilities.css', '/preflight.css', file],
      <Spacing className="mt-1" marginXs="large" />,
    )
    const { page, measure } = await open(`${file}/utilities`)
    expect(await measure('div')).toEqual([[start, 64, 0, 0]])
    await page.close()
  }
})
