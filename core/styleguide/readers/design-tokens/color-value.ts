import { dereference, isJsonObject } from './references.js'

/** The color of a token as CSS; `problem` says why there is none, or why it is only the fallback. */
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

// The color spaces of the Color Module 2025.10, and their notation in CSS Color 4.
const notations = new Map<unknown, Notation>([
  ...['srgb', 'srgb-linear', 'display-p3', 'a98-rgb', 'prophoto-rgb', 'rec2020', 'xyz-d65', 'xyz-d50'].map(
    (space) => [space, inSpace(space)] as const,
  ),
  ...['lab', 'lch', 'oklab', 'oklch'].map((name) => [name, functional(name)] as const),
  ...['hsl', 'hwb'].map((name) => [name, hueAndPercents(name)] as const),
])

/**
 * Converts a color token's `$value` to CSS: an object of the Color Module 2025.10, or a string of earlier drafts, which is
 * returned as it is. If the object is invalid, its `hex` is returned, together with the problem.
 *
 * @example tokenColor({ colorSpace: 'hsl', components: [330, 100, 50] }, {}) // { value: 'hsl(330 100% 50%)' }
 */
export function tokenColor(value: unknown, document: unknown): TokenColor {
  const color = dereference(document, value)
  if (typeof color === 'string') return { value: color.trim() }
  if (!isJsonObject(color)) return { value: '', problem: 'has a value that is neither an object nor a string' }
  const [colorSpace, components, alpha, hex] = [color.colorSpace, color.components, color.alpha, color.hex].map(
    (part) => dereference(document, part),
  )
  const notation = notations.get(colorSpace)
  const numbers = Array.isArray(components) ? components.map((part) => numberText(dereference(document, part))) : []
  const opacity = alpha === undefined ? '1' : numberText(alpha)

  const problem =
    (!notation && `has the color space ${quote(colorSpace)}, which the format does not define`) ||
    ((numbers.length !== 3 || numbers.includes(undefined)) && 'needs three components, each a number or "none"') ||
    (opacity === undefined && 'has an alpha that is not a number')
  if (!problem) {
    const end = opacity === '1' ? ')' : ` / ${opacity})`
    return { value: (notation as Notation)(numbers as string[]) + end }
  }
  return typeof hex === 'string' && /^#[\da-f]{6}$/i.test(hex)
    ? { value: hex, problem: `${problem}; shown by its hex` }
    : { value: '', problem }
}

function numberText(value: unknown): string | undefined {
  return value === 'none' || (typeof value === 'number' && Number.isFinite(value)) ? String(value) : undefined
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(JSON.stringify(value))
}
