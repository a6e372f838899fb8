import type { StyleguideIndex } from '../../../core/styleguide/index.js'
import { hexOf, type Measured, measureContrast, type Srgb, type UseKind } from '../../../core/styleguide/internal.js'
import { createProbe, describeElement, matchToken, type Probe, type Token } from './measure.js'
import { node, swatch } from './nodes.js'

interface Component {
  title: string
  href: string
  selector: string
  variants: number
}

/**
 * Finds how to recognize each component: by the tag and the classes that the outermost elements of all its variants
 * share, as `npx sitewright styleguide check` does.
 */
export async function readComponents({ components }: StyleguideIndex): Promise<Component[]> {
  const read = async ({ title, href, variants }: StyleguideIndex['components'][number]) => {
    const roots = await Promise.all(variants.map(({ href }) => readRoot(href).catch(() => null)))
    const [first, ...others] = roots.filter((root) => root !== null)
    const classes = [...(first?.classList ?? [])].filter((name) =>
      others.every((root) => root.classList.contains(name)),
    )
    const selector = `${first?.localName}${classes.map((name) => `.${CSS.escape(name)}`).join('')}`
    return classes.length > 0 ? [{ title, href, selector, variants: variants.length }] : []
  }
  return (await Promise.all(components.map(read))).flat()
}

async function readRoot(href: string): Promise<Element | null> {
  const page = new DOMParser().parseFromString(await (await fetch(href)).text(), 'text/html')
  return page.querySelector(':is(.sw-padded,.sw-fullscreen):not(.sw-states) > *, .sw-states > figure > *')
}

interface CardOptions {
  tokens: readonly Token[]
  components: readonly Component[]
  signal: AbortSignal
}

/** Shows a card on the element under the pointer, or the element that the arrow keys lead to. */
export function showCard(root: HTMLElement, page: Document, options: CardOptions) {
  const card = root.querySelector('.sw-card') as HTMLElement
  const box = root.querySelector('.sw-box') as HTMLElement
  const frame = root.querySelector('iframe') as HTMLIFrameElement
  let current: Element | undefined
  let isPinned = false
  const show = (element: Element | undefined) => {
    current = element
    card.hidden = box.hidden = !element
    if (!element) return
    const probe = createProbe(page)
    card.replaceChildren(...describe(element, options, probe))
    probe.remove()
    place(element, frame, box, card)
  }
  const pin = (element: Element | undefined, isPin = true) => {
    if (element) element.scrollIntoView({ block: 'nearest' })
    show(element)
    isPinned = isPin && element !== undefined
    card.toggleAttribute('data-sw-pinned', isPinned)
  }
  const { signal } = options
  const pointAt = ({ target }: Event) => {
    const element = target as Element
    if (!isPinned && element !== current && element.nodeType === 1) show(element)
  }
  page.addEventListener('pointerover', pointAt, { signal })
  const onClick = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    pin(event.target as Element)
  }
  page.addEventListener('click', onClick, { signal, capture: true })
  page.addEventListener('scroll', () => current && place(current, frame, box, card), { signal, passive: true })
  const onKey = (event: KeyboardEvent) => {
    const { key } = event
    if ((event.target as Element).closest('.sw-side, form, a')) return
    if (key === 'Enter' && current) return pin(current)
    if (key === 'Escape') {
      pin(undefined)
      root.querySelector<HTMLElement>('.sw-stage-x')?.focus()
    }
    const next = neighborOf(current ?? page.body, key)
    if (!next) return
    event.preventDefault()
    pin(next, isPinned)
  }
  for (const target of [page, root.querySelector<HTMLElement>('.sw-stage-x')])
    target?.addEventListener('keydown', onKey as (event: Event) => void, { signal })
  return { pin }
}

/** Returns the element around or within another, or beside it. Elements without a box are skipped. */
function neighborOf(element: Element, key: string): Element | undefined {
  const step = (from: Element | null | undefined, next: 'nextElementSibling' | 'previousElementSibling') => {
    let found = from
    while (found && !found.checkVisibility()) found = found[next]
    return found ?? undefined
  }
  if (key === 'ArrowUp') return element.localName === 'body' ? undefined : (element.parentElement ?? undefined)
  if (key === 'ArrowDown') return step(element.firstElementChild, 'nextElementSibling')
  if (key === 'ArrowRight') return step(element.nextElementSibling, 'nextElementSibling')
  return key === 'ArrowLeft' ? step(element.previousElementSibling, 'previousElementSibling') : undefined
}

function place(element: Element, frame: HTMLIFrameElement, box: HTMLElement, card: HTMLElement): void {
  const { left, top, width, height } = element.getBoundingClientRect()
  const above = Number.parseFloat(styleOf(element).marginTop) || gapAbove(element)
  const set = (target: HTMLElement, values: object) => {
    for (const [name, value] of Object.entries(values)) target.style.setProperty(`--${name}`, `${value}px`)
  }
  const x = frame.offsetLeft + left
  set(box, { x, y: top, width, height, above: Math.max(0, above) })
  const below = top + height + 8
  const cardHeight = card.offsetHeight
  const room = frame.clientHeight - cardHeight - 8
  set(card, {
    x: Math.max(8, Math.min(x + 16, frame.offsetLeft + frame.clientWidth - card.offsetWidth - 8)),
    y: Math.max(
      8,
      below < room ? below : Math.min(room, top - cardHeight - 8 - above > 8 ? top - cardHeight - 8 - above : room),
    ),
  })
}

