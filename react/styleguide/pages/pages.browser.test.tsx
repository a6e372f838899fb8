import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { renderToReadableStream } from 'react-dom/server'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { nodeListener } from '../../../adapters/node/index.js'
import { sharpService } from '../../../adapters/sharp/index.js'
import { createImageLoader, createImages } from '../../../core/image/index.js'
import { type DesignValue, type MeasuredImage, measureImages, type Typography } from '../../../core/styleguide/index.js'
import { connectToChromium } from '../../../test/browser/chromium.js'
import { findViolations } from '../../../test/browser/styleguide.js'
import {
  BreakpointsPage,
  componentPage,
  ImagesPage,
  SpacingPage,
  StyleguidePage,
  type StyleguideTree,
  TypographyPage,
} from '../index.js'
import { stylesheetScope } from '../styles/scope.js'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const bundle = async (entry: object) => {
  const built = await build({ bundle: true, minify: true, write: false, ...entry })
  return built.outputFiles[0]?.text ?? ''
}
const css = await bundle({ entryPoints: [path('../styles/index.css')], ...stylesheetScope })
const client = await bundle({
  stdin: {
    contents: `import { arrangeFrames } from './frames.ts'
      import { fitSpecimens } from './page.ts'
      arrangeFrames(document)
      fitSpecimens()
      document.documentElement.style.setProperty('--sw-scripted', 'flex')`,
    resolveDir: path('../script'),
  },
})

const values = (record: Record<string, string>): DesignValue[] =>
  Object.entries(record).map(([name, value]) => ({ name, value }))

const typography: Typography = {
  families: values({ serif: '"DejaVu Serif", serif', mono: '"DejaVu Sans Mono", monospace', own: 'var(--font)' }),
  sizes: values({ sm: '0.875rem', fluid: 'clamp(1rem, 4vw, 3rem)', own: 'var(--size)', '9xl': '8rem' }),
  weights: values({ normal: '400', semi: '650', bold: 'bold' }),
  lineHeights: values({ none: '1', calc: 'calc(1.75 / 1.25)', rem: '1.5rem', percent: '150%', own: 'var(--leading)' }),
  letterSpacings: values({ tight: '-0.05em', wide: '2px' }),
}
const styles = [
  { name: 'Heading', size: 'clamp(2rem, 5vw, 4rem)', weight: '700', lineHeight: '1.05', letterSpacing: '-0.02em' },
  { name: 'Body', family: 'monospace', size: '18px', lineHeight: '30px', measure: '30em' },
]
const breakpoints = values({ sm: '40rem', md: '48rem', lg: '1024px', xl: '80em' })

function Card() {
  return <article className="card">A card that is laid out by the width of its window.</article>
}
const source = `<Card ${'a-very-long-attribute '.repeat(20)}/>`
const siteCss = `:root { --font: "DejaVu Serif"; --size: 40px; --leading: 2; --sw-large: 50px } body { margin: 0; min-height: 100vh }
  .card { padding: 10px; line-height: 20px } .large { font-size: 20px } @media (min-width: 700px) { .card { padding: 40px } }`

const writtenContent = (
  <>
    <h2 id="code">Code</h2>
    <p>
      Text with <a href="#code">a link to code</a> and <code>code</code>.
    </p>
    <pre>
      <code>{`npx ${'--a-long-option=value '.repeat(20)}`}</code>
    </pre>
    <blockquote>
      <p>A quotation.</p>
    </blockquote>
    <table>
      <thead>
        <tr>
          <th>Picture</th>
          <th>Caption</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>A-name-that-is-longer-than-a-narrow-window-is-wide</td>
          <td>Name, year</td>
        </tr>
      </tbody>
    </table>
  </>
)

