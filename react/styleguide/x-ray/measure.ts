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

/** A token of `index.json`, as the page paints it. */
export interface Token {
  name: string
  href: string
  kind: UseKind
  css: string
  property?: string
  measured: Measured | undefined
  /** Whether the page paints the token with the value of another mode. */
  isOther?: boolean
}

/** A value of a stylesheet that is near a token. */
export interface Stray {
  property: string
  /** The value in CSS. */
  value: string
  selector: string
  elements: readonly Element[]
  token: Token
  difference: string
}

const kindOf: Readonly<Record<string, UseKind>> = { colors: 'colors', sizes: 'sizes', spacing: 'spacings' }
/** A value counts as near up to this difference: ΔE, or pixels. */
const nearby = { colors: 10, sizes: 4, spacings: 4 }

/** Colors of the element around, or of the text. */
const keyword = /^(?:inherit|initial|unset|revert(?:-layer)?|currentcolor)$/i

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
  const colorOf = (value: string) => {
    return CSS.supports('color', value) && !keyword.test(value) ? readSrgb(element, value) : undefined
  }
  const isColor = (name: string) => {
    const value = root?.getPropertyValue(name).trim()
    return value ? CSS.supports('color', value) : undefined
  }
  return {
    pixelsOf,
    colorOf,
    isColor,
    computedColor: (value: string) => read('color', value),
    remove: () => element.remove(),
  }
}

export type Probe = ReturnType<typeof createProbe>

/** Returns the colors, font sizes and distances of the index as the page paints them. */
export function readTokens({ tokens }: StyleguideIndex, probe: Probe): Token[] {
  const found: Token[] = []
  for (const { token } of tokensIn(tokens)) {
    const kind = kindOf[token.kind]
    if (kind) {
      const measure = kind === 'colors' ? probe.colorOf : probe.pixelsOf
      // A page has a theme's property only if it uses it. The steps of Tailwind's scale share one property.
      const isPainted = token.property !== undefined && kind !== 'spacings'
      if (isPainted) found.push({ ...token, kind, measured: measure(`var(${token.property}, ${token.css})`) })
      found.push({ ...token, kind, measured: measure(token.css), isOther: isPainted })
    }
  }
  return found
}

/** Returns the token that has a value, and whether it is exactly that value; `undefined` if no token is near. */
export function matchToken(tokens: readonly Token[], kind: UseKind, value: Measured | undefined) {
  const ofKind = tokens.filter((token) => token.kind === kind)
  const { token, difference = 0 } = (value !== undefined && nearestToken(value, ofKind)) || {}
  return token && difference <= nearby[kind] ? { token, difference, isExact: difference < 0.1 } : undefined
}

/**
 * Reads the declarations that apply to a page, as `npx sitewright styleguide check` does. Returns the strays, and the
 * numbers of tokens and of all values.
 */
export function measurePage(page: Document, tokens: readonly Token[], probe: Probe) {
  const strays: Stray[] = []
  let [values, tokenCount] = [0, 0]
  for (const { selector, style, elements } of rulesOf(page))
    for (const declaration of splitTopLevel(style.cssText, ';')) {
      const [, property = '', value = ''] = /^\s*([\w-]+)\s*:(.*)$/s.exec(declaration) ?? []
      if (property.startsWith('--')) continue
      for (const { kind, token, literal = '' } of readUses(property, value.replace('!important', '').trim(), probe)) {
        const measured = kind === 'colors' ? probe.colorOf(literal) : probe.pixelsOf(literal)
        const written = kind === 'colors' ? probe.computedColor(literal) : `${measured}px`
        const affected = token
          ? elements
          : elements.filter((element) => computedValue(element, property).includes(written))
        if (affected.length === 0) continue
        values++
        if (token) tokenCount++
        const near = token ? undefined : matchToken(tokens, kind, measured)
        const isKnown = strays.some((stray) => `${stray.selector}${stray.property}` === `${selector}${property}`)
        if (!near || isKnown) continue
        const difference = kind === 'colors' ? `ΔE ${near.difference}` : `${near.token.css}`
        strays.push({ property, value: literal, selector, elements: affected, token: near.token, difference })
      }
    }
  return { strays, values, tokenCount }
}

function computedValue(element: Element, property: string): string {
  return element.ownerDocument.defaultView?.getComputedStyle(element).getPropertyValue(property) ?? ''
}

interface AppliedRule {
  selector: string
  style: CSSStyleDeclaration
  elements: readonly Element[]
}

/** Returns the rules that apply to elements of a page, and the inline styles. Hidden elements do not count. */
function rulesOf(page: Document): AppliedRule[] {
  const rules: AppliedRule[] = []
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
        const elements = select(page, selector.replace(/::?(?:before|after|marker|first-l\w+)/g, ''))
        rules.push({ selector, style, elements: elements.filter((element) => element.checkVisibility()) })
      }
      if (cssRules) visit(cssRules, selector)
    }
  }
}

type AnyRule = CSSStyleRule & Partial<Pick<CSSImportRule, 'media' | 'styleSheet'>>

/** Returns the elements of a selector; an empty list for one that selects no elements, such as that of `@page :first`. */
function select(page: Document, selector: string): Element[] {
  try {
    return [...page.querySelectorAll(selector)]
  } catch {
    return []
  }
}

/** Returns a short selector of an element: `p.date`. */
export function describeElement(element: Element): string {
  const [first] = element.classList
  return `${element.localName}${first ? `.${first}` : ''}`
}

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
