import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { serveStyleguide } from '../testing/scripted-site.js'

const warning = 'sitewright/styleguide.css: expected on this page, got none of it'
const { open, urlOf, takeMessages } = serveStyleguide()

/** What a browser does with a link to a file that is not there. */
const answers404 = (page: Page) =>
  page.route('**/styleguide.css', (request) => request.fulfill({ status: 404, body: '' }))
/** A site that has forgotten the link, and has styles of its own. */
const isNotLinked = (page: Page) =>
  page.route('**/styleguide.css', (request) => request.fulfill({ contentType: 'text/css', body: 'body { margin: 0 }' }))

it.each([
  ['its URL answers 404', answers404],
  ['the page has other styles only', isNotLinked],
])('without its stylesheet, since %s, warns once on each page', async (_, prepare) => {
  const page = await open('', {}, prepare)
  await page.waitForLoadState()
  await page.goto(urlOf('components'))
  await page.waitForLoadState()
  const warnings = takeMessages().filter((message) => message.startsWith('sitewright'))
  expect(warnings).toEqual([warning, warning])
})

it('says nothing with it, nor on a site that is no longer on the developer’s machine', async () => {
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
