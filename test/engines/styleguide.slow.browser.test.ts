import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exampleUrl } from '../browser/examples.js'
import { views } from './engines.js'
import { accent, background } from './site-colors.js'
import { createTab, keys, type Tab } from './tab.js'
import { complaintsOf, watchSite } from './watched-site.js'

let site: Awaited<ReturnType<typeof watchSite>>

beforeAll(async () => {
  site = await watchSite(await exampleUrl('vite-hono'))
}, 200_000)

afterAll(() => site?.close())

describe.each(views)('the styleguide in $engine, $scheme', ({ scheme, start }) => {
  let tab: Tab
  beforeAll(async () => {
    tab = createTab(await start(scheme))
  }, 60_000)
  afterAll(() => tab?.close())
  beforeEach(() => tab.resize(1280, 800))

  const open = (path: string) => tab.open(`${site.url}/styleguide/${path}`)

  it('the background of the styleguide reaches the edge of the window, even beside a scrollbar', async () => {
    await open('foundations/colors')
    // The site's own stylesheet gives the document the background of its pages, so the styleguide gets another one.
    const own = { light: 'rgb(200, 255, 200)', dark: 'rgb(0, 60, 0)' }
    await tab.evaluate(setBackground, `light-dark(${own.light}, ${own.dark})`)
    for (const [choice, expected] of [
      ['System', own[scheme]],
      ['Light', own.light],
      ['Dark', own.dark],
    ] as const) {
      await tab.click(`label[title=${choice}]`)
      const edge = await colorOfColumn(await tab.screenshot(), 1279, await tab.evaluate(rowOfHeaderLine))
      expect({ choice, edge }).toEqual({ choice, edge: expected })
    }
    await tab.click('label[title=System]')
  })

  it('the scrollbar of the navigation has the background of the styleguide', async () => {
    await tab.resize(1280, 400)
    await open('foundations/colors')
    const { isScrollable, right } = await tab.evaluate(navigation)
    expect(isScrollable).toBe(true)
    const edge = await colorOfColumn(await tab.screenshot(), right - 1, await tab.evaluate(rowOfHeaderLine))
    expect(edge).toBe(background[scheme])
  })

  it('the search opens with a slash, closes with Escape, and opens its first result with Enter', async () => {
    await open('')
    await tab.press('/')
    await tab.press(accent)
    await tab.waitFor(isFirstFound, 'accent')
    await tab.press(keys.escape)
    expect((await tab.evaluate(visiblePages)).length).toBeGreaterThan(10)
    await tab.press('CAPTIONS')
    await tab.waitFor(isFirstFound, 'Captions')
    await tab.press(keys.enter)
    await tab.waitFor(isAt, '/styleguide/writing/captions')
  })

  it('the styleguide copies the value of a color', async () => {
    await open('foundations/colors')
    await tab.click('#color-accent')
    await tab.click('#color-accent + .sw-detail .sw-copy')
    await tab.waitFor(hasText, '.sw-toast', `Copied ${accent}`)
    await tab.click('.sw-search input')
    await tab.press('v', keys.control)
    await tab.waitFor(hasValue, '.sw-search input', accent)
  })

  it('the styleguide remembers the color scheme, which the arrow keys choose', async () => {
    await open('')
    expect(await tab.evaluate(schemeOf)).toEqual(['light dark', background[scheme]])
    await tab.evaluate(focusOn, '#sw-system')
    await tab.press(keys.right)
    expect(await tab.evaluate(schemeOf)).toEqual(['light', background.light])
    await tab.press(keys.right)
    expect(await tab.evaluate(schemeOf)).toEqual(['dark', background.dark])
    await open('foundations/typography')
    expect(await tab.evaluate(schemeOf)).toEqual(['dark', background.dark])
    expect(await tab.evaluate(isChecked, '#sw-dark')).toBe(true)
    await tab.click('label[title=System]')
    expect(await tab.evaluate(schemeOf)).toEqual(['light dark', background[scheme]])
  })

  it('the keyboard skips to the content, and the focus is visible', async () => {
    await open('foundations/colors')
    await tab.press(keys.tab)
    expect(await tab.evaluate(focused)).toMatchObject({ text: 'Skip to content', isSeen: true })
    await tab.press(keys.enter)
    await tab.waitFor(() => document.activeElement?.localName === 'main')
    await tab.press(keys.tab) // the breadcrumbs
    expect(await tab.evaluate(focused)).toEqual({ text: 'Silver & Salt', isSeen: true, outline: 'solid' })
  })

  it('the menu opens on a small screen, and closes with Escape', async () => {
    await tab.resize(390, 800)
    await open('')
    expect(await tab.evaluate(visiblePages)).toEqual([])
    await tab.click('.sw-menu')
    expect((await tab.evaluate(visiblePages)).length).toBeGreaterThan(10)
    await tab.press(keys.escape)
    await tab.waitFor(() => !document.querySelector('.sw-nav')?.checkVisibility())
  })

  it('frames fit their components, and headings have links', async () => {
    await open('components/card')
    const frames = await tab.waitFor(framesOf)
    for (const { frame, content } of frames) expect(frame).toBe(content)
    await open('writing/captions')
    await tab.click('h1')
    expect(await tab.evaluate(headingsWithoutLink)).toEqual([])
    expect(await tab.evaluate(complaintsOf)).toEqual([])
  })
})

