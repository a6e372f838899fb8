import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { contrastOf, createStyleguideRoute, fromTailwind3 } from '../../core/styleguide/index.js'
import { launchChromium } from '../../test/browser/chromium.js'
import { bundleStyleguide, findViolations } from '../../test/browser/styleguide.js'
import { ColorPage, StyleguidePage, type StyleguideTree } from './index.js'

const { css, js } = await bundleStyleguide()

// What React would say of a document that is not as it made it, it says in development only.
const hydration = await build({
  stdin: {
    contents: `
      import { hydrateRoot } from 'react-dom/client'
      import { StyleguidePage } from './index.js'
      const tree = ${JSON.stringify(hydrated())}
      hydrateRoot(document.getElementById('root'), <StyleguidePage tree={tree} />)
      setTimeout(() => { document.title = 'hydrated' }, 300)`,
    loader: 'tsx',
    resolveDir: fileURLToPath(new URL('.', import.meta.url)),
  },
  bundle: true,
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"development"' },
  logLevel: 'error',
  write: false,
})

function hydrated(): StyleguideTree {
  return { title: 'Site', pages: [{ title: 'Colors' }, { title: 'Card' }] }
}

const palette = {
  gray: {
    50: '#f9fafb',
    400: '#949494',
    450: '#959595',
    500: '#777777',
    550: '#767676',
    900: '#5a5a5a',
    950: '#595959',
  },
  odd: {
    ok: 'oklch(63.7% 0.237 25.331)',
    wide: 'color(display-p3 0 1 0)',
    far: 'oklch(0.7 0.3 30)',
    half: 'rgb(255 0 0 / 50%)',
    clear: 'rgb(0 0 0 / 0)',
    hsl: 'hsl(200 50% 40% / 0.3)',
    lab: 'lab(50% 40 -20)',
    none: 'oklch(none none none)',
  },
  seen: { only: 'var(--brand)', scheme: 'light-dark(#ffffff, #000000)', wrong: 'notacolor' },
}
const tree: StyleguideTree = {
  title: 'Site',
  content: (
    <>
      <h2 id="usage">Usage</h2>
      <input aria-label="A field of the site’s" />
    </>
  ),
  pages: [
    {
      title: 'Foundations',
      pages: [{ title: 'Colors', content: <ColorPage colors={fromTailwind3(palette)} layout="grouped" /> }],
    },
    { title: 'Components', pages: [{ title: 'Card' }, { title: 'Colophon' }] },
    { title: 'Écriture', content: <p>Text</p> },
    { title: 'Broken', content: fail },
    { title: 'Hydrated' },
    { title: 'No color', content: <ColorPage colors={[]} /> },
  ],
}

vi.spyOn(console, 'error').mockImplementation(() => {}) // of the page that throws

function fail(): never {
  throw new Error('no cover')
}

const route = createStyleguideRoute({
  tree,
  enabled: true,
  render: ({ slug, prefix }) => {
    const head = '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/styleguide.css">'
    const page =
      slug === 'hydrated'
        ? `<div id="root">${renderToString(<StyleguidePage tree={hydrated()} />)}</div><script src="/app.js"></script>`
        : renderToString(<StyleguidePage tree={tree} slug={slug} prefix={prefix} />)
    return new Response(
      `<!doctype html><html lang="en"><title>Styleguide</title>${head}<script src="/styleguide.js"></script>${page}</html>`,
      { headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': "default-src 'self'" } },
    )
  },
})

const site = 'html { background: light-dark(#fffaf0, #16120e) } body { margin: 0 } :root { --brand: rebeccapurple }'
const files: Record<string, [type: string, body: string]> = {
  '/styleguide.css': ['text/css', css + site],
  '/styleguide.js': ['text/javascript', js],
  '/app.js': ['text/javascript', hydration.outputFiles[0]?.text ?? ''],
  '/favicon.ico': ['image/x-icon', ''],
}
const server = createServer(async ({ url = '' }, response) => {
  const [type, body] = files[url] ?? []
  if (type) return void response.setHeader('Content-Type', type).end(body)
  const answer = await route(new Request(`http://localhost${url}`))
  response.writeHead(answer?.status ?? 404, Object.fromEntries(answer?.headers ?? []))
  response.end(await answer?.text())
})

let browser: Browser
let complaints: string[] = []
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, resolve))
  browser = await launchChromium()
})
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  // Also of the Content-Security-Policy.
  expect(complaints).toEqual([])
  complaints = []
})
afterAll(async () => {
  await browser?.close()
  server.close()
})