const tree: StyleguideTree = {
  title: 'Styleguide',
  pages: [
    { title: 'Written', content: writtenContent },
    { title: 'Typography', content: <TypographyPage typography={typography} styles={styles} /> },
    { title: 'Spacing', content: <SpacingPage /> },
    {
      title: 'Fluid',
      content: <SpacingPage scale={{ sizes: { a: '1rem', b: 'clamp(1rem, 10vw, 5rem)', c: '2vw' } }} />,
    },
    { title: 'Own', content: <SpacingPage spacing={values({ long: '9999px', '0': '0px', fluid: '10vw' })} /> },
    { title: 'Breakpoints', content: <BreakpointsPage breakpoints={breakpoints} /> },
    { title: 'Images', content: async () => <ImagesPage images={await images} alt="Green" /> },
    componentPage({
      title: 'Card',
      variants: [
        { title: 'Wide', content: <Card />, source, widths: [1280, 390], layout: 'fullscreen' },
        { title: 'High', content: <Card />, height: 300, states: [{ title: 'Again', content: <Card /> }] },
      ],
      props: [{ name: 'a-long-name'.repeat(9), type: 'string' }],
    }),
    {
      title: 'Parts',
      pages: [
        componentPage({ title: 'Badge', variants: [{ title: 'New', content: <button type="button">New</button> }] }),
      ],
    },
  ],
}

const widths = [32, 128, 640]
const loader = createImageLoader({ sources: ['/media/'] })
let folder: string
let images: Promise<MeasuredImage[]>
let proxy: (request: Request) => Promise<Response | undefined>
let browser: Browser

