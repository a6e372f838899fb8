import type { Browser } from 'playwright-core'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nodeListener } from '../../adapters/node/index.js'
import { createRoutes } from '../../core/localized-pages/index.js'
import { listen } from '../../test/adapter/listen.js'
import { connectToChromium } from '../../test/browser/chromium.js'
import { LanguageSwitch } from './index.js'

const routes = createRoutes({ languages: ['en', 'ar'], default: 'en', paths: { '/about': { ar: '/حول' } } })
const texts = { en: ['About', 'Language'], ar: ['حول الموقع', 'اللغة'] } as const
const handler = routes.handler((page) => {
  const [title, label] = texts[page.language]
  const html = renderToStaticMarkup(
    <html {...routes.html(page.language)}>
      {/* biome-ignore lint/style/noHeadElement: this is not a page of Next.js. */}
      <head>
        <meta charSet="utf-8" />
        <title>{title}</title>
      </head>
      <body>
        <LanguageSwitch links={routes.languageLinks(page)} aria-label={label} />
        <h1>{title}</h1>
      </body>
    </html>,
  )
  return new Response(`<!doctype html>${html}`, { headers: { 'Content-Type': 'text/html' } })
})

let browser: Browser
let server: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  browser = await connectToChromium()
  server = await listen(nodeListener(handler))
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

it('an Arabic page is set from right to left, and its language switch leads to the English page and back', async () => {
  const context = await browser.newContext({ locale: 'ar-EG', viewport: { width: 390, height: 300 } })
  const page = await context.newPage()
  await page.goto(`${server.url}/about`)
  expect(decodeURIComponent(page.url())).toBe(`${server.url}/ar/حول`)
  const direction = () => page.evaluate(() => getComputedStyle(document.body).direction)
  const heading = await page.locator('h1').evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return innerWidth - range.getBoundingClientRect().right
  })
  // The margin of the body, in pixels.
  expect([await direction(), heading, await page.getAttribute('[aria-current]', 'lang')]).toEqual(['rtl', 8, 'ar'])
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })

  await page.getByRole('navigation', { name: 'اللغة' }).getByRole('link', { name: 'English' }).click()
  expect([page.url(), await direction()]).toEqual([`${server.url}/en/about`, 'ltr'])
  await page.getByRole('link', { name: 'العربية' }).click()
  expect(decodeURIComponent(page.url())).toBe(`${server.url}/ar/حول`)
  await context.close()
})
