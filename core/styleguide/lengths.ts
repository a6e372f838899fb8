import { calc } from '@csstools/css-calc'

// https://www.w3.org/TR/css-values-4/#absolute-lengths; 1rem is 16 pixels unless the visitor chose another size.
const pixelsPerUnit = new Map([
  ['px', 1],
  ['rem', 16],
  ['pt', 4 / 3],
  ['pc', 16],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
  ['q', 96 / 101.6],
])

const plainLength = /^([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)([a-z]+)?$/i

/**
 * Converts a plain CSS length to pixels, with 1rem = 16px. Returns `undefined` for lengths that only a browser can
 * resolve: `em`, `vw`, `calc()`.
 *
 * @example toPixels('0.875rem') // 14
 */
export function toPixels(length: string): number | undefined {
  const [, digits, unit] = plainLength.exec(length.trim()) ?? []
  if (digits === undefined) return undefined
  const number = Number(digits)
  if (unit === undefined) return number === 0 ? 0 : undefined
  const factor = pixelsPerUnit.get(unit.toLowerCase())
  return factor && number * factor
}

/** The window widths of a phone and a desktop, in pixels. */
const windowWidths = [390, 1280]

/**
 * Formats a CSS length in pixels; one that depends on the window's width, as a range from a phone to a desktop. Returns
 * other lengths as they are. A no-break space precedes the unit.
 *
 * @example
 * formatLength('0.875rem') // '14 px'
 * formatLength('clamp(1rem, 4vw, 3rem)') // '16–48 px'
 */
export function formatLength(length: string): string {
  const pixels = windowWidths.flatMap((width) => pixelsAt(length, width) ?? [])
  if (pixels.length < windowWidths.length) return length
  const [phone, desktop] = pixels.map((value) => Math.round(value * 10) / 10)
  if (phone === desktop) return `${phone}\u00a0px`
  return `${pixels.map((value) => (value < 20 ? Math.round(value * 10) / 10 : Math.round(value))).join('–')}\u00a0px`
}

// No style configuration needs a longer formula.
const longestFormula = 300

/**
 * Returns the pixels of a length in a window that is `width` pixels wide, with 1rem = 16px. Supports absolute units,
 * `rem`, `vw` and `vi`, and the math functions of CSS; returns `undefined` for any other length.
 *
 * @example pixelsAt('calc(1rem + 2vw)', 400) // 24
 */
export function pixelsAt(length: string, width: number): number | undefined {
  if (length.length > longestFormula) return undefined
  const inPixels = length.replace(/(?<![\w.])([\d.]+)(rem|v[wi])\b/gi, (_, number: string, unit: string) => {
    return `${Number(number) * (unit.toLowerCase() === 'rem' ? 16 : width / 100)}px`
  })
  const result = calc(inPixels, { toCanonicalUnits: true })
  // A number is a factor, such as a line height.
  const pixels = /^[\d.-]+$/.test(result) ? Number(result) : toPixels(result)
  return Number.isFinite(pixels) ? pixels : undefined
}

const plainNumber = /^(?:\d+(?:\.\d+)?|\.\d+)$/
const length = /^(?:\d+(?:\.\d+)?|\.\d+)(?:[a-z]+|%)$/i
const formula = /^(?:calc|clamp|min|max|var|round)\(.*\)$/is
const unit = /\d(?:[a-z]|%)/i

/**
 * Converts a line height to a CSS length: the height of a line of text at a font size of 1rem. Returns `undefined` for
 * `normal`, which depends on the font, and for anything that is not a line height.
 *
 * @example
 * lineHeightToLength('1.5') // 'calc(1rem * 1.5)'
 * lineHeightToLength('1.25rem') // '1.25rem'
 */
export function lineHeightToLength(lineHeight: string): string | undefined {
  const value = lineHeight.trim()
  if (length.test(value)) return value
  const isFormula = formula.test(value)
  // A formula with units is already a length. A formula without units, such as Tailwind's calc(1.25 / 0.875), is a
  // factor.
  if (isFormula && unit.test(value)) return value
  return isFormula || plainNumber.test(value) ? `calc(1rem * ${value})` : undefined
}