/** The color of a column of pixels, if it has just one, except for the row of the header's line. */
async function colorOfColumn(png: Buffer, left: number, row: number): Promise<string> {
  const { height = 0 } = await sharp(png).metadata()
  const area = { left, top: 0, width: 1, height }
  const pixels = await sharp(png).extract(area).removeAlpha().raw().toBuffer()
  const colors = Array.from({ length: height }, (_, y) => `rgb(${[...pixels.subarray(3 * y, 3 * y + 3)].join(', ')})`)
  return [...new Set(colors.toSpliced(row, 1))].join(' and ')
}

// In the page:

const focusOn = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus()
const isChecked = (selector: string) => document.querySelector<HTMLInputElement>(selector)?.checked
const isAt = (path: string) => location.pathname === path
/** The line ends at the edge of the window, unless a scrollbar takes room there. */
const rowOfHeaderLine = () => (document.querySelector('.sw-header') as Element).getBoundingClientRect().bottom - 1
const setBackground = (value: string) => document.documentElement.style.setProperty('--sw-bg', value)
const hasText = (selector: string, text: string) => document.querySelector(selector)?.textContent === text
const hasValue = (selector: string, value: string) =>
  document.querySelector<HTMLInputElement>(selector)?.value === value

/** Whether the first result has this title. */
function isFirstFound(title: string): boolean {
  return document.querySelector('.sw-found li a strong')?.textContent === title
}

/** Whether the navigation is higher than its place, and where its content or scrollbar ends, before its border. */
function navigation() {
  const { scrollHeight, clientHeight, offsetWidth } = document.querySelector('.sw-nav') as HTMLElement
  return { isScrollable: scrollHeight > clientHeight, right: offsetWidth - 1 }
}

function visiblePages(): (string | null)[] {
  const links = [...document.querySelectorAll('.sw-nav .sw-pages a')]
  return links.filter((link) => link.checkVisibility()).map(({ textContent }) => textContent)
}

function schemeOf(): [string, string] {
  const shell = document.querySelector('.sw-styleguide') as Element
  return [getComputedStyle(document.documentElement).colorScheme, getComputedStyle(shell).backgroundColor]
}

function focused() {
  const element = document.activeElement as Element
  const { top, bottom, width, height } = element.getBoundingClientRect()
  return {
    text: element.textContent,
    isSeen: element.matches(':focus-visible') && top >= 0 && bottom <= innerHeight && width > 1 && height > 1,
    outline: getComputedStyle(element).outlineStyle,
  }
}

/** Heights of the frames that fit their content, once all are loaded. */
function framesOf() {
  const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe[data-sw-fit]')]
  for (const frame of frames) frame.loading = 'eager'
  const isLoaded = ({ contentDocument }: HTMLIFrameElement) =>
    contentDocument?.readyState === 'complete' && contentDocument.URL !== 'about:blank'
  if (frames.length === 0 || !frames.every(isLoaded)) return undefined
  return frames.map((frame) => ({
    frame: frame.clientHeight,
    content: Math.ceil(frame.contentDocument?.documentElement.getBoundingClientRect().height ?? 0),
  }))
}

function headingsWithoutLink(): (string | null)[] {
  const headings = document.querySelectorAll('.sw-content :is(h2, h3)[id]:not(:has(a))')
  return [...headings].map(({ textContent }) => textContent)
}
