/** A color in one color scheme, or in both if `scheme` is missing. */
export interface SchemeColor {
  scheme?: 'light' | 'dark'
  value: string
}

/**
 * Returns the two colors of a `light-dark()` value (CSS Color Module Level 5, section 7), or the value itself.
 *
 * @example schemeColors('light-dark(#fff, rgb(0 0 0))') // [{ scheme: 'light', value: '#fff' }, { scheme: 'dark', value: 'rgb(0 0 0)' }]
 */
export function schemeColors(value: string): readonly SchemeColor[] {
  const inner = /^light-dark\((.*)\)$/is.exec(value.trim())?.[1]
  const comma = inner === undefined ? -1 : topLevelComma(inner)
  if (inner === undefined || comma < 0) return [{ value }]
  return [
    { scheme: 'light', value: inner.slice(0, comma).trim() },
    { scheme: 'dark', value: inner.slice(comma + 1).trim() },
  ]
}

/** Returns the index of the first comma outside parentheses, or -1. */
function topLevelComma(text: string): number {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth++
    else if (text[index] === ')') depth--
    else if (text[index] === ',' && depth === 0) return index
  }
  return -1
}
