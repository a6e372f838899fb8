import { announce } from './copy.js'

/** An item of the index that the search can find. A result shows a copy of the item's link. */
interface Entry {
  item: HTMLElement
  title: string
  text: string
  /** The sRGB values of a color; empty for other items. */
  colors: readonly Rgb[]
}

export type Rgb = readonly [r: number, g: number, b: number]

const maxResults = 40
let entries: Promise<Entry[]> | undefined

/**
 * Searches pages, components and colors as the user types: by title, text and value, or by a hex for the nearest
 * colors.
 */
export function searchPages(): void {
  document.addEventListener('input', ({ target }) => {
    if (isSearch(target)) void search(target)
  })
  document.addEventListener('focusin', ({ target }) => {
    if (isSearch(target)) entries ??= load(target)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (target instanceof Element && target.closest('.sw-search')) onKey(event, target.closest('.sw-search') as Element)
    else if (key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)) focus(event)
  })
}

async function load(input: HTMLInputElement): Promise<Entry[]> {
  let root: ParentNode = document
  let selector = '.sw-nav > .sw-pages li'
  try {
    const response = await fetch(input.dataset.swIndex ?? '')
    if (response.ok) {
      const index = new DOMParser().parseFromString(await response.text(), 'text/html')
      index.head.appendChild(index.createElement('base')).href = response.url // the links of the index may be relative
      root = index
      selector = '.sw-index > li'
    }
  } catch {
    // Without the index, the titles in the navigation are searched.
  }
  return [...root.querySelectorAll<HTMLElement>(selector)].flatMap((item) => {
    const link = item.querySelector<HTMLAnchorElement>('a[href]')
    const text = fold(selector.includes('index') ? item.textContent : (link?.textContent ?? ''))
    const colors = (item.dataset.swHex ?? '')
      .split(' ')
      .map(parseHex)
      .filter((color) => color !== undefined)
    return link ? [{ item, title: fold(link.textContent).trim(), text, colors }] : []
  })
}

async function search(input: HTMLInputElement): Promise<void> {
  entries ??= load(input)
  const index = await entries
  const text = fold(input.value.trim())
  const color = /^#/.test(text) ? parseHex(text) : undefined
  const results = text === '' ? [] : color ? nearest(index, color) : matching(index, text)
  const list = input.closest('.sw-search')?.querySelector('.sw-found')
  list?.replaceChildren(...results.slice(0, maxResults).map(resultOf))
  input.closest('nav')?.scrollTo(0, 0)
  const status = input.closest('.sw-search')?.querySelector<HTMLElement>('[role=status]')
  if (status) announce(status, text && describe(status.dataset, results, color))
}

/** Describes the results in the words of the page: their number, that a color is none of the site, or that there are none. */
function describe({ found, nearest, empty }: DOMStringMap, results: readonly Entry[], color: Rgb | undefined): string {
  if (results.length === 0) return empty ?? ''
  const isNearest = color && !results[0]?.colors.some((own) => String(own) === String(color))
  return isNearest ? (nearest ?? '') : `${found} ${results.length}`
}

/** Returns the entries that contain every word. Entries with the text in their title come first. */
function matching(index: readonly Entry[], text: string): Entry[] {
  const words = text.split(/\s+/)
  const rankOf = ({ title, text: whole }: Entry) => {
    if (title.startsWith(text)) return 0
    if (title.includes(text)) return 1
    return words.every((word) => whole.includes(word)) ? 2 : 3
  }
  const ranked = index.map((entry) => ({ entry, rank: rankOf(entry) })).filter(({ rank }) => rank < 3)
  return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
}

function nearest(index: readonly Entry[], color: Rgb): Entry[] {
  const distanceOf = ({ colors }: Entry) => Math.min(...colors.map((candidate) => distance(candidate, color)))
  const ranked = index.map((entry) => ({ entry, distance: distanceOf(entry) })).filter(({ distance }) => distance < 1e9)
  const sorted = ranked.sort((a, b) => a.distance - b.distance)
  // If no color is near, the two nearest are an answer, too.
  return sorted.filter(({ distance }, rank) => distance < 90 || rank < 2).map(({ entry }) => entry)
}

/**
 * Returns the distance in sRGB, with each channel weighted by the sensitivity of the eye
 * (https://www.compuphase.com/cmetric.htm).
 */
export function distance([r, g, b]: Rgb, [red, green, blue]: Rgb): number {
  const mean = (r + red) / 512
  return Math.sqrt((2 + mean) * (r - red) ** 2 + 4 * (g - green) ** 2 + (3 - mean) * (b - blue) ** 2)
}

export function parseHex(hex: string): Rgb | undefined {
  const written = hex.replace(/^#/, '')
  const digits = written.length < 5 ? written.replace(/./g, '$&$&') : written
  const [r, g, b] = (/^[\da-f]{6}(?:[\da-f]{2})?$/i.test(digits) ? digits.match(/../g) : null) ?? []
  return r && g && b ? [Number.parseInt(r, 16), Number.parseInt(g, 16), Number.parseInt(b, 16)] : undefined
}

function resultOf({ item }: Entry): HTMLElement {
  const result = document.createElement('li')
  const link = item.querySelector('a')
  if (link) result.appendChild(document.importNode(link, true)).href = link.href
  return result
}

function onKey(event: KeyboardEvent, field: Element): void {
  if (event.isComposing) return
  const input = field.querySelector('input') as HTMLInputElement
  const links = [...field.querySelectorAll<HTMLElement>('.sw-found a')]
  if (event.key === 'Escape' && input.value) {
    event.preventDefault() // the first Escape clears the field, the second closes the menu
    input.value = ''
    input.focus()
    void search(input)
  }
  if (event.key === 'Enter' && event.target === input) links[0]?.click()
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step || links.length === 0) return
  event.preventDefault()
  const stops = [input, ...links]
  stops[(stops.indexOf(document.activeElement as HTMLElement) + step + stops.length) % stops.length]?.focus()
}

function focus(event: Event): void {
  const input = document.querySelector<HTMLInputElement>('.sw-search input')
  if (!input) return
  event.preventDefault()
  if (!input.checkVisibility()) input.closest('nav')?.showPopover()
  input.select()
}

function isSearch(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.closest('.sw-search') !== null
}

function isTyping(event: Event): boolean {
  // The first target of the path counts, because the field may be in a shadow tree.
  const [target] = event.composedPath()
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=radio]), select, textarea'))
  )
}

/** Returns a text in lower case and without accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
