import { parseFunction, replaceCalls, splitTopLevel } from '../brackets.js'
import { isComputable, maxColorLength } from './color.js'

/** How the site's code refers to a value, if the source of the styles tells. */
export interface ValueSource {
  /** Custom property: `'--color-red-500'`, for `var(--color-red-500)`. */
  property?: string | undefined
  /** Tailwind's class: `'bg-red-500'`, `'rounded-lg'`. */
  className?: string | undefined
  /** Path of the design token: `'color.red.500'`. */
  token?: string | undefined
}

/** One color of a style configuration. */
export interface StyleColor {
  /** Name in the site's code: `red-500`, or, in design tokens, `color.red.500`. */
  name: string
  /** The CSS color, with aliases resolved. Empty for an invalid color; `problem` then says why. */
  value: string
  /** The group that the color belongs to: `red`. */
  group?: string | undefined
  /** The shade within the group: `500`, or `DEFAULT` for the color with the group's own name. */
  shade?: string | undefined
  /** The name of the color that this color refers to. */
  alias?: string | undefined
  /** The mode of the site that the value belongs to, such as `dark`; `undefined` for the document's own value. */
  mode?: string | undefined
  /** The purpose of the color: the `$description` of a design token, or a comment beside a custom property. */
  description?: string | undefined
  /** How the site's code refers to the color. */
  source?: ValueSource | undefined
  /** A mistake in the color. The styleguide shows it beside the color. */
  problem?: string | undefined
}

/** Everything about a color except its value. */
export type ColorLabel = Omit<StyleColor, 'value' | 'problem'>

const skippedKeywords = new Set(['inherit', 'transparent', 'currentcolor'])
// The system's colors, and that of the text.
const pageColors =
  /(?<![\w#.-])(?:accentcolor(?:text)?|activetext|button(?:border|face|text)|canvas(?:text)?|currentcolor|field(?:text)?|graytext|highlight(?:text)?|linktext|mark(?:text)?|selecteditem(?:text)?|visitedtext)(?![\w(-])/gi
// A backslash could be part of an escaped `url`; no color needs a backslash.
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

/** Creates a color without a value; `problem` is the reason. */
export function invalidColor(label: ColorLabel, problem: string): StyleColor {
  return { ...label, value: '', problem }
}

/** Whether a string is a CSS color, including colors that only a browser can resolve (`var()`, `light-dark()`). */
export function isColor(value: string): boolean {
  return value.length <= maxColorLength && (isComputable(value) || isBrowserColor(value))
}

const colorFunctions =
  /^(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color|color-mix|light-dark|contrast-color|device-cmyk)$/
const substitution = /(?<![\w-])(?:var|env)\(/i

/** Whether a value is a color that only a browser can resolve, such as `var()`, `Canvas` and `light-dark()`. */
function isBrowserColor(value: string): boolean {
  const { name = '', inner = '' } = parseFunction(value) ?? {}
  if (name === 'var') return /^\s*--[^\s,()]+\s*(?:,|$)/.test(inner)
  if (name === 'env') return /^\s*[a-z-]/i.test(inner)
  if (colorFunctions.test(name) && substitution.test(inner)) return true
  if (name === 'device-cmyk') return /\d/.test(inner)
  if (name === 'color' && /^\s*--/.test(inner)) return true
  // A plain color in place of each color of the page shows whether the rest is valid.
  const plain = replaceCalls(value.replace(pageColors, 'red'), /light-dark\(/gi, (light, dark = '') =>
    isColor(light) && isColor(dark) ? 'red' : undefined,
  )
  return plain !== value && isComputable(plain)
}

const number = String.raw`[\d.]+`
const hslChannels = new RegExp(String.raw`^${number}(?:deg)?\s+${number}%\s+${number}%(?:\s*/\s*${number}%?)?$`)
const oklchChannels = new RegExp(String.raw`^${number}%\s+0?\.\d+\s+${number}$`)
const rgbChannels = /^\d{1,3}(?:\s*,\s*|\s+)\d{1,3}(?:\s*,\s*|\s+)\d{1,3}$/

/**
 * Returns the color of bare channels, which sites use in `hsl(var(--brand))`; `undefined` for any other value.
 *
 * @param mayBeRgb Whether three whole numbers are a color, too.
 * @example fromChannels('222.2 47.4% 11.2%', false) // 'hsl(222.2 47.4% 11.2%)'
 */
export function fromChannels(value: unknown, mayBeRgb: boolean): string | undefined {
  const channels = typeof value === 'string' && value.length < 100 ? value.trim() : ''
  if (hslChannels.test(channels)) return `hsl(${channels})`
  if (oklchChannels.test(channels)) return `oklch(${channels})`
  return mayBeRgb && rgbChannels.test(channels) ? `rgb(${channels})` : undefined
}

/** Whether a value is a color, or a failed attempt at a color such as `#12` and `rgb(banana)`. */
export function looksLikeColor(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > maxColorLength) return false
  const color = normalize(value)
  const { name = '', inner = '' } = parseFunction(color) ?? {}
  if (name === 'env') return false
  const comma = name === 'var' ? inner.indexOf(',') : -1
  if (comma >= 0) return looksLikeColor(inner.slice(comma + 1))
  return /^#/.test(color) || colorFunctions.test(name) || isColor(color) || skippedKeywords.has(color.toLowerCase())
}

/**
 * Returns a value as CSS that a browser paints. Drops a semicolon at the end, replaces Tailwind's `<alpha-value>` with
 * full opacity, and replaces Tailwind's `--alpha()` with the `color-mix()` that it stands for.
 */
function normalize(value: string): string {
  const color = value
    .replace(/(?<![\s;])[\s;]+$/, '')
    .trim()
    .replaceAll('<alpha-value>', '1')
  if (color.length > maxColorLength) return color
  return replaceCalls(color, /--alpha\(/gi, (argument) => {
    const [base = '', opacity = ''] = splitTopLevel(argument, '/')
    return `color-mix(in oklab, ${base.trim()} ${opacity.trim()}, transparent)`
  })
}

/**
 * Returns the SVG `fill` that shows a color, or `undefined` if there is nothing to paint. An unknown value is returned,
 * too, since the browser may know it. A value that references a resource (`url()`) is never returned.
 */
export function svgFill({ value }: StyleColor): string | undefined {
  return value && !paintServers.test(value) ? value : undefined
}

/** A color in one color scheme, or in both if `scheme` is missing. */
export interface SchemeColor {
  scheme?: 'light' | 'dark'
  value: string
}

/**
 * Returns the two colors of a `light-dark()` value (CSS Color Module Level 5, section 7), or the value itself.
 *
 * @example schemeColors('light-dark(#fff, #000)') // [{ scheme: 'light', value: '#fff' }, { scheme: 'dark', value: '#000' }]
 */
export function schemeColors(value: string): readonly SchemeColor[] {
  const { name, inner = '' } = parseFunction(value.trim()) ?? {}
  const [light, dark, ...rest] = name === 'light-dark' ? splitTopLevel(inner, ',') : []
  if (light === undefined || dark === undefined || rest.length > 0) return [{ value }]
  return [
    { scheme: 'light', value: light.trim() },
    { scheme: 'dark', value: dark.trim() },
  ]
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
