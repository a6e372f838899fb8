import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  names,
  oklabError,
  pageOf,
  plainImage,
  showsPage,
  size,
  startPlaceholderSite,
} from '../../react/image/testing/placeholder-site.js'
import { engines } from './engines.js'
import { createTab, type Tab } from './tab.js'

let site: Awaited<ReturnType<typeof startPlaceholderSite>>
beforeAll(async () => {
  site = await startPlaceholderSite()
})
afterAll(() => site?.close())

describe.each(engines)('in $engine', ({ start }) => {
  let tab: Tab
  beforeAll(async () => {
    tab = createTab(await start('light'))
    await tab.resize(600, 500)
  }, 60_000)
  afterAll(() => tab?.close())

  let opened = 0
  const shoot = async (html: string): Promise<Buffer> => {
    const path = `/page-${opened++}`
    site.pages[path] = pageOf(html)
    await tab.open(site.url + path)
    const whole = sharp(await tab.screenshot())
    return await whole
      .extract({ left: 0, top: 0, ...size })
      .png()
      .toBuffer()
  }

  it.each(names)('a placeholder of %s looks like the blurred photograph', async (name) => {
    // WebKit may take its first screenshot before it has painted.
    await vi.waitFor(async () => {
      const shot = await shoot(site.imageOf('/transparent.gif', name))
      expect(await oklabError(shot, site.photos[name].blurred)).toBeLessThan(6)
    }, 20_000)
  })

  it('a placeholder leaves no trace after an opaque image has loaded', async () => {
    const shot = await shoot(site.imageOf('/black-canyon.png', 'nagasaki-boats'))
    expect(shot.equals(await shoot(plainImage('/black-canyon.png')))).toBe(true)
  })

  it('an image shows only its own placeholder, and no placeholder with object-fit: contain', async () => {
    const inner = site.imageOf('/transparent.gif', 'black-canyon')
    const nested = await shoot(`<div data-lq="${site.photos['nagasaki-boats'].placeholder}">${inner}</div>`)
    expect(nested.equals(await shoot(inner))).toBe(true)
    expect(await showsPage(nested)).toBe(false)
    for (const name of ['object-contain', 'bars']) {
      expect(await showsPage(await shoot(site.imageOf('/transparent.gif', 'black-canyon', `class="${name}"`)))).toBe(
        true,
      )
    }
  })
})
