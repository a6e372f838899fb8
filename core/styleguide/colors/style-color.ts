import { parseFunction, splitTopLevel } from '../values/brackets.js'
import { isBrowserColor, isColorFunction } from './browser-color.js'
import { parseColor } from './contrast.js'

/** One color of a style configuration. */
export interface StyleColor {
  /** Name in the site's code: `red-500`, or, in design tokens, `color.red.500`. */
  name: string
  /** The CSS color, with aliases resolved. Empty if there is none; `problem` then says why. */
  value: string
  /** The group that it belongs to: `red`. */
  group?: string | undefined
  /** The shade within the group: `500`, or `DEFAULT` for the color with the group's own name. */
  shade?: string | undefined
  /** The name of the color that it refers to. */
  alias?: string | undefined
  /** The mode of the site that the value belongs to, such as `dark`; `undefined` for the document's own. */
  mode?: string | undefined
  /** What is wrong with the color. Shown beside it, so that nothing is dropped silently. */
  problem?: string | undefined
}

/** Everything about a color except its value. */
export type ColorLabel = Omit<StyleColor, 'value' | 'problem'>

const skippedKeywords = new Set(['inherit', 'transparent', 'currentcolor'])
const systemColors =
  /^(?:accentcolor(?:text)?|activetext|button(?:border|face|text)|canvas(?:text)?|field(?:text)?|graytext|highlight(?:text)?|linktext|mark(?:text)?|selecteditem(?:text)?|visitedtext)$/i
// A backslash could be an escaped `url`; no color needs one.
const paintServers = /^(?:none$|context-)|url\(|\\/i

/**
 * Creates a color from a configuration's value, with a `problem` if the value is not a color. Returns `undefined` for
 * `inherit`, `transparent` and `currentColor`, in any letter case, since they do not belong to a palette.
 */
export function toColor(label: ColorLabel, value: unknown): StyleColor | undefined {
  if (typeof value === 'number') return { ...label, value: String(value), problem: 'is a number, not a color' }
  if (typeof value !== 'string') return invalidColor(label, `is ${describeType(value)}, not a color`)
  const color = normalize(value)
  if (skippedKeywords.has(color.toLowerCase())) return undefined
  if (!color) return invalidColor(label, 'is empty')
  return isColor(color) ? { ...label, value: color } : { ...label, value: color, problem: 'is not a known CSS color' }
}

/** Creates a color without a value, with the reason. */
export function invalidColor(label: ColorLabel, problem: string): StyleColor {
  return { ...label, value: '', problem }
}

/** Whether a string is a CSS color, including those that only a browser can resolve (`var()`, `light-dark()`). */
export function isColor(value: string): boolean {
  return isPlainColor(value) || isBrowserColor(value, isPlainColor)
}

function isPlainColor(value: string): boolean {
  return systemColors.test(value) || parseColor(value) !== undefined
}

// Of fallbacks within fallbacks, deeper ones are not looked at.
const maxFallbacks = 8

/** Whether a value is a color or meant to be one, such as `#12` and `rgb(banana)`. */
export function looksLikeColor(value: unknown): boolean {
  if (typeof value !== 'string') return false
  let color = normalize(value)
  for (let depth = 0; depth < maxFallbacks; depth++) {
    const fallback = fallbackOf(color)
    if (fallback === undefined) break
    color = fallback
  }
  const name = parseFunction(color)?.name ?? ''
  if (name === 'env') return false
  return /^#/.test(color) || isColorFunction(name) || isColor(color) || skippedKeywords.has(color.toLowerCase())
}

/** Returns the fallback of a `var()`; `undefined` if there is none. */
function fallbackOf(value: string): string | undefined {
  const { name, inner = '' } = parseFunction(value) ?? {}
  const comma = name === 'var' ? inner.indexOf(',') : -1
  return comma < 0 ? undefined : inner.slice(comma + 1).trim()
}

/**
 * Returns a value as CSS that a browser paints: without a semicolon left over at the end, fully opaque where Tailwind
 * writes `<alpha-value>`, and with the `color-mix()` that Tailwind's `--alpha()` stands for.
 */
function normalize(value: string): string {
  const color = value
    .replace(/(?<![\s;])[\s;]+$/, '')
    .trim()
    .replaceAll('<alpha-value>', '1')
  const alpha = parseFunction(color)
  if (alpha?.name !== '--alpha') return color
  const [base = '', opacity = ''] = splitTopLevel(alpha.inner, '/')
  return `color-mix(in oklab, ${base.trim()} ${opacity.trim()}, transparent)`
}

/**
 * Returns the SVG `fill` that shows a color, or `undefined` if there is nothing to paint. An unknown value is returned
 * too, since the browser may know it, but never one that references a resource (`url()`).
 */
export function svgFill({ value }: StyleColor): string | undefined {
  return value && !paintServers.test(value) ? value : undefined
}

/**
 * Splits a flat name into group and shade if it ends in the number of a shade.
 *
 * @example splitShade('red-500') // { group: 'red', shade: '500' }
 */
export function splitShade(name: string): Pick<StyleColor, 'group' | 'shade'> {
  const [, group, shade] = /^(.+)-(\d{1,4}|DEFAULT)$/s.exec(name) ?? []
  return group ? { group, shade } : {}
}

function describeType(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
