import type { StyleguideIndex } from '../../../core/styleguide/index.js'
import {
  type Measured,
  nearestToken,
  readUses,
  type Srgb,
  splitTopLevel,
  tokensIn,
  type UseKind,
} from '../../../core/styleguide/internal.js'
import { describeElement, isShown } from './elements.js'

type IndexedToken = ReturnType<typeof tokensIn>[number]['token']

/** A token of `index.json`, as the page paints it. */
export interface Token extends Omit<IndexedToken, 'kind'> {
  kind: UseKind
  measured: Measured | undefined
  /** Whether the page paints the token with the value of another mode. */
  isOther?: boolean
}

/** A value of a stylesheet that is near a token. The difference is ΔE, or in pixels. */
export interface Stray {
  property: string
  selector: string
  elements: readonly Element[]
  measured: Measured
  token: Token
  difference: number
}

/** A value, and the token that is near it. */
export type Near = Pick<Stray, 'measured' | 'token' | 'difference'>

const kindOf: Readonly<Record<string, UseKind>> = { colors: 'colors', sizes: 'sizes', spacing: 'spacings' }
/** A value counts as near up to this difference: ΔE, or pixels. */
const nearby = { colors: 10, sizes: 4, spacings: 4 }

/** Colors of the element around, or of the text. */
const keyword = /^(?:inherit|initial|unset|revert(?:-layer)?)$|currentcolor/i

/** Creates the functions that measure CSS values on a page, by an element of that page. `remove` ends its use. */
export function createProbe(page: Document) {
  const element = page.documentElement.appendChild(page.createElement('i'))
  const root = page.defaultView?.getComputedStyle(page.documentElement)
  const read = (property: 'color' | 'marginTop', value: string) => {
    element.style[property] = ''
    element.style[property] = value
    return element.style[property] ? (page.defaultView?.getComputedStyle(element)[property] ?? '') : ''
  }
  const pixelsOf = (length: string) => {
    const pixels = /\d(?:r?e[mx]|ch|%)/.test(length.replace(/\drem/g, '')) ? '' : read('marginTop', length)
    return pixels ? Number.parseFloat(pixels) : undefined
  }
  const colorOf = (value: string) =>
    CSS.supports('color', value) && !keyword.test(value) ? readSrgb(element, value) : undefined
  const isColor = (name: string) => {
    const value = root?.getPropertyValue(name).trim()
    return value ? CSS.supports('color', value) : undefined
  }
  const computedColor = (value: string) => read('color', value)
  return { pixelsOf, colorOf, isColor, computedColor, remove: () => element.remove() }
}

export type Probe = ReturnType<typeof createProbe>

/** Returns the colors, font sizes and distances of the index as the page paints them. */
export function readTokens({ tokens }: StyleguideIndex, probe: Probe): Token[] {
  return tokensIn(tokens).flatMap(({ token }): Token[] => {
    const kind = kindOf[token.kind]
    if (!kind) return []
    const measure = kind === 'colors' ? probe.colorOf : probe.pixelsOf
    const own = { ...token, kind, measured: measure(token.css) }
    // A page has a theme's property only if it uses it. The steps of Tailwind's scale share one property.
    if (token.property === undefined || kind === 'spacings') return [own]
    return [
      { ...own, measured: measure(`var(${token.property}, ${token.css})`) },
      { ...own, isOther: true },
    ]
  })
}

/** Returns the token that is nearest to a value, with their difference; `undefined` if no token is near. */
export function matchToken(tokens: readonly Token[], kind: UseKind, value: Measured) {
  const ofKind = tokens.filter((token) => token.kind === kind)
  const nearest = nearestToken(value, ofKind)
  return nearest && nearest.difference <= nearby[kind] ? nearest : undefined
}

/**
 * Reads the declarations that apply to a page, as `npx sitewright styleguide check` does. Each value is a use of a
 * token, a stray, or another value that is near no token. `uses` counts the tokens of the index.
 */
