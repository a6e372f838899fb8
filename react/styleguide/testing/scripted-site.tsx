import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { createStyleguideRoute, fromCssVariables, fromTailwind3 } from '../../../core/styleguide/index.js'
import { connectToChromium } from '../../../test/browser/chromium.js'
import { bundleStyleguide } from '../../../test/browser/styleguide.js'
import { ColorPage, StyleguidePage, type StyleguideTree } from '../index.js'

const { css, js } = await bundleStyleguide()

// A development build, since only this build of React reports hydration mismatches.
const hydration = await build({
  stdin: {
    contents: `
      import { hydrateRoot } from 'react-dom/client'
      import { StyleguidePage } from './index.js'
      const tree = ${JSON.stringify(hydrated())}
      hydrateRoot(document.getElementById('root'), <StyleguidePage tree={tree} slug="" />)
      setTimeout(() => { document.title = 'hydrated' }, 300)`,
    loader: 'tsx',
    resolveDir: fileURLToPath(new URL('..', import.meta.url)),
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

/** The colors of the page `foundations/colors`. */
export const palette = {
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
  seen: {
    only: 'var(--brand)',
    scheme: 'light-dark(#ffffff, #000000)',
    wrong: 'notacolor',
    missing: 'var(--missing)',
    half: 'rgb(from var(--brand) r g b / 0.5)',
    far: 'oklch(from var(--brand) 0.7 0.3 30)',
    split: 'light-dark(var(--brand), red)',
  },
}
/** The colors of the page `foundations/large`, more than have their values printed. */
const steps = { red: Object.fromEntries(Array.from({ length: 50 }, (_, step) => [step, `hsl(0 80% ${step + 20}%)`])) }
/** The colors of the page `foundations/modes`. */
const modes = `
  :root { --color-paper: #fbf6ec; --color-ink: #2b211a; --color-ink-soft: #6b5b4c; --color-line: #ddd0bb;
    --color-accent: #c34e28; --color-accent-strong: #94350f; --color-on-accent: #fffaf2 }
  .dark { --color-paper: #17130f; --color-ink: #efe6d8; --color-ink-soft: #b8a793; --color-line: #3d342b;
    --color-accent: #f08c63; --color-accent-strong: #f7b08f; --color-on-accent: #24120a }`
/** The colors of the page `foundations/roles`: groups that share a line, of four and four, and of five and three. */
const roles = ['primary', 'secondary', 'surface', 'inverse'].flatMap((group, index) =>
  ['', '-on', '-container', '-container-highest', '-variant']
    .slice(0, [4, 4, 5, 3][index])
    .map((role, step) => `--color-${group}${role}: light-dark(#${step}${index}aaff, #${step}${index}3344);`),
)
const tree: StyleguideTree = {
  title: 'Site',
  content: (
    <>
      <h2 id="usage">Usage</h2>
      <input aria-label="A field of the site" />
    </>
  ),
  pages: [
    {
      title: 'Foundations',
      pages: [
        { title: 'Colors', content: <ColorPage colors={fromTailwind3(palette).colors} /> },
        { title: 'Large', content: <ColorPage colors={fromTailwind3(steps).colors} /> },
        { title: 'Modes', content: <ColorPage colors={fromCssVariables(modes).colors} /> },
        { title: 'Roles', content: <ColorPage colors={fromCssVariables(`:root { ${roles.join('')} }`).colors} /> },
        {
          title: 'Pairs',
          content: [
            <h2 key="before" id="before">
              Before
            </h2>,
            <ColorPage
              key="colors"
              colors={fromTailwind3({ muted: '#f5f5f5', 'muted-foreground': '#737373' }).colors}
            />,
          ],
        },
      ],
    },
    { title: 'Components', pages: [{ title: 'Card' }, { title: 'Colophon' }] },
    { title: 'Écriture', content: <p>Text</p> },
    { title: 'Broken', content: fail },
    { title: 'Hydrated' },
    { title: 'No color', content: <ColorPage colors={[]} /> },
  ],
}

vi.spyOn(console, 'error').mockImplementation(() => {}) // logged for the page that throws

function fail(): never {
  throw new Error('no cover')
}

const route = createStyleguideRoute({
  tree,
  enabled: true,
  render: ({ slug, prefix, query }) => {
    const head = '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/styleguide.css">'
    const page =
      slug === 'hydrated'
        ? `<div id="root">${renderToString(<StyleguidePage tree={hydrated()} slug="" />)}</div><script src="/app.js"></script>`
        : renderToString(<StyleguidePage tree={tree} slug={slug} prefix={prefix} query={query} />)
    return new Response(
      `<!doctype html><html lang="en"><title>Styleguide</title>${head}<script src="/styleguide.js"></script>${page}</html>`,
      {
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': "default-src 'self'; base-uri 'none'",
        },
      },
    )
  },
})

const site =
  'html, body { background: light-dark(#fffaf0, #16120e) } body { margin: 0 } :root { --brand: rebeccapurple }'
const files: Record<string, [type: string, body: string]> = {
  '/styleguide.css': ['text/css', css + site],
  '/styleguide.js': ['text/javascript', js],
  '/app.js': ['text/javascript', hydration.outputFiles[0]?.text ?? ''],
  '/favicon.ico': ['image/x-icon', ''],
}
const server = createServer(async ({ url = '' }, response) => {
  const [type, body] = files[url] ?? []
  if (type) return void response.setHeader('Content-Type', type).end(body)
  const page = await route(new Request(`http://localhost${url}`))
  response.writeHead(page?.status ?? 404, Object.fromEntries(page?.headers ?? []))
  response.end(await page?.text())
})

/** The color scheme, and the background of the site's body, as computed by the browser. */
export const schemeOf = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
export const backgroundOf = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
export const [paper, night] = ['rgb(255, 250, 240)', 'rgb(22, 18, 14)']

/**
 * Serves a styleguide with the script under a strict CSP, for one test file. Console messages and errors fail a test.
 */
export function serveStyleguide() {
  let browser: Browser
  let messages: string[] = []
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, resolve))
    browser = await connectToChromium()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(messages).toEqual([])
    messages = []
  })
  afterAll(async () => {
    await browser?.close()
    server.close()
  })
  const urlOf = (path: string) => `http://localhost:${(server.address() as AddressInfo).port}/styleguide/${path}`

  async function open(path: string, options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<unknown>) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const page = await context.newPage()
    page.on('console', (message) => isUnexpected(message.text()) && messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(error.message))
    await prepare?.(page)
    await page.goto(urlOf(path))
    return page
  }
  /** Returns the console messages so far, and forgets them: they do not fail the test. */
  const takeMessages = () => messages.splice(0)
  return { open, urlOf, takeMessages }
}

function isUnexpected(text: string): boolean {
  return !text.includes('React DevTools')
}
