import { splitTopLevel } from '../brackets.js'
import { tokenColor } from '../colors/color.js'
import { mergeModes } from '../colors/modes.js'
import type { StyleColor, ValueSource } from '../colors/style-color.js'
import { parseShadow } from '../effects.js'
import { type KindName, kinds } from '../kinds.js'
import { pixelsAt } from '../lengths.js'
import { slugify } from '../tree/slugs.js'
import { type DesignValue, type FontSize, isObject } from '../values.js'

/** A token, or a group of tokens (Design Tokens Format Module 2025.10). */
type Group = { [name: string]: unknown }

/** A resolver document (Design Tokens Resolver Module 2025.10). The modifier `mode` is missing if there are no modes. */
export interface TokenDocument {
  version: '2025.10'
  sets: { base: { sources: [Group] } }
  modifiers?: { mode: { contexts: Record<string, Group[]>; default: string } }
  resolutionOrder: { $ref: string }[]
}

/** A value that the format has no type for, such as a gradient with an angle. */
export interface UnwrittenToken {
  /** Path of the token: `letter-spacing.tight`. */
  token: string
  mode?: string | undefined
  css: string
}

/** The values that a page shows: its colors, and lists by the names of their kinds. */
export type PageValues = { href: string; colors: readonly StyleColor[] } & {
  [Kind in KindName]?: readonly DesignValue[]
}

/** The extension of a token. */
export interface TokenDetails {
  name: string
  /** `colors`, or the name of a list of values. */
  kind: string
  href: string
  css: string
  property?: string
  lineHeight?: string
}

/** Lists the tokens of a document, with the mode of each. */
export function tokensIn({ sets, modifiers }: TokenDocument): { path: string; mode: string; token: TokenDetails }[] {
  const list = (group: unknown, mode: string, path: string[]): ReturnType<typeof tokensIn> => {
    if (!isObject(group)) return []
    const { sitewright: token } = (group.$extensions ?? {}) as { sitewright?: TokenDetails }
    if (token) return [{ path: path.join('.'), mode, token }]
    return Object.entries(group).flatMap(([name, member]) => list(member, mode, [...path, name]))
  }
  const { contexts = {}, default: documentMode = '' } = modifiers?.mode ?? {}
  const others = Object.entries(contexts).flatMap(([mode, groups]) => groups.flatMap((group) => list(group, mode, [])))
  return [...sets.base.sources.flatMap((group) => list(group, documentMode, [])), ...others]
}

/** Writes the values of pages as one document of design tokens. Of two values with one name, the first counts. */
export function writeTokens(pages: readonly PageValues[]): { tokens: TokenDocument; unwritten: UnwrittenToken[] } {
  const palette = mergeModes([...new Set(pages.flatMap(({ colors }) => colors))])
  // The document's own values count as light if other values are.
  const documentMode = palette.modes.includes('light') ? 'light' : (palette.modes[0] ?? 'default')
  const contexts = new Map<string, Group>([[documentMode, {}]])
  const unwritten: UnwrittenToken[] = []
  const add = (path: string[], mode: string | undefined, css: string, value: object | undefined, extension: object) => {
    if (!value) return void unwritten.push({ token: path.join('.'), ...(mode && { mode }), css })
    const key = mode === undefined || mode === palette.modes[0] ? documentMode : mode
    if (!contexts.has(key)) contexts.set(key, {})
    insert(contexts.get(key) as Group, path, { ...value, $extensions: { sitewright: { css, ...extension } } })
  }
  const pageOf = new Map(pages.flatMap(({ href, colors }) => colors.map(({ name }) => [name, href] as const)).reverse())
  for (const { name, declared, tones } of palette.colors) {
    const href = `${pageOf.get(name)}#${slugify(`color ${name}`)}`
    for (const { mode, value } of tones) {
      const $value = tokenColor(value)
      const extension = { name, kind: 'colors', href, ...propertyOf(declared.source) }
      add(pathOf('color', declared), mode, value, $value && { $type: 'color', $value }, extension)
    }
  }
  for (const page of pages)
    for (const { name: kind } of kinds)
      for (const entry of page[kind] ?? []) {
        const [group, write] = writers[kind]
        const { name, value, mode, source, lineHeight } = entry as FontSize
        const extension = { name, kind, href: page.href, ...propertyOf(source), ...(lineHeight && { lineHeight }) }
        add(pathOf(group, entry), mode, value, write(value), extension)
      }
  return { tokens: toDocument(documentMode, contexts), unwritten }
}

