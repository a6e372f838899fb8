import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { renderToString } from 'react-dom/server'
import { packageFiles } from 'sitewright/node'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createStyleguideRoute, fromCssVariables } from '../../../core/styleguide/index.js'
import { listen } from '../../../test/adapter/listen.js'
import { connectToChromium } from '../../../test/browser/chromium.js'
import { findViolations } from '../../../test/browser/styleguide.js'
import { ColorPage, componentPage, SpacingPage, StyleguidePage, type StyleguideTree, TypographyPage } from '../index.js'

const tokens = `:root {
  color-scheme: light dark;
  --color-paper: light-dark(#fbf6ea, #16120e);
  --color-ink: light-dark(#2a1f1a, #f2e9dc);
  --color-ink-soft: light-dark(#6b5b4c, #b8a793);
  --color-line: light-dark(#d9ccb8, #3a3027);
  --color-accent: light-dark(#9a3412, #ffb089);
  --sw-bg: var(--color-paper); --sw-text: var(--color-ink); --sw-accent: var(--color-accent); --sw-heading: Georgia, serif;
  --serif: Georgia, serif;
  --text-small: 0.8125rem; --text-body: 1.1875rem; --text-deck: 1.4375rem; --text-head: clamp(2.5rem, 1.65rem + 3.6vw, 4rem);
  --space-2: 8px; --space-3: 12px; --space-5: 24px; --space-6: 32px;
}`
// As CSS of a site's own, as the classes of Tailwind, and as the classes of CSS modules.
const css = `${tokens}
body { margin: 0; background: var(--color-paper); color: var(--color-ink); font: 400 var(--text-body)/1.5 var(--serif) }
.page { max-width: 600px; margin: 0 auto; padding: var(--space-5) }
h1 { margin: 0; font: 400 var(--text-head)/1.1 var(--serif) }
.head { display: flex; flex-direction: column; gap: var(--space-3); padding-block: var(--space-6) }
.deck { margin: 0; color: var(--color-ink-soft); font-size: var(--text-deck); line-height: 1.36 }
.Callout_box__x1y2z { padding: var(--space-5); border: 1px solid var(--color-line) }
@layer utilities { .mt-5 { margin-top: calc(var(--space-2) * 3) } @media (width >= 1px) { .text-soft { & { color: var(--color-ink-soft) } } } }
img { width: 100%; height: 180px; background: var(--color-line) }
a:hover { color: #9a3413 }
`
const strays = `
.date { color: #76695c; font-size: var(--text-small) }
.lead { margin-top: 22px }
@layer utilities { .text-\\[18px\\] { font-size: 18px } }
.Callout_edge__k9 { border-color: #d5cbb9 !important }
.unused { color: #76695c }
.overridden { color: #76695c } p.overridden { color: var(--color-ink) }`
const body = (
  faulty: boolean,
) => `<main class="page"><header class="head"><a href="/">Growing</a><h1>Pears keep best unripe</h1>
  <p class="deck">Pick them firm. The kitchen finishes the work that the tree began in April, if you let it.</p></header>
  <p class="${faulty ? 'date' : 'text-soft'}">Ines Calloway, 9 November</p>
  <figure class="mt-5 ${faulty ? 'lead' : ''}" style="margin-inline: 0"><img alt=""><figcaption>The lower orchard.</figcaption></figure>
  <p class="${faulty ? 'text-[18px]' : ''} overridden">Every pear on the tree is a promise about next week.</p>
  <div class="Callout_box__x1y2z ${faulty ? 'Callout_edge__k9' : ''}">Keep them cool.</div><div style="height: 900px"></div></main>`
const html = (faulty: boolean) =>
  `<!doctype html><html lang="en"><title>Pears</title><link rel="stylesheet" href="/${faulty ? 'strays' : 'site'}.css">${body(faulty)}</html>`

const styles = fromCssVariables(css, { typography: { families: '--serif' } })
const tree: StyleguideTree = {
  title: 'Windfall',
  pages: [
    { title: 'Colors', content: <ColorPage colors={styles.colors} /> },
    { title: 'Typography', content: <TypographyPage typography={styles.typography} /> },
    { title: 'Spacing', content: <SpacingPage spacing={styles.spacing} /> },
    componentPage({
      title: 'Article head',
      variants: [
        { title: 'Plain', content: <header className="head">Head</header> },
        { title: 'Wide', content: <header className="head wide">Head</header> },
      ],
    }),
  ],
}
const policy = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': "default-src 'self'" }
const createRoute = (xRay: boolean) =>
  createStyleguideRoute({
    tree,
    prefix: xRay ? '/styleguide' : '/off',
    enabled: true,
    render: (view) => {
      const page = renderToString(<StyleguidePage {...view} xRay={xRay} />)
      const head =
        '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/site.css"><link rel="stylesheet" href="/sitewright/styleguide.css"><script src="/sitewright/styleguide.js"></script>'
      return new Response(`<!doctype html><html lang="en"><title>Styleguide</title>${head}${page}</html>`, {
        headers: policy,
      })
    },
  })
