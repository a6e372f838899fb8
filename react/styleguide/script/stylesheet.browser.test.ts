import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { measureOn } from '../../../core/styleguide/colors/color.js'
import { serveStyleguide } from '../testing/scripted-site.js'

const warning = 'sitewright/styleguide.css: expected on this page, got none of it'
const { open, urlOf, takeMessages } = serveStyleguide()

/** The stylesheet's URL responds with 404. */
const answers404 = (page: Page) =>
  page.route('**/styleguide.css', (request) => request.fulfill({ status: 404, body: '' }))
/** The page has other styles, but no rule of the stylesheet. */
const isNotLinked = (page: Page) =>
  page.route('**/styleguide.css', (request) => request.fulfill({ contentType: 'text/css', body: 'body { margin: 0 }' }))

it.each([
  ['its URL answers 404', answers404],
  ['the page has other styles only', isNotLinked],
])('each page warns once about the missing stylesheet: %s', async (_, prepare) => {
  const page = await open('', {}, prepare)
  await page.waitForLoadState()
  await page.goto(urlOf('components'))
  await page.waitForLoadState()
  const warnings = takeMessages().filter((message) => message.startsWith('sitewright'))
  expect(warnings).toEqual([warning, warning])
})

it('there is no warning if the stylesheet applies, nor on a public host name', async () => {
  const page = await open('')
  await page.waitForLoadState()
  expect(takeMessages()).toEqual([])

  const { origin } = new URL(urlOf(''))
  await page.route('http://styles.example/**', async (request) => {
    const { pathname } = new URL(request.request().url())
    if (pathname === '/styleguide.css') return request.fulfill({ contentType: 'text/css', body: '' })
    return request.fulfill({ response: await request.fetch({ url: origin + pathname }) })
  })
  await page.goto('http://styles.example/styleguide/')
  await page.waitForLoadState()
  expect(await page.title()).toBe('Styleguide')
  expect(takeMessages()).toEqual([])
})

it.each([
  ['#fff', '#181b22'],
  ['#ddd', '#000'],
  ['#123b2a', '#fff'],
  ['#c9a', '#201'],
])('on a background of %s with text of %s, the border of a field has a contrast of 3:1', async (bg, text) => {
  const page = await open('', {}, (page) =>
    page.route('**/styleguide.css', async (request) => {
      const body = `${await (await request.fetch()).text()} :root { --sw-bg: ${bg}; --sw-text: ${text} }`
      await request.fulfill({ contentType: 'text/css', body })
    }),
  )
  const border = await page.$eval('.sw-search input', (field) => getComputedStyle(field).borderTopColor)
  // WCAG 2.2, 1.4.11
  expect(measureOn(border, bg)?.ratio).toBeGreaterThanOrEqual(3)
})