export function measurePage(page: Document, tokens: readonly Token[], probe: Probe) {
  const strays: Stray[] = []
  const others: string[] = []
  const uses = new Map<Token, number>()
  let tokenCount = 0
  for (const { selector, style, elements } of rulesOf(page))
    for (const declaration of splitTopLevel(style.cssText, ';')) {
      // The definition of a custom property is no use of a value.
      const [, property = '', value = ''] = /^\s*(?!--)([\w-]+)\s*:(.*)$/s.exec(declaration) ?? []
      for (const { kind, token, literal = '' } of readUses(property, value.replace('!important', '').trim(), probe)) {
        if (token) {
          const used = findToken(tokens, token, probe.pixelsOf(value))
          if (used) uses.set(used, (uses.get(used) ?? 0) + 1)
          tokenCount++
          continue
        }
        const measured = kind === 'colors' ? probe.colorOf(literal) : probe.pixelsOf(literal)
        const written = kind === 'colors' ? probe.computedColor(literal) : `${measured}px`
        const affected = elements.filter((element) =>
          getComputedStyle(element).getPropertyValue(property).includes(written),
        )
        const isKnown = strays.some((stray) => stray.selector === selector && stray.property === property)
        if (affected.length === 0 || isKnown || measured === undefined) continue
        const near = matchToken(tokens, kind, measured)
        if (near) strays.push({ property, selector, elements: affected, measured, ...near })
        else others.push(literal)
      }
    }
  return { strays, others, uses, tokenCount }
}

/** Returns the token of a custom property. The steps of Tailwind's scale share one, so they are told by their length. */
function findToken(tokens: readonly Token[], property: string, pixels: number | undefined): Token | undefined {
  const found = tokens.filter((token) => token.property === property && !token.isOther)
  const isShared = found.some(({ name }) => name !== found[0]?.name)
  return isShared ? found.find(({ measured }) => measured === pixels) : found[0]
}

/** Returns the rules that apply to elements of a page, and the inline styles. Hidden elements do not count. */
function rulesOf(page: Document) {
  const rules: { selector: string; style: CSSStyleDeclaration; elements: readonly Element[] }[] = []
  for (const sheet of [...page.styleSheets, ...page.adoptedStyleSheets]) {
    try {
      visit(sheet.cssRules, '')
    } catch {
      // The stylesheet is of another origin, which a page may not read.
    }
  }
  for (const element of page.body.querySelectorAll<HTMLElement>('[style]'))
    rules.push({ selector: `${describeElement(element)} style`, style: element.style, elements: [element] })
  return rules

  function visit(list: CSSRuleList, parent: string): void {
    for (const rule of list) {
      const { selectorText, style, media, styleSheet, cssRules = styleSheet?.cssRules } = rule as AnyRule
      if (media && !page.defaultView?.matchMedia(media.mediaText).matches) continue
      // Within another rule, `&` stands for the elements that the rule selects.
      const selector = selectorText?.replaceAll('&', `:is(${parent})`) ?? parent
      // The package's own rules for the placeholders of images are not the site's.
      if (style && selector && !selector.includes('[data-lq]')) {
        const real = selector.replace(/::?(?:before|after|marker|first-l\w+)/g, '')
        // `@page :first` has a selector, too, which selects no elements.
        const elements = CSS.supports(`selector(:not(${real}))`) ? [...page.querySelectorAll(real)].filter(isShown) : []
        if (elements.length > 0) rules.push({ selector, style, elements })
      }
      if (cssRules) visit(cssRules, selector)
    }
  }
}

type AnyRule = CSSStyleRule & Partial<Pick<CSSImportRule, 'media' | 'styleSheet'>>

/** Returns the channels of a CSS color as the browser paints it; `undefined` for an invalid color. */
function readSrgb(probe: HTMLElement, color: string): Srgb | undefined {
  probe.style.color = ''
  // Mixing a color with itself converts it to sRGB, such as `color(srgb 0.1 0.2 none / 0.5)`.
  probe.style.color = `color-mix(in srgb,${color},${color})`
  if (!probe.style.color) return undefined
  const channels = getComputedStyle(probe).color.slice('color(srgb '.length, -1)
  const [r = 0, g = 0, b = 0, alpha = 1] = channels.split(/[\s/]+/).map((channel) => Number(channel) || 0)
  return { r, g, b, alpha }
}
