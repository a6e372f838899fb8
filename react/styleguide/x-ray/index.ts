import type { StyleguideIndex } from '../../../core/styleguide/index.js'
import { hexOf, type Srgb } from '../../../core/styleguide/internal.js'
import { createCard, readComponents, spaceAbove } from './card.js'
import { createProbe, measurePage, readTokens, type Stray } from './measure.js'
import { markOver, node, swatch } from './nodes.js'

const root = document.querySelector<HTMLElement>('.sw-xray')
if (root) void open(root)

/** Opens the page of the query in the frame, and measures it whenever it loads or the color scheme changes. */
async function open(root: HTMLElement): Promise<void> {
  const frame = root.querySelector('iframe') as HTMLIFrameElement
  const input = root.querySelector('input[name=page]') as HTMLInputElement
  const status = root.querySelector('[role=status]') as HTMLElement
  const response = await fetch(root.dataset.swIndex ?? '')
  if (!response.ok) return void status.append(`${response.url} answers ${response.status}`)
  const index = (await response.json()) as StyleguideIndex
  const components = readComponents(index)
  const asked = new URL(new URLSearchParams(location.search).get('page') ?? '/', location.href)
  // A page of another origin cannot be measured.
  input.value = asked.origin === location.origin ? asked.pathname + asked.search : '/'
  const update = async () => {
    const page = frame.contentDocument
    const isReadable = page?.body && page.URL !== 'about:blank'
    const blocked =
      "This page does not allow frames of its own site: send frame-ancestors 'self', and X-Frame-Options: SAMEORIGIN."
    status.textContent = isReadable ? measure(root, frame, page, index, await components) : blocked
  }
  frame.addEventListener('load', update)
  document.addEventListener('change', ({ target }) => {
    const { name, value } = target as HTMLInputElement
    if (name === 'sw-scheme') void update()
    if (name === 'sw-width') frame.style.width = value && `${value}px`
  })
  frame.src = input.value
}

type Components = Awaited<ReturnType<typeof readComponents>>

let stop = new AbortController()

/** Lists and outlines the strays of a page, shows the card of an element, and returns how much is made of tokens. */
function measure(
  root: HTMLElement,
  frame: HTMLIFrameElement,
  page: Document,
  index: StyleguideIndex,
  components: Components,
): string {
  stop.abort()
  stop = new AbortController()
  const { signal } = stop
  const probe = createProbe(page)
  const tokens = readTokens(index, probe)
  const { strays, values, tokenCount } = measurePage(page, tokens, probe)
  probe.remove()

  const card = root.querySelector('.sw-card') as HTMLElement
  const stage = frame.parentElement as HTMLElement
  let current: Element | undefined
  const draw = () => {
    const space = node('i', '')
    if (current) space.style.height = `${spaceAbove(current)}px`
    const box = current ? [markOver(frame, current, 'sw-box', [space])] : []
    root
      .querySelector('.sw-marks')
      ?.replaceChildren(...strays.flatMap((stray, at) => marksOf(frame, stray, at)), ...box)
  }
  const show = (element: Element | undefined, isPinned = false) => {
    current = element
    card.hidden = !element
    card.toggleAttribute('data-sw-pinned', isPinned)
    if (element) card.replaceChildren(...createCard(element, { tokens, components }))
    if (isPinned) element?.scrollIntoView({ block: 'nearest' })
    draw()
  }
  const onPointer = ({ target }: Event) => {
    if (!card.hasAttribute('data-sw-pinned') && target !== current) show(target as Element)
  }
  const onClick = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    show(event.target as Element, true)
  }
  const onKey = (event: Event) => {
    const { key } = event as KeyboardEvent
    const next = neighborOf(current ?? page.body, key)
    if (!next && key !== 'Escape') return
    event.preventDefault()
    if (!next) stage.focus()
    show(next, next !== undefined)
  }
  page.addEventListener('pointerover', onPointer, { signal })
  page.addEventListener('click', onClick, { signal, capture: true })
  page.addEventListener('scroll', draw, { signal, passive: true })
  for (const target of [page, stage]) target.addEventListener('keydown', onKey, { signal })
  const resized = new ResizeObserver(draw)
  resized.observe(page.body)
  signal.addEventListener('abort', () => resized.disconnect())

  const heading = root.querySelector('.sw-side h2') as HTMLElement
  heading.textContent = `${strays.length} stray${strays.length === 1 ? '' : 's'}`
  root.querySelector('.sw-strays')?.replaceChildren(
    ...strays.map((stray, index) => {
      const item = listed(stray, index)
      item.addEventListener('click', () => show(stray.elements[0], true))
      return node('li', '', [item])
    }),
  )
  return `${tokenCount} of ${values} values on this page are tokens.`
}

const steps: Readonly<Record<string, 'parentElement' | 'firstElementChild' | `${'next' | 'previous'}ElementSibling`>> =
  {
    ArrowUp: 'parentElement',
    ArrowDown: 'firstElementChild',
    ArrowRight: 'nextElementSibling',
    ArrowLeft: 'previousElementSibling',
  }

/** Returns the element around or within another, or beside it. Elements without a box are skipped. */
function neighborOf(element: Element, key: string): Element | undefined {
  const step = steps[key]
  let found = step && element[step]
  while (found && !found.checkVisibility())
    found = found[step === 'previousElementSibling' ? step : 'nextElementSibling']
  return found ?? undefined
}

function listed({ token, property, value, selector, difference }: Stray, index: number): HTMLElement {
  const [before, after] = token.kind === 'colors' ? [swatch(value), swatch(token.measured as Srgb)] : ['', '']
  return node('button', '', [
    node('b', '', [String(index + 1)]),
    node('strong', '', [property.replaceAll('-', ' ')]),
    node('span', '', [
      before,
      node('s', '', [shorten(value)]),
      ' → ',
      after,
      node('em', '', [token.name]),
      ` ${difference}`,
    ]),
    node('code', '', [selector]),
  ])
}

/** Browsers write colors as `rgb()`. */
function shorten(value: string): string {
  const [r, g, b, alpha] = (/^rgba?\(([^)]*)\)$/.exec(value)?.[1] ?? '').split(',').map(Number)
  return (b !== undefined && hexOf({ r: (r ?? 0) / 255, g: (g ?? 0) / 255, b: b / 255, alpha })) || value
}

/** Outlines the elements of a stray over the frame. The first has its number and the nearest token. */
function marksOf(frame: HTMLElement, { elements, token }: Stray, index: number): HTMLElement[] {
  return elements.map((element, place) =>
    markOver(frame, element, 'sw-mark', place === 0 ? [node('span', '', [`${index + 1} → ${token.name}`])] : []),
  )
}
