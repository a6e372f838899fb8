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

const fluidLength = /^clamp\(([^,]+),.*,([^,]+)\)$/is

/**
 * Formats a CSS length in pixels. A `clamp()` is formatted as the range from its minimum to its maximum. Returns `undefined`
 * for lengths that only a browser can resolve.
 *
 * @example
 * formatPixels('0.875rem') // '14 px'
 * formatPixels('clamp(1rem, 4vw, 3rem)') // '16–48 px'
 */
export function formatPixels(length: string): string | undefined {
  const [, min, max] = fluidLength.exec(length.trim()) ?? []
  const ends = (min && max ? [min, max] : [length]).map(toPixels)
  if (ends.includes(undefined)) return undefined
  return `${ends.map((pixels) => round(pixels as number)).join('–')} px`
}

function round(pixels: number): number {
  return Math.round(pixels * 100) / 100
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
  // A formula with units is already a length. A formula without units, such as Tailwind's calc(1.25 / 0.875), is a factor.
  if (isFormula && unit.test(value)) return value
  return isFormula || plainNumber.test(value) ? `calc(1rem * ${value})` : undefined
}
