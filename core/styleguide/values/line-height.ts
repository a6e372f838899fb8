const number = /^(?:\d+(?:\.\d+)?|\.\d+)$/
const length = /^(?:\d+(?:\.\d+)?|\.\d+)(?:[a-z]+|%)$/i
const formula = /^(?:calc|clamp|min|max|var|round)\(.*\)$/is
const unit = /\d(?:[a-z]|%)/i

/**
 * A line height as a length: how high a line of text of 1rem is. `undefined` for what is none, and for `normal`, of
 * which each font decides.
 *
 * @example
 * lineHeightToLength('1.5') // 'calc(1rem * 1.5)'
 * lineHeightToLength('1.25rem') // '1.25rem'
 */
export function lineHeightToLength(lineHeight: string): string | undefined {
  const value = lineHeight.trim()
  if (length.test(value)) return value
  const isFormula = formula.test(value)
  // A formula with units in it is a length already; one without, as Tailwind's calc(1.25 / 0.875), is a factor.
  if (isFormula && unit.test(value)) return value
  return isFormula || number.test(value) ? `calc(1rem * ${value})` : undefined
}
