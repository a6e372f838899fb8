import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  createSite,
  type Name,
  names,
  oklabError,
  type Photograph,
  pageOf,
  readPhotographs,
  showsPage,
  size,
} from '../../react/image/testing/placeholder-site.js'
import { listen } from '../adapter/listen.js'
import { engines } from './engines.js'
import { createTab, type Tab } from './tab.js'

let photos: Record<Name, Photograph>
let site: ReturnType<typeof createSite>
let server: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  photos = await readPhotographs()
  site = createSite(photos)
  server = await listen((req, res) => void site.answer(req, res))
})
afterAll(() => server?.close())

const attributes = `width="${size.width}" height="${size.height}" alt=""`
const imageOf = (src: string, name: Name, more = '') =>
  `<img src="${src}" data-lq="${photos[name].placeholder}" ${attributes} ${more}>`

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
    await tab.open(server.url + path)
    const whole = sharp(await tab.screenshot())
    return await whole
      .extract({ left: 0, top: 0, ...size })
      .png()
      .toBuffer()
  }

  it.each(names)('a placeholder of %s looks like the blurred photograph', async (name) => {
    // WebKit may take its first screenshot before it has painted.
    await vi.waitFor(async () => {
      const shot = await shoot(imageOf('/transparent.gif', name))
      expect(await oklabError(shot, photos[name].blurred)).toBeLessThan(6)
    })
  })

  it('it is gone without a trace once an opaque image is there', async () => {
    const shot = await shoot(imageOf('/black-canyon.png', 'nagasaki-boats'))
    expect(shot.equals(await shoot(`<img src="/black-canyon.png" ${attributes}>`))).toBe(true)
  })

  it('it is the image’s own, and not painted with object-fit: contain', async () => {
    const inner = imageOf('/transparent.gif', 'black-canyon')
    const nested = await shoot(`<div data-lq="${photos['nagasaki-boats'].placeholder}">${inner}</div>`)
    expect(nested.equals(await shoot(inner))).toBe(true)
    expect(await showsPage(nested)).toBe(false)
    for (const name of ['object-contain', 'bars']) {
      expect(await showsPage(await shoot(imageOf('/transparent.gif', 'black-canyon', `class="${name}"`)))).toBe(true)
    }
  })
})
