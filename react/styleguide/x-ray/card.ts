import type { StyleguideIndex } from '../../../core/styleguide/index.js'
import { type Measured, measureContrast, type Srgb, type UseKind } from '../../../core/styleguide/internal.js'
import { describeElement } from './elements.js'
import { createProbe, matchToken, type Near, type Probe, type Stray, type Token } from './measure.js'
import { link, nearest, node, textOf } from './nodes.js'

export type Component = Awaited<ReturnType<typeof readComponents>>[number]

/**
 * Finds how to recognize each component: by the tag and the classes that the outermost elements of all its variants
 * share, as `npx sitewright styleguide check` does.
 */
export async function readComponents({ components }: StyleguideIndex) {
  const read = async ({ title, href, variants }: StyleguideIndex['components'][number]) => {
    const roots = await Promise.all(variants.map(({ href }) => readRoot(href).catch(() => null)))
    const [first, ...others] = roots.filter((root) => root !== null)
    const classes = [...(first?.classList ?? [])].filter((name) =>
      others.every((root) => root.classList.contains(name)),
    )
    const selector = `${first?.localName}${classes.map((name) => `.${CSS.escape(name)}`).join('')}`
    return classes.length > 0 ? [{ name: title, href, selector, variants: variants.length }] : []
  }
  return (await Promise.all(components.map(read))).flat()
}

async function readRoot(href: string): Promise<Element | null> {
  const page = new DOMParser().parseFromString(await (await fetch(href)).text(), 'text/html')
  const marked = page.querySelector('[data-sw-component] + *')
  return marked ?? page.querySelector(':is(.sw-padded,.sw-fullscreen):not(.sw-states) > *, .sw-states > figure > *')
}

export interface CardOptions {
  tokens: readonly Token[]
  strays: readonly Stray[]
  components: readonly Component[]
}

/** Returns the card of an element: its color, text style, distances and component, each a link. */
export function createCard(element: Element, { tokens, strays, components }: CardOptions): (Node | string)[] {
  const probe = createProbe(element.ownerDocument)
  const painted = tokens.filter(({ isOther }) => !isOther)
  /** Finds the token that has a value, or the stray. */
  const find = (kind: UseKind, value: Measured): Token | Near | undefined => {
    const near = matchToken(painted, kind, value)
    if (near && near.difference < 0.1) return near.token
    const isSame = ({ token, measured }: Stray) => token.kind === kind && textOf(measured) === textOf(value)
    // A color can be that of a state, such as `:hover`, which is in no list. A length can be relative to the text.
    return strays.find(isSame) ?? (near && kind === 'colors' ? { ...near, measured: value } : undefined)
  }
  const { color: written, fontFamily, fontSize, fontWeight, lineHeight } = getComputedStyle(element)
  const [color, ground] = [probe.colorOf(written) as Srgb, groundOf(element, probe)]
  const { ratio, level } = measureContrast(color, ground)
  const on = find('colors', ground)
  const contrast = `on ${on && 'name' in on ? on.name : textOf(ground)}, ${ratio} ${level === 'none' ? 'fails' : level}`
  const sample = node('span', 'sw-room', ['Aa'])
  Object.assign(sample.style, { color: written, background: textOf(ground) })
  const pixels = Number.parseFloat(fontSize)
  const leading = Math.round((Number.parseFloat(lineHeight) / pixels) * 100) / 100
  const family = fontFamily.split(',')[0]?.replace(/["']/g, '')
  const text = `${family} ${fontWeight}${leading ? `, leading ${leading}` : ''}`
  const component = components.find(({ selector }) => element.closest(selector))
  probe.remove()
  return [
    node('h2', '', [node('code', '', [describeElement(element)])]),
    row(find('colors', color), textOf(color), contrast, sample),
    row(find('sizes', pixels), textOf(pixels), text, 'Ag'),
    ...spacesOf(element).map(([place, space]) => row(find('spacings', space), textOf(space), place, node('u', ''))),
    component ? row(component, '', count(component.variants), node('u', 'sw-part')) : '',
  ]
}

/** A line of the card: a link to the page of the token or of the component, or the value alone. */
function row(found: Token | Near | Component | undefined, value: string, note: string, picture: Node | string): Node {
  const isStray = found && 'token' in found
  const name = isStray ? nearest(found) : [node('strong', '', [found ? found.name : value]), found ? ` ${value}` : '']
  const children = [node('i', '', [picture]), node('span', '', [...name, node('small', '', [note])])]
  return found ? link((isStray ? found.token : found).href, children) : node('p', '', children)
}

const count = (variants: number) => `${variants} variant${variants === 1 ? '' : 's'}`

function groundOf(element: Element | null, probe: Probe): Srgb {
  const ground = probe.colorOf(element ? getComputedStyle(element).backgroundColor : 'Canvas') as Srgb
  return ground.alpha === 0 && element ? groundOf(element.parentElement, probe) : ground
}

/** Returns the vertical distances of an element, with their places: first the margin or the gap above it. */
export function spacesOf(element: Element): [place: string, pixels: number][] {
  const { marginTop, marginBottom, paddingTop, paddingBottom } = getComputedStyle(element)
  const [parent, previous] = [element.parentElement ?? element, element.previousElementSibling]
  const { display, flexDirection, rowGap } = getComputedStyle(parent)
  const hasGap = previous && (display.includes('grid') || (display.includes('flex') && /^column/.test(flexDirection)))
  const sides = [
    ['above', marginTop],
    [`above, the gap of ${describeElement(parent)}`, hasGap ? rowGap : ''],
    ['below', marginBottom],
    ['inside, above', paddingTop],
    ['inside, below', paddingBottom],
  ] as const
  const measured = sides.map(([place, length]): [string, number] => [place, Number.parseFloat(length)])
  return measured.filter(([, pixels]) => pixels > 0).slice(0, 3)
}