const urlOf = (path: string) => `http://localhost:${(server.address() as AddressInfo).port}/styleguide/${path}`

async function open(path: string, options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await prepare?.(page)
  await page.goto(urlOf(path))
  return page
}

const schemeOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
const groundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const [paper, night] = ['rgb(255, 250, 240)', 'rgb(22, 18, 14)']

it('the script has at most 2.75 KB, gzipped', () => {
  expect(gzipSync(js, { level: 9 }).length).toBeLessThanOrEqual(2.75 * 1024)
})

describe('the filter', () => {
  const shown = (page: Page) =>
    page.$$eval('.sw-nav a', (links) => links.filter((link) => link.checkVisibility()).map((link) => link.textContent))

  it.each<[string, string[], string]>([
    ['col', ['Foundations', 'Colors', 'Components', 'Colophon', 'No color'], 'Pages found: 3'],
    ['  COLOR', ['Foundations', 'Colors', 'No color'], 'Pages found: 2'],
    ['ecri', ['Écriture'], 'Pages found: 1'],
    ['components', ['Components'], 'Pages found: 1'],
    ['nothing like it', [], 'Pages found: 0'],
    ['.*', [], 'Pages found: 0'],
  ])('of %j shows %j', async (text, titles, said) => {
    const page = await open('')
    const all = await shown(page)
    await page.fill('.sw-filter input', text)
    expect(await shown(page)).toEqual(titles)
    expect(await page.textContent('.sw-filter [role=status]')).toBe(said)
    await page.press('.sw-filter input', 'Escape')
    expect(await page.inputValue('.sw-filter input')).toBe('')
    expect(await shown(page)).toEqual(all)
    expect(await page.textContent('.sw-filter [role=status]')).toBe('')
  })

  it('is focused by a slash, unless one is typed', async () => {
    const page = await open('')
    await page.keyboard.press('/')
    await page.keyboard.type('col')
    expect(await page.inputValue('.sw-filter input')).toBe('col')
    await page.keyboard.press('/')
    expect(await page.inputValue('.sw-filter input')).toBe('col/')
    await page.click('[aria-label^="A field"]')
    await page.keyboard.press('/')
    expect(await page.inputValue('[aria-label^="A field"]')).toBe('/')
    await page.check('#sw-light', { force: true })
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Filter pages')
  })

  it('opens the first match by Enter', async () => {
    const page = await open('')
    await page.fill('.sw-filter input', 'nothing')
    await page.press('.sw-filter input', 'Enter')
    expect(page.url()).toBe(urlOf(''))
    await page.fill('.sw-filter input', 'col')
    await page.press('.sw-filter input', 'Enter')
    await page.waitForURL(urlOf('foundations/colors'))
  })

  it('is in the menu of a small screen, which a slash opens and the second Escape closes', async () => {
    const page = await open('', { viewport: { width: 390, height: 800 } })
    await page.keyboard.press('/')
    await page.keyboard.type('card')
    expect(await shown(page)).toEqual(['Components', 'Card'])
    await page.keyboard.press('Escape')
    expect(await page.isVisible('.sw-nav')).toBe(true)
    await page.keyboard.press('Escape')
    expect(await page.isVisible('.sw-nav')).toBe(false)
  })
})

