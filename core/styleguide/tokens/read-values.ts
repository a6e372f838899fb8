import { type Kind, type KindName, kindByWords, kinds } from '../kinds.js'
import { cssText, type FontSize, ownMember, pushTo, type ValuesByKind } from '../values.js'
import { type Read, tokenColor } from './color-value.js'
import type { TokenDocument } from './document.js'
import { parseReference } from './token.js'

/** Reads the values of all kinds among tokens. */
export function readValues({ tokens, read }: TokenDocument): ValuesByKind {
  const values = new Map<KindName, FontSize[]>()
  for (const [name, [, { type, end }]] of tokens) {
    const value = read(end?.value)
    const add: Add = (kind, text, style = {}) => {
      const parts = Object.entries(style).filter(([, part]) => part !== undefined)
      if (text === undefined) return
      pushTo(values, kind, { name, value: text, ...Object.fromEntries(parts), source: { token: name } })
    }
    const kind = kindOf(type, name)
    if (type === 'typography') addComposite(add, value, read)
    else if (kind) add(kind.name, (texts.get(kind.name) ?? length)(value, read))
  }
  return values
}

type Write = (value: unknown, read: Read) => string | undefined
type Style = Omit<FontSize, 'name' | 'value' | 'mode' | 'source'>
type Add = (kind: KindName, text: string | undefined, style?: Style) => void

function kindOf(type: unknown, name: string): Kind | undefined {
  const ofType = (type: unknown) => kinds.filter(({ types }) => types.includes(String(type)))
  const byWords = kindByWords(name, ofType(type))
  if (type === 'dimension' || type === 'number') return byWords
  // Tokens Studio's type for the width or height of anything, which some files use for all lengths.
  return type === 'sizing' ? (byWords ?? kindByWords(name, ofType('dimension'))) : ofType(type)[0]
}

function addComposite(add: Add, value: unknown, read: Read): void {
  const isReference = (key: string) => {
    const part = ownMember(value, key)
    return parseReference(part) !== undefined || ownMember(part, '$ref') !== undefined
  }
  const textOf = (key: string, write: Write) => write(read(ownMember(value, key)), read)
  // A part that is a reference has its own token, in the list of its kind.
  const addPart = (kind: KindName, key: string, write: Write) => {
    const text = textOf(key, write)
    if (isReference(key)) return text
    add(kind, text)
    return undefined
  }
  const family = addPart('families', 'fontFamily', writeFamily)
  const weight = addPart('weights', 'fontWeight', writeWeight)
  const letterSpacing = addPart('letterSpacings', 'letterSpacing', length)
  const [size, lineHeight] = [textOf('fontSize', length), textOf('lineHeight', dimension)]
  if (size) add('sizes', size, { lineHeight, family, weight, letterSpacing })
  else if (!isReference('lineHeight')) add('lineHeights', lineHeight)
}

/** Reads a number with its unit (Format Module 2025.10, 8.2), or the string of earlier drafts. */
function dimension(value: unknown, read: Read): string | undefined {
  const [number, unit] = [read(ownMember(value, 'value')), read(ownMember(value, 'unit'))]
  if (typeof number === 'number' && typeof unit === 'string') return `${number}${unit}`
  const text = cssText(value)
  // Tokens Studio computes `{spacing.sm} * 2`.
  return text && !text.includes('(') && /\s[-+*/]\s/.test(text) ? `calc(${text})` : text
}

/** Reads a dimension that must have a unit. Tokens Studio writes pixels without a unit. */
function length(value: unknown, read: Read): string | undefined {
  const text = dimension(value, read)
  if (text?.startsWith('calc(') && !/\d(?:[a-z]|%)/i.test(text)) return `calc(1px * (${text.slice(5)})`
  return text?.replace(/(?<![^\s])-?(?:\d*\.)?\d+(?![^\s])/g, (number) =>
    Number(number) === 0 ? number : `${number}px`,
  )
}

function writeFamily(value: unknown, read: Read): string | undefined {
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
  }).map(([name, weight]) => [name.replace('-', ''), String(weight)]),
)

const writeWeight = (value: unknown) => weights.get(String(value).toLowerCase().replace(/[ -]/g, '')) ?? cssText(value)

/** Reads a shadow or a list of shadows (Format Module 2025.10, 9.6), or those of Tokens Studio with `x`, `y` and `type`. */
function shadow(value: unknown, read: Read): string | undefined {
  return layers(value, read, (layer) => {
    const part = (name: string) => length(read(ownMember(layer, name)), read)
    const [x = part('x'), y = part('y'), ...others] = ['offsetX', 'offsetY', 'blur', 'spread'].map(part)
    const lengths = [x, y, ...others]
    const { value: color } = tokenColor(ownMember(layer, 'color'), read)
    if (lengths[0] === undefined || lengths[1] === undefined) return undefined
    const isInset = read(ownMember(layer, 'inset')) === true || read(ownMember(layer, 'type')) === 'innerShadow'
    const inset = isInset ? ['inset'] : []
    return [...inset, ...lengths.filter((length) => length !== undefined), color].join(' ').trim()
  })
}

/**
 * Reads the stops of a gradient (Format Module 2025.10, 9.7). The stops run from left to right, since the format has no
 * direction.
 */
function gradient(value: unknown, read: Read): string | undefined {
  if (!Array.isArray(value)) return cssText(value)
  const stops = value.map((part) => {
    const stop = read(part)
    const { value: color } = tokenColor(ownMember(stop, 'color'), read)
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

/** Writes the values of a kind as CSS. The values of other kinds are lengths. */
const texts = new Map<KindName, Write>([
  ['families', writeFamily],
  ['weights', writeWeight],
  ['lineHeights', dimension],
  ['shadows', shadow],
  ['gradients', gradient],
])
