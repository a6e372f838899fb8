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
  const marked = page.querySelector('[data-sw-component] + *')
  return marked ?? page.querySelector(':is(.sw-padded,.sw-fullscreen):not(.sw-states) > *, .sw-states > figure > *')
}

interface CardOptions {
  tokens: readonly Token[]
  components: readonly Component[]
}

/** Returns the card of an element: its color, text style, distances and component, each a link. */
export function createCard(element: Element, { tokens, components }: CardOptions): Node[] {
  const probe = createProbe(element.ownerDocument)
  const painted = tokens.filter(({ isOther }) => !isOther)
  const find = (kind: UseKind, value: Measured | undefined) => matchToken(painted, kind, value)
  const component = components.find(({ selector }) => element.closest(selector))
  const rows = [
    colorRow(element, find, probe),
    textRow(element, find),
    ...spacesOf(element).map(([place, pixels]) => row(find('spacings', pixels), `${round(pixels)} px ${place}`, '↕')),
    ...(component ? [row({ token: { ...component, name: component.title } }, count(component.variants), '▣')] : []),
  ]
  probe.remove()
  return [node('h2', '', [node('code', '', [describeElement(element)])]), ...rows]
}

type Find = (kind: UseKind, value: Measured | undefined) => ReturnType<typeof matchToken>

function colorRow(element: Element, find: Find, probe: Probe): Node {
  const { color: written } = styleOf(element)
  const [color, ground] = [probe.colorOf(written), groundOf(element, probe)]
  const sample = node('span', 'sw-room', ['Aa'])
  if (!color || !ground) return row(undefined, written, sample)
  Object.assign(sample.style, { color: written, background: hexOf(ground) })
  const { ratio, level } = measureContrast(color, ground)
  const on = find('colors', ground)
  const note = `on ${on?.isExact ? on.token.name : hexOf(ground)}, ${ratio} ${level === 'none' ? 'fails' : level}`
  return row(find('colors', color), note, sample, hexOf(color))
}

function textRow(element: Element, find: Find): Node {
  const { fontFamily, fontSize, fontWeight, lineHeight } = styleOf(element)
  const pixels = Number.parseFloat(fontSize)
  const leading = Math.round((Number.parseFloat(lineHeight) / pixels) * 100) / 100
  const family = fontFamily.split(',')[0]?.replace(/["']/g, '')
  const note = `${family} ${fontWeight}, ${round(pixels)} px${leading ? `, leading ${leading}` : ''}`
  return row(find('sizes', pixels), note, 'Ag')
}

/** What a line of the card links to. A token that is only near is not exact. */
interface Linked {
  token: { name: string; href: string } & Partial<Token>
  isExact?: boolean
}

/** A line of the card: a link to the token's page, or the value and the token that it is near. */
function row(found: Linked | undefined, note: string, picture: Node | string, value = ''): Node {
  const { token, isExact = true } = found ?? {}
  const isNear = token && !isExact
  const mark = token?.kind === 'colors' ? swatch(token.measured as Srgb) : ` ${token?.css}`
  const line = node(token ? 'a' : 'p', '', [
    node('i', '', [picture]),
    node('span', '', [
      node('strong', '', [(isNear ? value : token?.name) ?? value]),
      ...(isNear ? [node('em', '', [` nearest: ${token.name}`, mark])] : []),
      node('small', '', [note]),
    ]),
  ])
  if (token) line.setAttribute('href', token.href)
  return line
}

const round = (pixels: number) => Math.round(pixels * 10) / 10
const count = (variants: number) => `${variants} variant${variants === 1 ? '' : 's'}`
const styleOf = (element: Element) => (element.ownerDocument.defaultView as Window).getComputedStyle(element)

function groundOf(element: Element, probe: Probe): Srgb | undefined {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const ground = probe.colorOf(styleOf(at).backgroundColor)
    if (ground?.alpha === undefined || ground.alpha > 0) return ground
  }
  return probe.colorOf('Canvas')
}

/** Returns the vertical distances of an element, with their places. */
function spacesOf(element: Element): [place: string, pixels: number][] {
  const { marginTop, marginBottom, paddingTop, paddingBottom, rowGap } = styleOf(element)
  const sides = [
    ['above', marginTop],
    ['below', marginBottom],
    ['inside, above', paddingTop],
    ['inside, below', paddingBottom],
    [`above: the gap of ${element.parentElement ? describeElement(element.parentElement) : ''}`, gapAbove(element)],
    ['between its parts', rowGap],
  ] as const
  const measured = sides.map(([place, length]): [string, number] => [place, Number.parseFloat(length)])
  return measured.filter(([, pixels]) => pixels > 0).slice(0, 3)
}

/** Returns the pixels between an element and the one above it: its margin, or the gap of its column or grid. */
export function spaceAbove(element: Element): number {
  return Math.max(0, Number.parseFloat(styleOf(element).marginTop) || Number.parseFloat(gapAbove(element)) || 0)
}

/** The gap of a column or grid, above all of its children but the first. */
function gapAbove(element: Element): string {
  const parent = element.parentElement && element.previousElementSibling ? styleOf(element.parentElement) : undefined
  const isColumn = parent?.display.includes('flex') && parent.flexDirection.startsWith('column')
  return parent && (isColumn || parent.display.includes('grid')) ? parent.rowGap : ''
}