describe('the color scheme', () => {
  it('is the system’s, or the reader’s, for the site’s own colors as well', async () => {
    const page = await open('', { colorScheme: 'dark' })
    expect([await schemeOf(page), await groundOf(page)]).toEqual(['light dark', night])
    await page.focus('#sw-system')
    await page.keyboard.press('ArrowRight')
    expect([await schemeOf(page), await groundOf(page)]).toEqual(['light', paper])
    await page.keyboard.press('ArrowRight')
    expect([await schemeOf(page), await groundOf(page)]).toEqual(['dark', night])
  })

  it('is remembered, before the body is there, and forgotten', async () => {
    const page = await open('')
    await page.check('#sw-dark', { force: true })
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.body) return
        document.title = getComputedStyle(document.documentElement).colorScheme
        observer.disconnect()
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(urlOf('foundations/colors'))
    expect(await page.title()).toBe('dark')
    expect([await page.isChecked('#sw-dark'), await groundOf(page)]).toEqual([true, night])
    await page.check('#sw-system', { force: true })
    expect(await schemeOf(page)).toBe('light dark')
    await page.reload()
    expect([await page.isChecked('#sw-system'), await schemeOf(page)]).toEqual([true, 'light dark'])
  })

  it('of another tab is followed', async () => {
    const page = await open('')
    const other = await page.context().newPage()
    await other.goto(urlOf(''))
    await other.check('#sw-dark', { force: true })
    await page.waitForFunction(() => getComputedStyle(document.documentElement).colorScheme === 'dark')
    expect(await page.isChecked('#sw-dark')).toBe(true)
  })

  it('holds for the page where storage is refused', async () => {
    const refuse = (page: Page) =>
      page.addInitScript(() => {
        Object.defineProperty(window, 'localStorage', {
          get: () => {
            throw new DOMException('denied')
          },
        })
      })
    const page = await open('', {}, refuse)
    await page.check('#sw-dark', { force: true })
    expect(await groundOf(page)).toBe(night)
  })
})

describe('a click on a color', () => {
  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  const red = '#color-odd-ok'

  it('copies its value, or its hex, and says so', async () => {
    const page = await open('foundations/colors', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.click(`${red} .sw-copy`)
    await page.waitForSelector('.sw-toast:text("Copied oklch(63.7% 0.237 25.331)")')
    expect(await clipboard(page)).toBe('oklch(63.7% 0.237 25.331)')
    await page.click(`${red} .sw-copy`, { modifiers: ['Shift'] })
    await page.waitForSelector('.sw-toast:text("Copied #fb2c36")')
    expect(await clipboard(page)).toBe('#fb2c36')
    await page.focus('#color-odd-far .sw-copy')
    await page.keyboard.press('Shift+Enter')
    await page.waitForSelector('.sw-toast:text("Copied oklch(0.7 0.3 30)")') // it has no hex
    expect(await page.getAttribute('.sw-toast', 'role')).toBe('status')
  })

  it('selects the value where the browser refuses', async () => {
    const refuse = (page: Page) =>
      page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined }) // as on http://192.0.2.1
      })
    const page = await open('foundations/colors', {}, refuse)
    await page.click(`${red} .sw-copy`)
    await page.waitForSelector('.sw-toast:text("Could not copy")')
    expect(await page.evaluate(() => String(getSelection()))).toBe('oklch(63.7% 0.237 25.331)')
  })
})

describe('contrast on a chosen background', () => {
  const measured = (page: Page) =>
    page.$$eval('.sw-swatch', (swatches) =>
      Object.fromEntries(
        swatches.map((swatch) => [swatch.id, swatch.querySelector('.sw-chosen dd')?.textContent.trim()]),
      ),
    )
  const onServer = (background: string) =>
    [...Object.entries(palette.gray), ...Object.entries(palette.odd)].map(([shade, value]) => {
      const { ratio, level } = contrastOf(value, background) ?? { ratio: Number.NaN, level: '' }
      const group = shade in palette.gray ? 'gray' : 'odd'
      return [`color-${group}-${shade}`, `${ratio.toFixed(2)} ${level === 'none' ? '' : level}`.trim()]
    })

  it.each(['#ffffff', '#f6f1e6', '#808080', '#0000ff'])('is on %s what the server says', async (background) => {
    const page = await open('foundations/colors')
    await page.fill('.sw-tools input', background)
    expect(await measured(page)).toMatchObject(Object.fromEntries(onServer(background)))
    expect(await page.textContent('#color-gray-500 .sw-chosen dt')).toBe(`Contrast on ${background}`)
  })

  it('is told on each of the page’s colors, also of those that only a browser knows', async () => {
    const page = await open('foundations/colors', { colorScheme: 'light' })
    await page.selectOption('.sw-tools select', { label: 'seen-scheme' })
    const onWhite = await measured(page)
    expect(onWhite).toMatchObject(Object.fromEntries(onServer('#ffffff')))
    expect(onWhite['color-seen-only']).toBe('8.40 AAA')
    expect(onWhite['color-seen-wrong']).toBeUndefined()
    expect(await page.$$('#color-gray-500 .sw-contrast > div')).toHaveLength(3)

    await page.check('#sw-dark', { force: true })
    expect(await measured(page)).toMatchObject(Object.fromEntries(onServer('#000000')))

    await page.check('#sw-system', { force: true })
    expect(await measured(page)).toMatchObject(onWhite)

    await page.selectOption('.sw-tools select', { label: 'odd-half' }) // lies on the ground of the page
    expect(await measured(page)).toMatchObject(Object.fromEntries(onServer('rgb(255 127.5 127.5)')))
    await page.selectOption('.sw-tools select', { index: 0 })
    expect(await page.$$('.sw-chosen')).toEqual([])
  })
})

