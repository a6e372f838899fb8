import type { Browser } from 'playwright-core'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeListener } from '../../adapters/node/index.js'
import { sharpService } from '../../adapters/sharp/index.js'
import { backgroundImageSet, createImages } from '../../core/image/index.js'
import { decodeSource } from '../../core/image/url.js'
import { listen } from '../../test/adapter/listen.js'
import { connectToChromium } from '../../test/browser/chromium.js'
import { Picture } from './picture.js'

const media = new URL('../../examples/site/media/', import.meta.url).pathname
const images = createImages({ sources: { '/media/': media }, service: sharpService({ isolation: 'none' }) })

const pictureOf = (priority: boolean) => (
  <Picture
    loader={images.loader}
    src="/media/black-canyon.jpg"
    alt="The Black Canyon"
    layout="full-width"
    ratio="16:9"
    priority={priority}
    sources={[
      { media: '(prefers-color-scheme: dark)', src: '/media/march-pastoral.jpg' },
      { media: '(max-width: 40rem), (max-height: 20rem)', ratio: '1:1', focus: { x: 0.3, y: 0.7 } },
      { media: 'screen and (max-width: 60rem)', ratio: '4:3' },
    ]}
  />
)
const hero = backgroundImageSet({ loader: images.loader, src: '/media/nagasaki-boats.jpg', width: 256, ratio: '3:2' })
const stylesheet = `body{margin:0}img{display:block;width:100%;height:auto}
.far{margin-top:3000px}.hero{height:200px;background:center/cover ${hero}}`
const page = (content: React.ReactNode) =>
  renderToString(
    <html lang="en">
      {/* biome-ignore lint/style/noHeadElement: no page of Next.js */}
      <head>
        <title>Test</title>
        <meta name="viewport" content="width=device-width" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/site.css" />
      </head>
      <body>{content}</body>
    </html>,
  )
const pages: Record<string, React.ReactNode> = {
  '/first': pictureOf(true),
  '/lazy': <div className="far">{pictureOf(false)}</div>,
  '/background': <div className="hero" />,
}

let server: Awaited<ReturnType<typeof listen>>
let browser: Browser
beforeAll(async () => {
  const respond = async (request: Request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/site.css') return new Response(stylesheet, { headers: { 'Content-Type': 'text/css' } })
    const html = pages[pathname]
    const headers = {
      'Content-Type': 'text/html',
      'Content-Security-Policy': "default-src 'self'; img-src 'self' data:",
    }
    if (html) return new Response(page(html), { headers })
    return (await images.handler(request)) ?? new Response(null, { status: 404 })
  }
  server = await listen(nodeListener(respond))
  browser = await connectToChromium()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

interface Viewport {
  width: number
  density: number
  dark?: boolean
}

/**
 * Opens a page with an empty cache. Returns the images that the browser requested, and the shape of the first image.
 */
async function visit(path: string, { width, density, dark = false }: Viewport) {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    deviceScaleFactor: density,
    colorScheme: dark ? 'dark' : 'light',
  })
  const page = await context.newPage()
  const requested: string[] = []
  const consoleMessages: string[] = []
  page.on('console', (message) => consoleMessages.push(message.text()))
  page.on('request', (request) => {
    const [, source = '', query] = /_image\/([\w-]+)\?(.*)/.exec(request.url()) ?? []
    if (query) requested.push(`${decodeSource(source)}?${query}`)
  })
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as unknown as { value: number }[]
      Object.assign(globalThis, { shift: shifts.reduce((sum, { value }) => sum + value, 0) })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(server.url + path, { waitUntil: 'load' })
  const image = page.locator('img')
  if ((await image.count()) > 0) {
    await image.scrollIntoViewIfNeeded()
    await image.evaluate((element: HTMLImageElement) => element.decode())
  }
  const box = await page.evaluate(() => document.querySelector('img')?.getBoundingClientRect().toJSON())
  const shift = await page.evaluate(() => (globalThis as unknown as { shift?: number }).shift ?? 0)
  await context.close()
  return { requested, consoleMessages, shift, shape: box && (box.width / box.height).toFixed(2) }
}

const canyon = '/media/black-canyon.jpg'
const phone = '&ratio=1:1&focus=3,7'

describe('<Picture>', () => {
  it.each<[number, number, boolean, string, string]>([
    [390, 1, false, `${canyon}?width=640${phone}`, '1.00'],
    [390, 2, false, `${canyon}?width=828${phone}`, '1.00'],
    [768, 1, false, `${canyon}?width=828&ratio=4:3`, '1.33'],
    [768, 2, false, `${canyon}?width=1920&ratio=4:3`, '1.33'],
    [1280, 1, false, `${canyon}?width=1920&ratio=16:9`, '1.78'],
    [1280, 2, false, `${canyon}?width=3840&ratio=16:9`, '1.78'],
    [390, 2, true, '/media/march-pastoral.jpg?width=828&ratio=16:9', '1.78'],
    [1280, 1, true, '/media/march-pastoral.jpg?width=1920&ratio=16:9', '1.78'],
  ])('a picture at %i pixels, density %i, dark: %s, requests one file', async (width, density, dark, file, shape) => {
    for (const path of ['/first', '/lazy']) {
      expect({ path, ...(await visit(path, { width, density, dark })) }).toEqual({
        path,
        requested: [file],
        consoleMessages: [],
        shift: 0,
        shape,
      })
    }
  })

  it('a picture with priority is preloaded in the head', () => {
    const html = page(pages['/first'])
    expect(html.slice(0, html.indexOf('<body')).match(/rel="preload" as="image"/g)).toHaveLength(4)
  })
})

it.each([
  [1, 256],
  [2, 640],
])('a background at density %i requests the file of %i pixels', async (density, width) => {
  const { requested, consoleMessages } = await visit('/background', { width: 256, density })
  expect({ requested, consoleMessages }).toEqual({
    requested: [`/media/nagasaki-boats.jpg?width=${width}&ratio=3:2`],
    consoleMessages: [],
  })
})
