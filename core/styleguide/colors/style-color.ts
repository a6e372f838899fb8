import { parseColor } from './contrast.js'

/** One color of a style configuration. */
export interface StyleColor {
  /** As the site's code calls it: `red-500`, or, in design tokens, `color.red.500`. */
  name: string
  /** The CSS color, aliases resolved. Empty when there is none to paint; `problem` then says why. */
  value: string
  /** The colors that it belongs to: `red`. */
  group?: string | undefined
  /** Its place among them: `500`, or `DEFAULT` for the one that bears the group's own name. */
  shade?: string | undefined
  /** The name of the color that it stands for. */
  alias?: string | undefined
  /** What is wrong with it, in words: shown beside it, so that nothing is dropped in silence. */
  problem?: string | undefined
}

/** What a reader knows of a color besides its value. */
export type ColorLabel = Omit<StyleColor, 'value' | 'problem'>

const skippedKeywords = new Set(['inherit', 'transparent', 'currentcolor'])
const colorFunctions =
  /^(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color|color-mix|light-dark|contrast-color|device-cmyk|var|env)\(.*\)$/is
const systemColors =
  /^(?:accentcolor(?:text)?|activetext|button(?:border|face|text)|canvas(?:text)?|field(?:text)?|graytext|highlight(?:text)?|linktext|mark(?:text)?|selecteditem(?:text)?|visitedtext)$/i
// An escape may spell `url` in other letters, and no color needs one.
const paintServers = /^(?:none$|context-)|url\(|\\/i

/**
 * The color of a configuration's value, labelled with a problem when it is none. `undefined` for `inherit`,
 * `transparent` and `currentColor`, in any letter case, which are no colors of a palette.
 */
export function toColor(label: ColorLabel, value: unknown): StyleColor | undefined {
  if (typeof value === 'number') return { ...label, value: String(value), problem: 'is a number, no color' }
  if (typeof value !== 'string') return invalidColor(label, `is ${describeType(value)}, no color`)
  const color = value.trim()
  if (skippedKeywords.has(color.toLowerCase())) return undefined
  if (!color) return invalidColor(label, 'is empty')
  return isColor(color) ? { ...label, value: color } : { ...label, value: color, problem: 'is no known CSS color' }
}

/** A color without a value, and why. */
export function invalidColor(label: ColorLabel, problem: string): StyleColor {
  return { ...label, value: '', problem }
}

/** Whether a text is a CSS color; what only a browser can work out (`var()`, `color-mix()`) counts as one. */
export function isColor(value: string): boolean {
  return parseColor(value) !== undefined || colorFunctions.test(value) || systemColors.test(value)
}

/**
 * What an SVG `fill` should be for a color to be seen; `undefined` when there is nothing to paint. A value that is not
 * known as a color is painted all the same: the browser may know it. But it never becomes a reference to a resource.
 */
export function svgFill({ value }: StyleColor): string | undefined {
  return value && !paintServers.test(value) ? value : undefined
}

/**
 * Group and shade of a flat name, when its last part is the number of a shade.
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