it('React hydrates in peace, and keeps the remembered scheme', async () => {
  const page = await open('')
  await page.check('#sw-dark', { force: true })
  await page.goto(urlOf('hydrated'))
  await page.waitForFunction(() => document.title === 'hydrated')
  complaints = complaints.filter((text) => !text.includes('React DevTools'))
  expect([await page.isChecked('#sw-dark'), await groundOf(page)]).toEqual([true, night])
  await page.fill('.sw-filter input', 'card')
  expect(await page.textContent('.sw-filter [role=status]')).toBe('Pages found: 1')
})

it('a long navigation shows the current page', async () => {
  const page = await open('no-color', { viewport: { width: 1280, height: 220 } })
  const nav = page.locator('.sw-nav')
  expect(await nav.evaluate((nav) => nav.scrollTop)).toBeGreaterThan(50)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

it('headings get links to themselves at the first move', async () => {
  const page = await open('')
  expect(await page.$('#usage a')).toBeNull()
  await page.hover('#usage')
  await page.hover('h1')
  expect(await page.getAttribute('#usage a', 'href')).toBe('#usage')
  await page.click('#usage a')
  expect(page.url()).toBe(urlOf('#usage'))
})

it('the keyboard reaches the content at once', async () => {
  const page = await open('')
  await page.keyboard.press('Tab')
  expect(await page.isVisible('.sw-skip:focus-visible')).toBe(true)
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
})

describe('without the script', () => {
  const missing = (page: Page) => page.route('**/styleguide.js', (request) => request.fulfill({ body: '' }))

  it.each<[string, BrowserContextOptions, typeof missing?]>([
    ['JavaScript', { javaScriptEnabled: false }],
    ['the file', {}, missing],
  ])('%s: nothing is shown that would do nothing, and the switch works for the page', async (_, options, prepare) => {
    const page = await open('foundations/colors', options, prepare)
    for (const part of ['.sw-filter', '.sw-tools', '.sw-copy']) {
      expect(await page.$$eval(part, (found) => found.filter((one) => one.checkVisibility()).length)).toBe(0)
    }
    expect(await page.isVisible('.sw-nav >> text=Card')).toBe(true)
    await page.click('label[title=Dark]')
    expect(await groundOf(page)).toBe(night)
    await page.click('.sw-turn [rel=next]')
    expect(await page.textContent('h1')).toBe('Components')
  })
})

it('prints the content alone, on paper', async () => {
  const page = await open('foundations/colors', { colorScheme: 'dark' })
  await page.emulateMedia({ media: 'print' })
  for (const part of ['.sw-header', '.sw-nav', '.sw-tools', '.sw-copy', '.sw-turn', '.sw-breadcrumbs']) {
    expect(await page.isVisible(part)).toBe(false)
  }
  expect(await page.$eval('h1', (title) => getComputedStyle(title).color)).toBe('rgb(24, 27, 34)')
  expect(await page.$eval('.sw-paint', (paint) => getComputedStyle(paint).printColorAdjust)).toBe('exact')
})

describe('axe-core finds nothing', () => {
  it.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('at %d pixels, %s', async (width, colorScheme) => {
    const page = await open('', { viewport: { width, height: 800 }, colorScheme })
    for (const path of ['', 'foundations/colors', 'components', 'no-color', 'broken']) {
      await page.goto(urlOf(path))
      if (path === '') await page.hover('#usage')
      if (path === 'foundations/colors') await page.focus('.sw-copy')
      if (width === 390 && path === 'components') await page.click('.sw-menu')
      expect(await findViolations(page)).toEqual([])
    }
  })
})
