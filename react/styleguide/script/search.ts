import { distance, parseHex } from '../pages/trial-answer.js'
import { announce } from './copy.js'
import { arrangeFrames } from './frames.js'

/** Lists the server's results, as the user types in the navigation. */
export function searchPages(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches('.sw-nav .sw-search input')) void search(target)
  })
  document.addEventListener('keydown', (event) => {
    const field = event.target instanceof Element && event.target.closest('.sw-nav .sw-search')
    if (field) onKey(event, field)
    else if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)) focus(event)
  })
}

/** Searches for the query of the URL on a page that the server has not made for it, such as a static file. */
export function searchQuery(): void {
  const input = document.querySelector<HTMLInputElement>('main .sw-search input')
  const query = new URLSearchParams(location.search).get('q')
  if (!input || !query || input.defaultValue) return
  input.value = query
  void search(input)
}

async function search(input: HTMLInputElement): Promise<void> {
  const query = input.value.trim()
  const field = input.closest('.sw-search') as HTMLElement
  const status = field.querySelector('[role=status]') as HTMLElement
  const list = field.querySelector('.sw-found') as HTMLElement
  const results = query ? await find(input, query, status.dataset) : { groups: [], text: '' }
  if (input.value.trim() !== query) return // the answer is to an earlier query
  list.replaceChildren(...results.groups)
  arrangeFrames(list)
  field.closest('nav')?.scrollTo(0, 0)
  announce(status, results.text)
}

/** Asks the server. If it answers with the index, or not at all, searches the links of the index or of the navigation. */
async function find({ form }: HTMLInputElement, query: string, texts: DOMStringMap) {
  let [page, base] = [document, location.href]
  try {
    const response = await fetch(`${form?.action}?q=${encodeURIComponent(query)}`)
    if (response.ok) {
      page = new DOMParser().parseFromString(await response.text(), 'text/html')
      base = response.url // the links may be relative
    }
  } catch {
    // The server cannot be reached.
  }
  const text = page.querySelector('main [role=status]')?.textContent
  const shown = text ? 'main .sw-found' : page.querySelector('.sw-index') ? '.sw-index' : '.sw-nav .sw-pages'
  const groups = document.importNode(page.querySelector(shown) as HTMLElement, true)
  const links = [...groups.querySelectorAll<HTMLAnchorElement>('a[href]')]
  for (const link of links) link.href = new URL(link.getAttribute('href') ?? '', base).href
  const found = text
    ? links
    : matching(
        links.filter((link) => link.closest('li')),
        query,
      )
  for (const item of groups.querySelectorAll('section, li, li > a')) {
    if (!found.some((link) => item.contains(link))) item.remove()
  }
  const count = found.length > 0 ? `${texts.found} ${found.length}` : `${texts.empty}`
  return { groups: [...groups.children], text: text || count }
}

/** Returns the links that contain every word; for a hex, those of the nearest colors. */
function matching(links: readonly HTMLAnchorElement[], query: string): readonly HTMLAnchorElement[] {
  const textOf = ({ dataset, textContent }: HTMLElement) => `${textContent} ${dataset.swText}`.toLowerCase()
  const words = query.toLowerCase().split(/\s+/)
  const found = links.filter((link) => words.every((word) => textOf(link).includes(word)))
  const color = /^(#|[\da-f]{6}$)/i.test(query) && (query.startsWith('#') || found.length === 0) && parseHex(query)
  if (!color) return found
  const away = ({ dataset }: HTMLElement) =>
    Math.min(...(dataset.swHex ?? '').split(' ').map((hex) => distance(parseHex(hex) ?? [1e3, 0, 0], color)))
  return [...links].sort((a, b) => away(a) - away(b)).slice(0, 2)
}

function onKey(event: KeyboardEvent, field: Element): void {
  if (event.isComposing) return
  const input = field.querySelector('input') as HTMLInputElement
  const links = [...field.querySelectorAll<HTMLElement>('.sw-found li a')]
  if (event.key === 'Escape' && input.value) {
    event.preventDefault() // the first Escape clears the field, the second closes the menu
    input.value = ''
    input.focus()
    void search(input)
  }
  if (event.key === 'Enter' && event.target === input && links[0]) {
    event.preventDefault() // the first match is opened in place of the page of all matches
    links[0].click()
  }
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

function isTyping(event: Event): boolean {
  // The first target of the path counts, because the field may be in a shadow tree.
  const [target] = event.composedPath()
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=radio]), select, textarea'))
  )
}
