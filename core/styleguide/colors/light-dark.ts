/** A color in one color scheme; without `scheme`, in both. */
export interface SchemeColor {
  scheme?: 'light' | 'dark'
  value: string
}

/**
 * The colors that a value stands for: the two of `light-dark()` (CSS Color Module Level 5, section 7), else the value.
 *
 * @example schemeColors('light-dark(#fff, rgb(0 0 0))') // [{ scheme: 'light', value: '#fff' }, { scheme: 'dark', value: 'rgb(0 0 0)' }]
 */
export function schemeColors(value: string): readonly SchemeColor[] {
  const inner = /^light-dark\((.*)\)$/is.exec(value.trim())?.[1]
  const comma = inner === undefined ? -1 : outerComma(inner)
  if (inner === undefined || comma < 0) return [{ value }]
  return [
    { scheme: 'light', value: inner.slice(0, comma).trim() },
    { scheme: 'dark', value: inner.slice(comma + 1).trim() },
  ]
}

/** Index of the first comma that is within no function; -1 when there is none. */
function outerComma(text: string): number {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '(') depth++
    else if (text[index] === ')') depth--
    else if (text[index] === ',' && depth === 0) return index
  }
  return -1
}
