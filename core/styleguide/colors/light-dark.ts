import { parseFunction, splitTopLevel } from '../values/brackets.js'

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
  const { name, inner = '' } = parseFunction(value.trim()) ?? {}
  const [light, dark, ...others] = name === 'light-dark' ? splitTopLevel(inner, ',') : []
  if (light === undefined || dark === undefined || others.length > 0) return [{ value }]
  return [
    { scheme: 'light', value: light.trim() },
    { scheme: 'dark', value: dark.trim() },
  ]
}