const styleOf = (element: Element) => (element.ownerDocument.defaultView as Window).getComputedStyle(element)

/** The gap of a column or grid, above all of its children but the first. */
function gapAbove(element: Element): number {
  const parent = element.parentElement && element.previousElementSibling ? styleOf(element.parentElement) : undefined
  return parent &&
    /flex|grid/.test(parent.display) &&
    !/row/.test(parent.display.includes('flex') ? parent.flexDirection : '')
    ? Number.parseFloat(parent.rowGap) || 0
    : 0
}

function describe(element: Element, { tokens, components }: CardOptions, probe: Probe): Node[] {
  const style = styleOf(element)
  const component = components.find(({ selector }) => element.closest(selector))
  const painted = tokens.filter(({ isOther }) => !isOther)
  const find = (kind: UseKind, value: Measured | undefined) => matchToken(painted, kind, value)
  const color = probe.colorOf(style.color)
  const ground = groundOf(element, probe)
  const size = find('sizes', Number.parseFloat(style.fontSize))
  const family = style.fontFamily.split(',')[0]?.replace(/["']/g, '')
  const leading = Math.round((Number.parseFloat(style.lineHeight) / Number.parseFloat(style.fontSize)) * 100) / 100
  const contrast = color && ground ? measureContrast(color, ground) : undefined
  const spaces = spacesOf(element).map(([place, pixels]) => {
    const found = find('spacings', pixels)
    return row(found, `${round(pixels)} px ${place}`, node('i', 'sw-gap', []))
  })
  const aa = node('i', 'sw-aa', ['Aa'])
  if (color && ground) {
    aa.style.color = style.color
    aa.style.background = hexOf(ground) ?? ''
  }
  const groundName = nameOf(find('colors', ground)) ?? (ground && hexOf(ground))
  const rows = [
    row(
      find('colors', color),
      `on ${groundName}${contrast ? `, ${contrast.ratio} ${contrast.level}` : ''}`,
      aa,
      color && hexOf(color),
    ),
    row(
      size,
      `${family} ${style.fontWeight}, ${round(Number.parseFloat(style.fontSize))} px${leading ? `, leading ${leading}` : ''}`,
      node('i', 'sw-ag', ['Ag']),
    ),
    ...spaces,
  ]
  if (component) {
    const link = node('a', '', [
      node('i', 'sw-piece', []),
      node('span', '', [node('strong', '', [component.title]), node('small', '', [count(component.variants)])]),
    ])
    link.setAttribute('href', component.href)
    rows.push(link)
  }
  const ways = [
    ['↑', element.parentElement],
    ['←', element.previousElementSibling],
    ['→', element.nextElementSibling],
  ] as const
  const keys = ways.flatMap(([key, target]) =>
    target ? [node('span', '', [node('kbd', '', [key]), ` ${describeElement(target)}`])] : [],
  )
  return [
    node('h2', '', [node('span', '', [titleOf(element, component)]), node('code', '', [describeElement(element)])]),
    ...rows,
    node('footer', '', keys),
  ]
}

/** Names an element by its component, or else by its class: `Callout` for `Callout_box__x1y2z` of a CSS module. */
function titleOf(element: Element, component: Component | undefined): string {
  if (component && element.matches(component.selector)) return component.title
  return (element.classList[0] ?? element.localName).split(/_|\[/)[0]?.replaceAll('-', ' ') || element.localName
}

const round = (pixels: number) => Math.round(pixels * 10) / 10
const count = (variants: number) => `${variants} variant${variants === 1 ? '' : 's'}`
const nameOf = (found: ReturnType<typeof matchToken>) => (found?.isExact ? found.token.name : undefined)

/** A line of the card: a link to the token's page, or the value and the token that it is near. */
function row(found: ReturnType<typeof matchToken>, note: string, picture: Node, value = ''): HTMLElement {
  const { token, isExact } = found ?? {}
  const near =
    token && !isExact
      ? node('em', '', [
          `nearest: ${token.name}`,
          token.kind === 'colors' ? swatch(token.measured as Srgb) : ` ${token.css}`,
        ])
      : ''
  const name = isExact ? token?.name : value
  const text = node('span', '', [...(name ? [node('strong', '', [name])] : []), near, node('small', '', [note])])
  const line = node(token ? 'a' : 'p', near ? 'sw-near' : '', [picture, text])
  if (token) line.setAttribute('href', token.href)
  return line
}

function groundOf(element: Element, probe: Probe): Srgb | undefined {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const ground = probe.colorOf(styleOf(at).backgroundColor)
    if (ground?.alpha === undefined || ground.alpha > 0) return ground
  }
  return probe.colorOf('Canvas')
}

/** Returns the vertical distances of an element, with their places. */
function spacesOf(element: Element): [place: string, pixels: number][] {
  const style = styleOf(element)
  const gap = gapAbove(element)
  const sides = [
    ['above', Number.parseFloat(style.marginTop)],
    ['below', Number.parseFloat(style.marginBottom)],
    ['inside, above', Number.parseFloat(style.paddingTop)],
    ['inside, below', Number.parseFloat(style.paddingBottom)],
    [`above: the gap of ${element.parentElement ? describeElement(element.parentElement) : ''}`, gap],
    ['between its parts', Number.parseFloat(style.rowGap)],
  ] as [string, number][]
  return sides.filter(([, pixels]) => pixels > 0).slice(0, 3)
}