async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const image = await proxy(request)
  if (image) return image
  if (pathname === '/styleguide.css') return new Response(css + siteCss, { headers: { 'Content-Type': 'text/css' } })
  if (pathname === '/client.js') return new Response(client, { headers: { 'Content-Type': 'text/javascript' } })
  const page = (
    <html lang="en">
      <title>Styleguide</title>
      <meta name="viewport" content="width=device-width" />
      <link rel="stylesheet" href="/styleguide.css" />
      <script type="module" src="/client.js" />
      <body>
        <StyleguidePage tree={tree} slug={pathname.replace('/styleguide', '')} />
      </body>
    </html>
  )
  return new Response(await renderToReadableStream(page), { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

const server = createServer(
  nodeListener(async (request) => {
    const response = await handle(request)
    response.headers.set('Content-Security-Policy', "default-src 'self'")
    return response
  }),
)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'styleguide-pages-'))
  await sharp({ create: { width: 300, height: 200, channels: 3, background: '#7a5' } }).toFile(
    join(folder, 'green.jpg'),
  )
  proxy = createImages({ sources: { '/media/': folder }, service: sharpService() }).handler
  images = measureImages({ fetch: proxy, loader, src: '/media/green.jpg', widths })
  await new Promise<void>((resolve) => void server.listen(0, resolve))
  browser = await connectToChromium()
})
afterAll(async () => {
  await browser?.close()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

interface OpenOptions {
  width?: number
  colorScheme?: 'light' | 'dark'
  javaScriptEnabled?: boolean
}

/**
 * A window with JavaScript and a window without, shared by the tests: opening a window takes longer than most tests.
 */
const openWindows = new Map<boolean, Promise<{ page: Page; messages: string[] }>>()

async function openWindow(javaScriptEnabled: boolean) {
  const page = await browser.newPage({ javaScriptEnabled })
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(String(error)))
  return { page, messages }
}

/** Visits a page, by default without JavaScript. Console messages and errors fail the test. */
async function visit(path: string, options: OpenOptions, check: (page: Page) => Promise<void>): Promise<void> {
  const { width = 1280, colorScheme = 'light', javaScriptEnabled = false } = options
  const window = openWindows.get(javaScriptEnabled) ?? openWindow(javaScriptEnabled)
  openWindows.set(javaScriptEnabled, window)
  const { page, messages } = await window
  messages.length = 0
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme })
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/styleguide/${path}`)
  await check(page)
  expect(messages).toEqual([])
}

/** Returns the computed styles of the specimens of a section. */
function stylesOf(
  page: Page,
  id: string,
  property: 'fontFamily' | 'fontSize' | 'fontWeight' | 'letterSpacing' | 'lineHeight',
) {
  return page.$$eval(
    `[aria-labelledby="${id}"] foreignObject > div`,
    (specimens, property) => specimens.map((specimen) => getComputedStyle(specimen)[property]),
    property,
  )
}

describe('typography', () => {
  it.each([
    [400, ['40px', '128px', '16px', '14px']],
    [1000, ['40px', '128px', '40px', '14px']],
    [1280, ['40px', '128px', '48px', '14px']],
  ])('typography specimens have the exact values at %d pixels', async (width, sizes) => {
    await visit('typography', { width }, async (page) => {
      expect([...new Set(await stylesOf(page, 'families', 'fontFamily'))]).toEqual([
        ...['"DejaVu Serif", serif', '"DejaVu Sans Mono", monospace', '"DejaVu Serif"'],
      ])
      expect(await stylesOf(page, 'sizes', 'fontSize')).toEqual(sizes)
      // A size with the name of a family is shown in it; the others, in the first family.
      expect(new Set(await stylesOf(page, 'sizes', 'fontFamily'))).toContain('"DejaVu Serif", serif')
      expect(await stylesOf(page, 'weights', 'fontWeight')).toEqual(['400', '650', '700'])
      expect(await stylesOf(page, 'line-heights', 'lineHeight')).toEqual(['16px', '22.4px', '24px', '24px', '32px'])
      expect(await stylesOf(page, 'line-heights', 'fontSize')).toEqual(Array(5).fill('16px'))
      const [tight = '', wide] = await stylesOf(page, 'letter-spacings', 'letterSpacing')
      expect(Number.parseFloat(tight)).toBeCloseTo(-0.05 * 18)
      expect(wide).toBe('2px')
    })
  })

  it('each text style has a paragraph with its size, weight, line height and letter spacing', async () => {
    await visit('typography', { width: 1000 }, async (page) => {
      expect(await stylesOf(page, 'styles', 'fontSize')).toEqual(['50px', '18px'])
      expect(await stylesOf(page, 'styles', 'lineHeight')).toEqual(['52.5px', '30px'])
      expect(await stylesOf(page, 'styles', 'letterSpacing')).toEqual(['-1px', 'normal'])
      expect(await stylesOf(page, 'styles', 'fontWeight')).toEqual(['700', '400'])
    })
  })

  it('no size is cut, also in a narrow window', async () => {
    await visit('typography', { width: 390 }, async (page) => {
      const cut = await page.$$eval('[aria-labelledby=sizes] foreignObject > div', (all) =>
        all.map(
          (text) =>
            text.scrollWidth > text.clientWidth ||
            text.clientHeight > 1.5 * Number.parseFloat(getComputedStyle(text).fontSize),
        ),
      )
      expect(cut).toEqual(Array(4).fill(false))
    })
  })

  it.each([
    [320, false],
    [390, false],
    [390, true],
    [1280, true],
  ])(
    'no specimen is cut in a window of %d pixels; with the script (%s), it is as high as its text',
    async (width, javaScriptEnabled) => {
      await visit('typography', { width, javaScriptEnabled }, async (page) => {
        const heights = () =>
          page.$$eval('.sw-leading', (specimens) =>
            specimens.map((specimen) => [
              specimen.getBoundingClientRect().height,
              specimen.querySelector('div')?.getBoundingClientRect().height ?? 0,
            ]),
          )
        await vi.waitFor(async () => {
          for (const [specimen = 0, text = 0] of await heights()) {
            expect(text).toBeGreaterThan(0)
            if (javaScriptEnabled) expect(Math.abs(specimen - text)).toBeLessThan(1)
            else expect(specimen).toBeGreaterThan(text - 1)
          }
        }, 20_000)
      })
    },
  )
})

describe('spacing', () => {
  const bars = (page: Page) =>
    page.$$eval('[aria-labelledby="scale"] svg', (elements) => elements.map((bar) => bar.getBoundingClientRect().width))

  it('the spacing scale is drawn with the page’s custom properties', async () => {
    await visit('spacing', {}, async (page) => expect(await bars(page)).toEqual([8, 16, 32, 50, 96]))
  })

  it.each([
    [400, [8, 16, 40]],
    [1280, [25.6, 16, 80]],
  ])('a spacing formula is drawn with its value at %d pixels', async (width, expected) => {
    await visit('fluid', { width }, async (page) => {
      for (const [index, bar] of (await bars(page)).entries()) expect(bar).toBeCloseTo(expected[index] as number, 1)
    })
  })
})

describe('breakpoints', () => {
  const markedSegments = (page: Page) =>
    page.$$eval('svg[direction] > rect:last-child', (all) =>
      all
        .filter((bar) => bar.getBoundingClientRect().height > 0)
        .map((bar) => bar.closest('li')?.querySelector('strong')?.textContent),
    )
  const namesShown = (page: Page) =>
    page.$$eval('svg text', (all) =>
      all.filter((name) => name.getBoundingClientRect().height > 0).map((name) => name.firstChild?.textContent),
    )
  const windows: [number, string][] = [
    [320, 'below sm'],
    [639, 'below sm'],
    [640, 'sm'],
    [767, 'sm'],
    [768, 'md'],
    [1023, 'md'],
    [1024, 'lg'],
    [1279, 'lg'],
    [1280, 'xl'],
    [1920, 'xl'],
  ]

  it('the current breakpoint is named and marked without JavaScript', async () => {
    await visit('breakpoints', {}, async (page) => {
      for (const [width, name] of windows) {
        await page.setViewportSize({ width, height: 800 })
        expect(await markedSegments(page), `at ${width} pixels`).toEqual([name])
        expect(await namesShown(page), `at ${width} pixels`).toEqual([name])
      }
    })
  })

  it('the marked breakpoint is that of a media query, whatever the font size of the page', async () => {
    await visit('breakpoints', { width: 768 }, async (page) => {
      await page.evaluate(() => document.documentElement.setAttribute('class', 'large'))
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('20px')
      expect(await markedSegments(page)).toEqual(['md'])
    })
  })

  it('the ranges of breakpoints are drawn to scale', async () => {
    await visit('breakpoints', {}, async (page) => {
      const bars = await page.$$eval('svg[direction] > rect:first-child', (all) =>
        all.map((bar) => bar.getBoundingClientRect()),
      )
      const whole = await page.$eval('svg[direction]', (strip) => strip.getBoundingClientRect())
      const pixels = [0, 640, 768, 1024, 1280, 1536]
      expect(bars).toHaveLength(5)
      for (const [index, bar] of bars.entries()) {
        expect((bar.x - whole.x) / whole.width).toBeCloseTo((pixels[index] as number) / 1536, 2)
      }
    })
  })
})

it('the images page shows the image, and a table of the delivered sizes', async () => {
  await visit('images', {}, async (page) => {
    await page.waitForLoadState('load')
    expect(await page.$eval('.sw-image', (image) => (image as HTMLImageElement).naturalWidth > 0)).toBe(true)
    // Each size is written once its image has loaded.
    await expect
      .poll(() => page.$$eval('tbody tr', (all) => all.map((row) => row.children[1]?.textContent)))
      .toEqual(['300 × 200'])
    expect(await page.textContent('th a')).toBe('original')
    expect(await page.getAttribute('th a', 'href')).toBe(loader({ src: '/media/green.jpg', width: 640 }))
  })
})

describe('components', () => {
  /** Opens the page with the script, and waits until its frames are loaded. */
  async function visitCard(width: number, check: (page: Page) => Promise<void>) {
    await visit('card', { width, javaScriptEnabled: true }, async (page) => {
      for (const frame of await page.$$('iframe')) await frame.scrollIntoViewIfNeeded()
      await page.waitForLoadState('networkidle')
      await check(page)
    })
  }
  /** Returns for each frame its width for media queries, the padding that they set, and its scale. */
  const framesOf = (page: Page) =>
    Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) =>
          frame.$eval('.card', (card) => {
            const shown = frameElement?.getBoundingClientRect()
            return `${innerWidth} ${getComputedStyle(card).padding} ${Math.round(((shown?.width ?? 0) / innerWidth) * 100)}%`
          }),
        ),
    )
  const choose = (page: Page, width: string) => page.click(`[aria-label="Width of Wide"] >> text="${width}"`)

  it('the picture of a narrow component shows it in the middle', async () => {
    await visit('parts', { javaScriptEnabled: true }, async (page) => {
      const distanceFromMiddle = () =>
        page.$eval('.sw-picture > iframe', (frame) => {
          const badge = (frame as HTMLIFrameElement).contentDocument?.querySelector('button')?.getBoundingClientRect()
          const picture = frame.parentElement?.getBoundingClientRect()
          if (!badge || !picture) return Number.NaN
          const { left, width } = frame.getBoundingClientRect()
          const scale = width / frame.clientWidth
          return Math.abs(left + (badge.left + badge.width / 2) * scale - picture.left - picture.width / 2)
        })
      await expect.poll(distanceFromMiddle, { timeout: 20_000 }).toBeLessThan(2)
    })
  })

  it('the picture of a wide component is measured again in a wider window', async () => {
    await visit('', { width: 390, javaScriptEnabled: true }, async (page) => {
      const frame = page.locator('.sw-wide iframe')
      const widthOfWindow = () => frame.evaluate(({ clientWidth }) => clientWidth)
      await page.waitForSelector('.sw-wide .sw-picture[style*=ratio]')
      expect(await widthOfWindow()).toBeLessThan(1000)
      await page.setViewportSize({ width: 1280, height: 800 })
      await expect.poll(widthOfWindow, { timeout: 20_000 }).toBeGreaterThan(1000)
    })
  })

  it('a frame that X-Frame-Options blocks says so', async () => {
    await visitCard(800, async (page) => {
      await page.route('**/card/**', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, headers: { ...response.headers(), 'X-Frame-Options': 'DENY' } })
      })
      await page.reload()
      for (const frame of await page.$$('iframe')) await frame.scrollIntoViewIfNeeded()
      await page.locator('figcaption', { hasText: 'blocked by X-Frame-Options' }).first().waitFor()
      await page.unrouteAll({ behavior: 'wait' })
      const messages = (await openWindows.get(true))?.messages ?? []
      // Chromium reports each frame, too.
      expect(messages.splice(0).join('\n')).toContain('X-Frame-Options')
    })
  })

  it('media queries in a frame apply to the chosen width, even if the frame is scaled down', async () => {
    await visitCard(800, async (page) => {
      const scaled = Math.round(
        (await page.evaluate(() => document.querySelector('.sw-frames')?.clientWidth ?? 0)) / 12.8,
      )
      expect((await framesOf(page)).slice(0, 2)).toEqual(Array(2).fill(`1280 40px ${scaled}%`))
      await choose(page, '390')
      await expect.poll(async () => (await framesOf(page)).slice(0, 2)).toEqual(['390 10px 100%', '390 10px 100%'])
    })
  })

  it('frames begin at their first width where half of it fits, also after the window is resized', async () => {
    for (const resized of [1280, 390])
      await visitCard(resized === 390 ? 1280 : 390, async (page) => {
        await page.setViewportSize({ width: resized, height: 800 })
        const isFirst = () => page.getAttribute('.sw-choice[value="1280"]', 'aria-pressed')
        await expect.poll(isFirst).toBe(String(resized === 1280))
        await choose(page, '390')
        await page.setViewportSize({ width: 1279, height: 800 })
        await expect.poll(async () => (await framesOf(page))[0]).toBe('390 10px 100%')
      })
  })

  it('a window has the chosen width on a site whose boxes include their padding', async () => {
    await visitCard(800, async (page) => {
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('* { box-sizing: border-box }')
        document.adoptedStyleSheets = [sheet]
      })
      await choose(page, '390')
      await expect.poll(async () => (await framesOf(page))[0]).toBe('390 10px 100%')
    })
  })

  it('the light and the dark frame are side by side if both fit, and no frame is clipped', async () => {
    await visitCard(1280, async (page) => {
      const boxes = () =>
        page.$$eval('.sw-window', (windows) => windows.slice(0, 2).map((window) => window.getBoundingClientRect().y))
      const [light = 0, dark = 0] = await boxes()
      expect(dark).toBeGreaterThan(light)
      await choose(page, '390')
      const [left, right] = await boxes()
      expect(left).toBe(right)
      const clipped = await page.$$eval('.sw-window', (all) =>
        all.map((window) => {
          const [outer, inner] = [window, window.firstElementChild ?? window].map((each) =>
            each.getBoundingClientRect(),
          )
          return outer && inner && (inner.right > outer.right || inner.bottom > outer.bottom + 1)
        }),
      )
      expect(clipped).toEqual([false, false, false, false])
    })
  })

  it('the frames are side by side in a wide window and stacked in a narrow window, also after a resize', async () => {
    await visitCard(390, async (page) => {
      await choose(page, '390')
      const areStacked = () =>
        page.$$eval(
          '.sw-window',
          ([light, dark]) => light?.getBoundingClientRect().y !== dark?.getBoundingClientRect().y,
        )
      for (const [width, expected] of [
        [390, true],
        [1280, false],
        [390, true],
        [1280, false],
      ] as const) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(areStacked).toBe(expected)
      }
    })
  })

  it('frames without a set height fit their content', async () => {
    await visitCard(1920, async (page) => {
      const heights = () => page.$$eval('iframe', (frames) => frames.map(({ clientHeight }) => clientHeight))
      const inner = await page.frames()[1]?.$eval('.card', (card) => Math.ceil(card.getBoundingClientRect().height))
      await expect.poll(heights).toEqual([inner, inner, 300, 300])
    })
  })

  it('without JavaScript, a frame has the available width', async () => {
    await visit('card', {}, async (page) => {
      expect(await page.isVisible('.sw-tools fieldset')).toBe(false)
      const [frame, place] = await page.$eval('.sw-frame', (figure) => [
        figure.querySelector('iframe')?.clientWidth,
        figure.clientWidth,
      ])
      expect(frame).toBe(place)
    })
  })

  it('the source can be scrolled with the keyboard', async () => {
    await visit('card', { width: 390 }, async (page) => {
      await page.focus('pre')
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => page.$eval('pre', (source) => source.scrollLeft)).toBeGreaterThan(0)
    })
  })

  it('a variant has a separate page', async () => {
    await visit('card', {}, async (page) => {
      await page.click('text=Open in a new page: Wide')
      const classNames = () =>
        page.$$eval('body > :not(link, script)', (all) => all.map(({ className }) => className)).catch(String)
      await expect.poll(classNames).toEqual(['sw-fullscreen'])
    })
  })
})

const pages = ['written', 'typography', 'spacing', 'fluid', 'own', 'breakpoints', 'images', 'card', 'search']

it.each(pages)('the page %s fits every window width', async (path) => {
  await visit(path, {}, async (page) => {
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      const widest = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(widest, `at ${width} pixels`).toBeLessThanOrEqual(width)
    }
    await page.setViewportSize({ width: 390, height: 800 })
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'at twice the text size').toBe(390)
  })
})

// Both widths and both schemes.
describe.each([
  [390, 'dark'],
  [1280, 'light'],
] as const)('axe-core at %d pixels, %s', (width, colorScheme) => {
  it.each(pages)('axe-core finds no violation on the page %s', async (path) => {
    await visit(path, { width, colorScheme, javaScriptEnabled: true }, async (page) => {
      for (const summary of await page.$$('details:not([open]) summary')) await summary.click()
      expect(await findViolations(page)).toEqual([])
    })
  })
})
