import { type Kind, type KindName, kindByWords, kinds } from '../kinds.js'
import { cssText, type FontSize, ownMember, pushTo, type ValuesByKind } from '../values.js'
import { tokenColor } from './color-value.js'
import type { TokenDocument } from './document.js'
import { dereference, nameOf, parseReference } from './token.js'

/** Reads the values of all kinds among tokens. */
export function readValues({ document, tokens, follow, interpolate }: TokenDocument): ValuesByKind {
  const values = new Map<KindName, FontSize[]>()
  const read: Read = (part) => interpolate(dereference(document, follow(part)))
  for (const [{ path }, { type, end }] of tokens) {
    const name = nameOf(path)
    const value = read(end?.value)
    const add: Add = (kind, text, lineHeight) => {
      if (text === undefined) return
      pushTo(values, kind, { name, value: text, ...(lineHeight && { lineHeight }), source: { token: name } })
    }
    if (type === 'typography') addComposite(add, value, read)
    else {
      const kind = kindOf(type, name)
      if (kind) add(kind.name, (texts.get(type) ?? dimension)(value, read, document))
    }
  }
  return values
}

type Read = (part: unknown) => unknown
type Add = (kind: KindName, text: string | undefined, lineHeight?: string | undefined) => void

function kindOf(type: unknown, name: string): Kind | undefined {
  const candidates = kinds.filter(({ types }) => types.includes(String(type)))
  return type === 'dimension' || type === 'number' ? kindByWords(name, candidates) : candidates[0]
}

function addComposite(add: Add, value: unknown, read: Read): void {
  const ownValue = (key: string) => {
    const part = ownMember(value, key)
    const isReference = parseReference(part) !== undefined || ownMember(part, '$ref') !== undefined
    return isReference ? undefined : part
  }
  add('families', family(ownValue('fontFamily'), read))
  add('weights', weight(ownValue('fontWeight')))
  add('letterSpacings', dimension(ownValue('letterSpacing'), read))
  const size = dimension(ownValue('fontSize'), read)
  const lineHeight = dimension(ownValue('lineHeight'), read)
  if (size) add('sizes', size, lineHeight)
  else add('lineHeights', lineHeight)
}

/** Reads a number with its unit (Format Module 2025.10, 8.2), or the string of earlier drafts. */
function dimension(value: unknown, read: Read): string | undefined {
  const [number, unit] = [read(ownMember(value, 'value')), read(ownMember(value, 'unit'))]
  if (typeof number === 'number' && typeof unit === 'string') return `${number}${unit}`
  const text = cssText(value)
  // Tokens Studio computes `{spacing.sm} * 2`.
  return text && !text.includes('(') && /\s[-+*/]\s/.test(text) ? `calc(${text})` : text
}

function family(value: unknown, read: Read): string | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' ? quoteFamily(value.trim()) || undefined : undefined
  const names = value.map(read).filter((name) => typeof name === 'string')
  return names.map((name) => quoteFamily(name.trim())).join(', ') || undefined
}

/** Quotes a family's name where CSS requires it; comma-separated lists of earlier drafts stay unchanged. */
function quoteFamily(name: string): string {
  return /^(?:-?[a-z_][\w-]*(?: -?[a-z_][\w-]*)*)?$/i.test(name) || /[,"']/.test(name) ? name : `"${name}"`
}

// Format Module 2025.10, 8.4. CSS has names for only two of these weights.
const weights = new Map(
  Object.entries({
    ...{ thin: 100, hairline: 100, 'extra-light': 200, 'ultra-light': 200, light: 300 },
    ...{ normal: 400, regular: 400, book: 400, medium: 500, 'semi-bold': 600, 'demi-bold': 600 },
    ...{ bold: 700, 'extra-bold': 800, 'ultra-bold': 800, black: 900, heavy: 900 },
    ...{ 'extra-black': 950, 'ultra-black': 950 },
  }).map(([name, weight]) => [name, String(weight)]),
)

const weight = (value: unknown) => weights.get(String(value)) ?? cssText(value)

/** Reads a shadow or a list of shadows (Format Module 2025.10, 9.6). */
function shadow(value: unknown, read: Read, document: unknown): string | undefined {
  return layers(value, read, (layer) => {
    const part = (name: string) => dimension(read(ownMember(layer, name)), read)
    const lengths = ['offsetX', 'offsetY', 'blur', 'spread'].map(part)
    const { value: color } = tokenColor(read(ownMember(layer, 'color')), document)
    if (lengths[0] === undefined || lengths[1] === undefined) return undefined
    const inset = read(ownMember(layer, 'inset')) === true ? ['inset'] : []
    return [...inset, ...lengths.filter((length) => length !== undefined), color].join(' ').trim()
  })
}

/**
 * Reads the stops of a gradient (Format Module 2025.10, 9.7). The stops run from left to right, since the format has no
 * direction.
 */
function gradient(value: unknown, read: Read, document: unknown): string | undefined {
  if (!Array.isArray(value)) return cssText(value)
  const stops = value.map((part) => {
    const stop = read(part)
    const { value: color } = tokenColor(read(ownMember(stop, 'color')), document)
    const position = read(ownMember(stop, 'position'))
    return color && typeof position === 'number' ? `${color} ${position * 100}%` : undefined
  })
  return stops.length > 0 && !stops.includes(undefined) ? `linear-gradient(90deg, ${stops.join(', ')})` : undefined
}

function layers(value: unknown, read: Read, textOf: (layer: unknown) => string | undefined): string | undefined {
  if (typeof value === 'string') return cssText(value)
  const texts = [value].flat().map((layer) => textOf(read(layer)))
  return texts.length > 0 && !texts.includes(undefined) ? texts.join(', ') : undefined
}

type TextOf = (value: unknown, read: Read, document: unknown) => string | undefined

/** Writes tokens of a `$type` as CSS. Tokens of other types, such as durations, are a number with its unit. */
const texts = new Map<unknown, TextOf>([
  ['fontFamily', family],
  ['fontWeight', weight],
  ['shadow', shadow],
  ['gradient', gradient],
])
