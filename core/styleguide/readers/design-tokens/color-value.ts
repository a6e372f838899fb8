import { dereference, isJsonObject } from './references.js'

/** A color of a token as CSS; `problem` says why it is none, or not the one that was meant. */
export interface TokenColor {
  value: string
  problem?: string
}

type Notation = (components: readonly string[]) => string

const percent = (component: string) => (component === 'none' ? component : `${component}%`)
const functional =
  (name: string): Notation =>
  (components) =>
    `${name}(${components.join(' ')}`
const inSpace =
  (space: string): Notation =>
  (components) =>
    `color(${space} ${components.join(' ')}`
const hueAndPercents =
  (name: string): Notation =>
  ([hue = '', ...shares]) =>
    `${name}(${[hue, ...shares.map(percent)].join(' ')}`

// The color spaces of the Color Module 2025.10, and how CSS Color 4 writes each.
const notations = new Map<unknown, Notation>([
  ...['srgb', 'srgb-linear', 'display-p3', 'a98-rgb', 'prophoto-rgb', 'rec2020', 'xyz-d65', 'xyz-d50'].map(
    (space) => [space, inSpace(space)] as const,
  ),
  ...['lab', 'lch', 'oklab', 'oklch'].map((name) => [name, functional(name)] as const),
  ...['hsl', 'hwb'].map((name) => [name, hueAndPercents(name)] as const),
])

/**
 * The CSS of a color token's `$value`: the object of the Color Module 2025.10, or, as it is, the text of earlier drafts.
 * Where the object is wrong, its `hex` is taken, and the problem told.
 *
 * @example tokenColor({ colorSpace: 'hsl', components: [330, 100, 50] }, {}) // { value: 'hsl(330 100% 50%)' }
 */
export function tokenColor(value: unknown, document: unknown): TokenColor {
  const given = dereference(document, value)
  if (typeof given === 'string') return { value: given.trim() }
  if (!isJsonObject(given)) return { value: '', problem: 'has a value that is neither an object nor a text' }
  const [colorSpace, components, alpha, hex] = [given.colorSpace, given.components, given.alpha, given.hex].map(
    (part) => dereference(document, part),
  )
  const notation = notations.get(colorSpace)
  const numbers = Array.isArray(components) ? components.map((part) => numberText(dereference(document, part))) : []
  const opacity = alpha === undefined ? '1' : numberText(alpha)

  const problem =
    (!notation && `has the color space ${shown(colorSpace)}, which is none of the format's`) ||
    ((numbers.length !== 3 || numbers.includes(undefined)) && 'needs three components, each a number or "none"') ||
    (opacity === undefined && 'has an alpha that is no number')
  if (!problem) {
    const end = opacity === '1' ? ')' : ` / ${opacity})`
    return { value: (notation as Notation)(numbers as string[]) + end }
  }
  return typeof hex === 'string' && /^#[\da-f]{6}$/i.test(hex)
    ? { value: hex, problem: `${problem}; this is its hex` }
    : { value: '', problem }
}

function numberText(value: unknown): string | undefined {
  return value === 'none' || (typeof value === 'number' && Number.isFinite(value)) ? String(value) : undefined
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(JSON.stringify(value))
}