function toDocument(documentMode: string, contexts: ReadonlyMap<string, Group>): TokenDocument {
  const [[, base] = ['', {}], ...others] = contexts
  const modes = { [documentMode]: [], ...Object.fromEntries(others.map(([name, group]) => [name, [group]])) }
  return {
    version: '2025.10',
    sets: { base: { sources: [base] } },
    ...(others.length > 0 && { modifiers: { mode: { contexts: modes, default: documentMode } } }),
    resolutionOrder: ['#/sets/base', ...(others.length > 0 ? ['#/modifiers/mode'] : [])].map(($ref) => ({ $ref })),
  }
}

const propertyOf = (source: ValueSource = {}) => source.property && { property: source.property }

/** Returns the path of a token: that of its source, or its name in a group. The format reserves `.`, `{`, `}` and `$`. */
function pathOf(group: string, { name, source }: Pick<StyleColor, 'name' | 'source'>): string[] {
  return source?.token?.split('.') ?? [group, name.replace(/[.{}]|^\$/g, '_')]
}

function insert(group: Group, path: readonly string[], token: object): void {
  const last = path.slice(0, -1).reduce((parent, name) => {
    if (!isObject(parent[name])) parent[name] = {}
    return parent[name] as Group
  }, group)
  last[path.at(-1) ?? ''] ??= token
}

/**
 * Returns a length as a dimension, which is in `px` or `rem`. A length that depends on the window is in pixels, in a
 * window that is 1,280 pixels wide.
 */
function dimension(css: string): { value: number; unit: string } | undefined {
  const [, number, unit] = /^(-?[\d.]+)(px|rem)$/.exec(css) ?? []
  if (unit) return { value: Number(number), unit }
  const pixels = css === '0' || /[a-z]/i.test(css) ? pixelsAt(css, 1280) : undefined
  return pixels === undefined ? undefined : { value: pixels, unit: 'px' }
}

function toDimension(css: string) {
  const $value = dimension(css)
  return $value && { $type: 'dimension', $value }
}

function toNumber(css: string) {
  const $value = /\d[a-z%]/i.test(css) ? undefined : pixelsAt(css, 1280)
  return $value === undefined ? toDimension(css) : { $type: 'number', $value }
}

function toWeight(css: string) {
  return /^(?:\d+|normal|bold)$/.test(css) ? { $type: 'fontWeight', $value: Number(css) || css } : undefined
}

function toShadow(css: string) {
  const layers = parseShadow(css)?.map(({ color, isInset, ...lengths }) => {
    const [offsetX, offsetY, blur, spread] = Object.values(lengths).map((value) => ({ value, unit: 'px' }))
    return { color: tokenColor(color), offsetX, offsetY, blur, spread, inset: isInset }
  })
  return layers?.every(({ color }) => color) ? { $type: 'shadow', $value: layers } : undefined
}

/**
 * The group of each kind of values, and a function that returns the token of a CSS value. Gradients are not written,
 * since those of the format have neither a direction nor a shape.
 */
const writers: Record<KindName, [group: string, write: (css: string) => object | undefined]> = {
  families: [
    'font-family',
    (css) => ({
      $type: 'fontFamily',
      $value: splitTopLevel(css, ',').map((family) => family.trim().replace(/^(["'])(.*)\1$/, '$2')),
    }),
  ],
  sizes: ['font-size', toDimension],
  weights: ['font-weight', toWeight],
  lineHeights: ['line-height', toNumber],
  letterSpacings: ['letter-spacing', toDimension],
  breakpoints: ['breakpoint', toDimension],
  shadows: ['shadow', toShadow],
  radii: ['radius', toDimension],
  gradients: ['gradient', () => undefined],
  spacing: ['spacing', toDimension],
}
