import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StyleguideIndex } from '../../core/styleguide/index.js'
import { type RunningExample, startExample } from '../examples/start.js'
import { connectToChromium } from './chromium.js'

let browser: Browser
beforeAll(async () => {
  browser = await connectToChromium()
})
afterAll(() => browser?.close())

const faults =
  '.card .kicker { color: #7e2d1c } .card-text { margin-top: 13px } .card .card-summary { font-size: 18.5px }'

describe.each(['vite-hono', 'vite-express', 'example-next'])('%s', (name) => {
  let example: RunningExample
  beforeAll(async () => {
    example = await startExample(name, { STYLEGUIDE_ENABLED: 'true', STYLEGUIDE_XRAY: 'true' })
  })
  afterAll(() => example?.close())

  /** Opens X-ray. Adds the faults to the stylesheets. */
  async function xRay(path: string, css = ''): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.route('**/*.css', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()) + css })
    })
    await page.goto(`${example.url}/styleguide/x-ray?page=${path}`)
    await page.getByText(/values on this page are tokens/).waitFor()
    return page
  }

  it('X-ray finds the seeded strays, and none on the clean pages', async () => {
    for (const path of ['/', '/articles/airplane']) {
      const page = await xRay(path)
      expect([path, await page.locator('.sw-strays li').allInnerTexts()]).toEqual([path, []])
      await page.close()
    }
    const page = await xRay('/', faults)
    const strays = await page.locator('.sw-strays li em').allInnerTexts()
    expect(new Set(strays)).toEqual(new Set(['accent', 'lead', 'space-3']))
    await page.close()
  })

  it('index.json has pages, components with frames, and tokens', async () => {
    const index = (await (await fetch(`${example.url}/styleguide/index.json`)).json()) as StyleguideIndex
    expect(index.pages.map(({ title }) => title)).toContain('Colors')
    expect(index.components.map(({ title }) => title)).toContain('Card')
    expect(index.tokens.sets.base.sources[0]).toMatchObject({
      color: { accent: { $type: 'color', $value: { hex: '#7d2c1b' } } },
    })
    for (const { variants } of index.components)
      for (const { href } of variants) expect((await fetch(example.url + href)).status).toBe(200)
  })
})