const handlers = [createRoute(true), createRoute(false), packageFiles()]
const files: Record<string, [type: string, body: string, headers?: Record<string, string>]> = {
  '/': ['text/html', html(true)],
  '/clean': ['text/html', html(false)],
  '/framed': ['text/html', html(false), { 'Content-Security-Policy': "frame-ancestors 'none'" }],
  '/site.css': ['text/css', css],
  '/strays.css': ['text/css', css + strays],
  '/favicon.ico': ['image/x-icon', ''],
}

let browser: Browser
let server: Awaited<ReturnType<typeof listen>>
let messages: string[] = []
beforeAll(async () => {
  server = await listen(
    createServer(async ({ url = '' }, response) => {
      const [type, text, headers] = files[url.split('?')[0] ?? ''] ?? []
      if (type) return void response.writeHead(200, { 'Content-Type': type, ...headers }).end(text)
      for (const handle of handlers) {
        const answer = await handle(new Request(`http://localhost${url}`))
        if (!answer) continue
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        return void response.end(await answer.text())
      }
      response.writeHead(404).end()
    }),
  )
  browser = await connectToChromium()
})
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()))
  expect(messages).toEqual([])
  messages = []
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  await page.goto(server.url + path)
  return page
}

async function xRay(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; frame: Frame }> {
  const page = await open(`/styleguide/x-ray?page=${encodeURIComponent(path)}`, options)
  await page.getByText(/values on this page are tokens/).waitFor({ state: 'attached' })
  return { page, frame: page.frames()[1] as Frame }
}

const listOf = (page: Page) => page.locator('.sw-strays li').allInnerTexts()

it('the seeded strays are found, each with the nearest token', async () => {
  const { page } = await xRay('/')
  const lines = (await listOf(page)).map((text) => text.replace(/\s*\n\s*/g, ' | '))
  expect(lines).toMatchInlineSnapshot(`
    [
      "1 | Color | #76695c → ink-soft ΔE 5.3 | .date",
      "2 | Margin top | 22 px → space-5 24 px | .lead",
      "3 | Font size | 18 px → body 19 px | .text-\\[18px\\]",
      "4 | Border color | #d5cbb9 → line ΔE 1.4 | .Callout_edge__k9",
    ]
  `)
  expect(await page.locator('.sw-marks > div').count()).toBe(4)
  expect(await findViolations(page)).toEqual([])
})

it.each(['/clean', '//evil.test/', 'https://evil.test/'])('X-ray of %s', async (path) => {
  const { page } = await xRay(path)
  const isClean = path === '/clean'
  expect(await page.locator('input[name=page]').inputValue()).toBe(isClean ? '/clean' : '/')
  expect((await listOf(page)).length > 0, (await listOf(page)).join()).toBe(!isClean)
})

it('the card names color, size, space and component, each a link to its page', async () => {
  const { page, frame } = await xRay('/')
  await frame.locator('.deck').hover()
  const card = page.locator('.sw-card')
  await expect.poll(() => card.innerText()).toContain('ink-soft')
  const links = await card
    .locator('a')
    .evaluateAll((all) => all.map((a) => `${a.querySelector('strong')?.textContent} ${a.getAttribute('href')}`))
  expect(links).toEqual([
    'ink-soft /styleguide/colors#color-ink-soft',
    'deck /styleguide/typography',
    'space-3 /styleguide/spacing',
    'Article head /styleguide/article-head',
  ])
  await frame.locator('.date').hover()
  await expect.poll(() => card.innerText()).toContain('#76695c')
  expect(await card.innerText()).toContain('→ ink-soft')
  await frame.locator('.head a').click() // pins, and does not navigate
  await expect.poll(() => card.getAttribute('data-sw-pinned')).toBe('')
  await card.locator('a').first().click()
  await page.waitForURL(/\/styleguide\/colors/)
})

it('the arrow keys lead through the page and pin the card, and Escape leaves', async () => {
  const { page } = await xRay('/')
  const selected = () => page.locator('.sw-card h2 code').innerText()
  await page.locator('.sw-stage-x').focus()
  for (const [key, expected] of [
    ['ArrowDown', 'main.page'],
    ['ArrowDown', 'header.head'],
    ['ArrowDown', 'a'],
    ['ArrowRight', 'h1'],
    ['ArrowLeft', 'a'],
    ['ArrowUp', 'header.head'],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(selected).toBe(expected)
  }
  await expect.poll(() => page.locator('.sw-card').getAttribute('data-sw-pinned')).toBe('')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('.sw-card').isVisible()).toBe(false)
})

it('a page that allows no frames, and X-ray while it is off, say so', async () => {
  const page = await open('/styleguide/x-ray?page=/framed')
  await page.getByText("send frame-ancestors 'self'").waitFor()
  messages = [] // the browser's own on the frame
  const off = await open('/off/x-ray')
  expect(await off.locator('main').innerText()).toContain('X-ray is off')
  expect(await off.locator('a[href$="/x-ray"]').count()).toBe(0)
})

it('no other page loads the script, which has at most 8 KB', async () => {
  const response = await fetch(`${server.url}/sitewright/x-ray.js`)
  expect(gzipSync(await response.text()).length).toBeLessThan(8 * 1024)
  expect(await (await fetch(`${server.url}/styleguide/colors`)).text()).not.toMatch(/x-ray\.(?:js|css)/)
  expect(readFileSync('dist/styleguide.css', 'utf8')).not.toContain('sw-xray')
})
