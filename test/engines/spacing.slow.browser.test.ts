import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spacingStylesheet } from '../../core/spacing/index.js'
import {
  allCases,
  cases,
  findDeviations,
  measureSpacing,
  pageWith,
  viewports,
} from '../../react/spacing/testing/cases.js'
import { listen } from '../adapter/listen.js'
import { engines } from './engines.js'
import { createTab, type Tab } from './tab.js'
import { complaintsOf, watchSite } from './watched-site.js'

const files: Record<string, string> = {
  '/spacing.css': spacingStylesheet(),
  '/spacing.layer.css': spacingStylesheet({ layered: true }),
}
let origin: Awaited<ReturnType<typeof listen>>
let site: Awaited<ReturnType<typeof watchSite>>

beforeAll(async () => {
  const preflight = await readFile(new URL('../../node_modules/tailwindcss/preflight.css', import.meta.url), 'utf8')
  const allFiles: Record<string, string> = { ...files, '/preflight.css': `@layer base{${preflight}}` }
  for (const file of Object.keys(files)) allFiles[`${file}.html`] = pageWith(['/preflight.css', file], allCases())
  origin = await listen(({ url = '' }, response) => {
    const content = allFiles[url]
    response.writeHead(content === undefined ? 404 : 200, {
      'Content-Type': url.endsWith('.css') ? 'text/css' : 'text/html',
      'Content-Security-Policy': "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'",
    })
    response.end(content)
  })
  site = await watchSite(origin.url)
})

afterAll(async () => {
  await site?.close()
  await origin?.close()
})

describe.each(engines)('in $engine', ({ start }) => {
  let tab: Tab
  beforeAll(async () => {
    tab = createTab(await start('light'))
  }, 60_000)
  afterAll(() => tab?.close())

  it.each(Object.keys(files))('%s sets each length at each breakpoint, under a strict CSP', async (file) => {
    await tab.resize(360, 800)
    await tab.open(`${site.url}${file}.html`)
    for (const width of viewports) {
      await tab.resize(width, 800)
      const measured = await tab.evaluate(measureSpacing, 'body > *')
      expect(measured.length).toBe(cases.length)
      const actual = { width: await tab.evaluate(() => innerWidth), wrong: findDeviations(measured, width) }
      expect(actual).toEqual({ width, wrong: [] })
    }
    expect(await tab.evaluate(complaintsOf)).toEqual([])
  })
})
