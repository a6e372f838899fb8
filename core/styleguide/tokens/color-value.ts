import { maxColorLength } from '../colors/color.js'
import { isColor } from '../colors/style-color.js'
import { ownEntries, ownMember } from '../values.js'
import { dereference, isJsonObject, type JsonObject, parseReference } from './token.js'

/** The color of a token as CSS. `problem` says why the value is empty, is a fallback, or is out of range. */
export interface TokenColor {
  value: string
  problem?: string
}

type Range = readonly [name: string, min: number, max: number]

/** A color space: the beginning of its notation in CSS Color 4, and the names and ranges of its components. */
interface ColorSpace {
  start: string
  /** Whether CSS writes the second and third components as percentages. */
  hasPercentages?: boolean
  ranges: readonly Range[]
}

const unbounded = Number.POSITIVE_INFINITY
const upTo = (max: number, ...names: readonly string[]) => names.map((name): Range => [name, 0, max])
const signed = (...names: readonly string[]) => names.map((name): Range => [name, -unbounded, unbounded])
// `rangeProblem` excludes 360.
const hue: Range = ['hue', 0, 360]
const colorFunction = (names: readonly string[], ...components: readonly string[]) =>
  names.map((name) => [name, { start: `color(${name} `, ranges: upTo(1, ...components) }] as const)

// The color spaces of the Color Module 2025.10, 4.2.
const colorSpaces = new Map<unknown, ColorSpace>([
  ...colorFunction(['srgb', 'srgb-linear', 'display-p3', 'a98-rgb', 'prophoto-rgb', 'rec2020'], 'red', 'green', 'blue'),
  ...colorFunction(['xyz-d65', 'xyz-d50'], 'X', 'Y', 'Z'),
  ['lab', { start: 'lab(', ranges: [...upTo(100, 'lightness'), ...signed('a', 'b')] }],
  ['oklab', { start: 'oklab(', ranges: [...upTo(1, 'lightness'), ...signed('a', 'b')] }],
  ['lch', { start: 'lch(', ranges: [...upTo(100, 'lightness'), ...upTo(unbounded, 'chroma'), hue] }],
  ['oklch', { start: 'oklch(', ranges: [...upTo(1, 'lightness'), ...upTo(unbounded, 'chroma'), hue] }],
  ['hsl', { start: 'hsl(', hasPercentages: true, ranges: [hue, ...upTo(100, 'saturation', 'lightness')] }],
  ['hwb', { start: 'hwb(', hasPercentages: true, ranges: [hue, ...upTo(100, 'whiteness', 'blackness')] }],
])

/**
 * Converts a color token's `$value` to CSS. The value is an object of the Color Module 2025.10, or a string of earlier
 * drafts, which is returned unchanged. For an invalid object, the result is its `hex` and the problem. A component out
 * of range is converted as written, and reported as a problem.
 *
 * @example tokenColor({ colorSpace: 'hsl', components: [330, 100, 50] }, (part) => part) // { value: 'hsl(330 100% 50%)' }
 */
export function tokenColor(value: unknown, read: Read): TokenColor {
  const color = read(value)
  if (typeof color === 'string') return { value: color.trim() }
  if (!isJsonObject(color)) return { value: '', problem: 'has a value that is neither an object nor a string' }
  const [colorSpace, components, alpha = 1, hex] = ['colorSpace', 'components', 'alpha', 'hex'].map((key) =>
    read(ownMember(color, key)),
  )
  const space = colorSpaces.get(colorSpace)
  const parts = Array.isArray(components) ? components.map(read) : []

  const problem =
    (colorSpace === undefined && 'has no colorSpace') ||
    (!space && `has the color space ${JSON.stringify(colorSpace)}, which the format does not define`) ||
    ((parts.length !== 3 || !parts.every((part) => part === 'none' || isNumber(part))) &&
      'needs three components, each a number or "none"') ||
    (!isNumber(alpha) && 'has an alpha that is not a number')
  if (!space || problem) {
    return typeof hex === 'string' && /^#[\da-f]{6}$/i.test(hex)
      ? { value: hex, problem: `${problem}; shown as its hex` }
      : { value: '', problem: String(problem) }
  }
  const written = parts.map((part, index) => (space.hasPercentages && index > 0 && part !== 'none' ? `${part}%` : part))
  const css = `${space.start}${written.join(' ')}${alpha === 1 ? '' : ` / ${alpha}`})`
  const mistake = rangeProblem(space.ranges, parts, alpha)
  return { value: css, ...(mistake && { problem: mistake }) }
}

/** Whether a value is an object with a color for each mode, as in some tools' files. */
export function hasModes(value: unknown): value is JsonObject {
  const colors = isJsonObject(value) ? ownEntries(value) : []
  return colors.length > 1 && colors.every(([, color]) => isColorValue(color) || parseReference(color))
}

/** Whether a value has one of the forms of a color. */
export function isColorValue(value: unknown): boolean {
  return typeof value === 'string' ? isColor(value) : isJsonObject(value) && Object.hasOwn(value, 'colorSpace')
}

function rangeProblem(ranges: readonly Range[], components: readonly unknown[], alpha: unknown): string | undefined {
  const withAlpha: readonly Range[] = [...ranges, ['alpha', 0, 1]]
  for (const [index, [name, min, max]] of withAlpha.entries()) {
    const value = [...components, alpha][index]
    if (!isNumber(value) || (value >= min && (name === 'hue' ? value < max : value <= max))) continue
    const range = max === unbounded ? `${min} or more` : `from ${min} ${name === 'hue' ? 'to below' : 'to'} ${max}`
    return `has the ${name} ${value}, which must be ${range}`
  }
  return undefined
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

const reference = /\{[^{}]+\}/g
const hexWithOpacity = /^rgba?\(\s*(#[\da-f]{3,8}|[a-z]+\([^()]*\))\s*,\s*([\d.]+%?)\s*\)$/i

/** Returns a value with its references resolved. */
export type Read = (value: unknown) => unknown

/**
 * Creates a function that resolves the references of a value: `{color.red}`, a JSON Pointer, and the references within
 * a text such as `rgba({color.red}, 0.5)`, Tokens Studio's form of a color with an opacity. Each reference is computed
 * once. An unknown or circular reference stays, and so does a text that would become too long.
 *
 * @param find Returns the value of the token at a path; `undefined` for an unknown token.
 */
export function createReader(document: unknown, find: (path: string[]) => { value: unknown } | undefined): Read {
  const texts = new Map<string, string>()
  const follow = (part: unknown) => {
    const path = parseReference(part)
    const found = path && find(path)
    return found ? found.value : part
  }

  const textOf = (name: string): string => {
    const stored = texts.get(name)
    if (stored !== undefined) return stored
    // Ends a circular reference.
    texts.set(name, name)
    const value = follow(name)
    const text = value === name ? name : cssOf(read(value), read) || name
    texts.set(name, text)
    return text
  }

  const read: Read = (part) => {
    const value = dereference(document, follow(part))
    if (typeof value !== 'string' || value.length > maxColorLength || !value.includes('{')) return value
    const text = value.replace(reference, textOf)
    if (text.length > maxColorLength) return value
    const [, color, opacity = ''] = hexWithOpacity.exec(text) ?? []
    if (!color) return text
    return `color-mix(in srgb, ${color} ${opacity.endsWith('%') ? opacity : `${Number(opacity) * 100}%`}, transparent)`
  }
  return read
}

function cssOf(value: unknown, read: Read): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  const [number, unit] = [ownMember(value, 'value'), ownMember(value, 'unit')]
  return typeof number === 'number' ? `${number}${unit}` : tokenColor(value, read).value
}
