const number = /^(?:\d+(?:\.\d+)?|\.\d+)$/
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
  // A formula with units is a length already; one without, such as Tailwind's calc(1.25 / 0.875), is a factor.
  if (isFormula && unit.test(value)) return value
  return isFormula || number.test(value) ? `calc(1rem * ${value})` : undefined
}
