import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Browser, Page } from 'playwright-core'
import { renderToStaticMarkup } from 'react-dom/server'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { fromCssVariables } from '../../core/styleguide/index.js'
import {
  BreakpointsPage,
  ColorPage,
  componentPage,
  RadiiPage,
  ShadowsPage,
  SpacingPage,
  StyleguidePage,
  type StyleguideTree,
  TypographyPage,
} from '../../react/styleguide/index.js'
import { connectToChromium } from '../browser/chromium.js'
import { bundleStyleguide } from '../browser/styleguide.js'
import { installPackages } from '../setup/install-packages.js'

// The shell of the styleguide looks the same over the stylesheet of each site. None of them has a cascade layer.

const here = import.meta.dirname
const stylesheets = {
  'Bootstrap 5': 'bootstrap/dist/css/bootstrap.css',
  'Pico 2': '@picocss/pico/css/pico.css',
  'Bulma 1': 'bulma/css/bulma.css',
  'Foundation 6': 'foundation-sites/dist/css/foundation.css',
  'normalize.css': 'normalize.css/normalize.css',
  'Tailwind 3’s preflight': 'tailwindcss/src/css/preflight.css',
}
// A font size of the root is the visitor's or the site's, and is in all that is written in rem.
const rootSize = ':root { font-size: 16px }'

const { colors, typography, breakpoints, shadows, radii, spacing } = fromCssVariables(`:root { --color-ink: #123;
  --color-paper: #fed; --color-red-500: #c33; --color-red-600: #a22; --font-serif: Georgia, serif; --text-sm: 0.875rem;
  --text-lg: 2rem; --text-lg--line-height: 1.2; --font-weight-bold: 700; --breakpoint-md: 48rem; --radius-md: 8px;
  --shadow-md: 0 2px 4px #0003; --spacing-4: 1rem }`)
const tree: StyleguideTree = {
  title: 'Styleguide',
  pages: [
    {
      title: 'Foundations',
      pages: [
        { title: 'Colors', content: <ColorPage colors={colors} pairs={[['ink', 'paper']]} /> },
        { title: 'Typography', content: <TypographyPage typography={typography} /> },
        { title: 'Spacing', content: <SpacingPage spacing={spacing} /> },
        { title: 'Breakpoints', content: <BreakpointsPage breakpoints={breakpoints} /> },
        { title: 'Shadows', content: <ShadowsPage shadows={shadows} /> },
        { title: 'Radii', content: <RadiiPage radii={radii} /> },
      ],
    },
    componentPage({
      title: 'Button',
      variants: [{ title: 'Loud', content: 'Button', source: '<button>Read on</button>' }],
      props: [{ name: 'quiet', type: 'boolean', description: 'Whether it has `no` ground.' }],
    }),
  ],
}
const addresses = ['', 'foundations/colors', 'foundations/typography', 'foundations/spacing', 'foundations/breakpoints']
addresses.push('foundations/shadows', 'foundations/radii', 'button', 'search', 'missing')

let browser: Browser
let shell = { css: '', js: '' }
beforeAll(async () => {
  await installPackages(here)
  browser = await connectToChromium()
  shell = await bundleStyleguide()
}, 600_000)
afterAll(() => browser?.close())

/** Returns the picture of a page, and the boxes and styles of its elements. */
async function read(page: Page) {
  const boxes = await page.evaluate(() =>
    [...document.querySelectorAll('.sw-styleguide, .sw-styleguide *')].map((element) => {
      if (!element.checkVisibility()) return ''
      const { x, y, width, height } = element.getBoundingClientRect()
      const names = ['color', 'background-color', 'text-decoration-line', 'font', 'list-style-type', 'display']
      const style = getComputedStyle(element)
      const name = `${element.localName}.${element.getAttribute('class') ?? ''}`
      return [name, x, y, width, height, ...names.map((name) => style.getPropertyValue(name))].join(' ')
    }),
  )
  return { boxes, picture: await page.screenshot({ fullPage: true, animations: 'disabled' }) }
}

async function countDifferentPixels(...pictures: [Buffer, Buffer]): Promise<number> {
  const [first, second] = await Promise.all(
    pictures.map((picture) => sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })),
  )
  if (!first || !second) return Number.NaN
  const { width, height } = first.info
  return pixelmatch(first.data, second.data, undefined, width, height, { threshold: 0.1 })
}

/** Opens a page with the site's stylesheet and the script, until nothing changes. */
async function paint(page: Page, slug: string, siteCss: string) {
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    if (!pathname.startsWith('/styleguide')) return route.fulfill({ status: 404, body: '' })
    const bare = /^\/styleguide\/button\/./.test(pathname)
    const head = `<style>${shell.css}</style><style>${bare ? '' : siteCss}${rootSize}</style><script>${shell.js}</script>`
    const html = renderToStaticMarkup(<StyleguidePage tree={tree} slug={pathname.slice('/styleguide'.length)} />)
    return route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en"><head>${head}</head><body><div>${html}</div></body></html>`,
    })
  })
  await page.goto(`http://site.test/styleguide/${slug}`, { waitUntil: 'load' })
  // The script writes after the first paint.
  let painted = await read(page)
  await vi.waitFor(async () => {
    const before = painted
    painted = await read(page)
    expect([painted.boxes, painted.picture.equals(before.picture)]).toEqual([before.boxes, true])
  }, 20_000)
  await page.unrouteAll({ behavior: 'wait' })
  return painted
}

it.each(Object.entries(stylesheets))('the shell looks the same over %s', async (_, file) => {
  const siteCss = readFileSync(join(here, 'node_modules', file), 'utf8')
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  for (const slug of addresses) {
    const own = await paint(page, slug, '')
    const above = await paint(page, slug, siteCss)
    const moved = above.boxes.flatMap((box, index) => (box === own.boxes[index] ? [] : [[own.boxes[index], box]]))
    expect(moved.slice(0, 2), slug).toEqual([])
    expect(await countDifferentPixels(own.picture, above.picture), `the picture of /styleguide/${slug}`).toBe(0)
  }
  await page.close()
})
