import { parseFunction, splitTopLevel } from '../values/brackets.js'

const colorSpaces = /^(?:rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color)$/
const otherFunctions = /^(?:color-mix|light-dark|contrast-color|device-cmyk)$/
const interpolation = /^\s*in\s+[a-z][\w-]*(?:\s+(?:shorter|longer|increasing|decreasing)\s+hue)?\s*$/i
const percentage = /^\s*[\d.+-]+%\s|\s[\d.+-]+%\s*$/g
const substitution = /(?<![\w-])(?:var|env)\(/i
// Deeper nesting of color functions is nobody's.
const maxDepth = 8

/**
 * Whether a value is a color function that only a browser can resolve, such as `var()`, `light-dark()` and relative
 * colors; as far as can be seen without one.
 *
 * @param isPlain Whether a value is a color that is known without a browser.
 */
export function isBrowserColor(value: string, isPlain: (value: string) => boolean, depth = 0): boolean {
  const { name = '', inner = '' } = parseFunction(value) ?? {}
  const isNestedColor = (text: string) =>
    isPlain(text.trim()) || (depth < maxDepth && isBrowserColor(text.trim(), isPlain, depth + 1))
  if (name === 'var') return /^\s*--[^\s,()]+\s*(?:,|$)/.test(inner)
  if (name === 'env') return /^\s*[a-z-]/i.test(inner)
  if (!isColorFunction(name)) return false
  if (substitution.test(inner)) return true
  if (colorSpaces.test(name)) return inner.includes('(') || /^\s*from\s|^\s*--/i.test(inner)
  if (name === 'device-cmyk') return /\d/.test(inner)
  if (name === 'contrast-color') return isNestedColor(inner)
  const colors = splitTopLevel(inner, ',')
  if (name === 'light-dark') return colors.length === 2 && colors.every(isNestedColor)
  if (interpolation.test(colors[0] as string)) colors.shift()
  return colors.length > 1 && colors.every((color) => isNestedColor(color.replace(percentage, ' ')))
}

/** Whether a function's name is that of a color, in lower case. */
export function isColorFunction(name: string): boolean {
  return colorSpaces.test(name) || otherFunctions.test(name)
}
