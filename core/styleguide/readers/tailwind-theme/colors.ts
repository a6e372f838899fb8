import type { StyleColor } from '../../colors/style-color.js'
import { readCustomProperties } from '../css/custom-properties.js'
import { readTheme, type TailwindTheme } from './theme.js'

/**
 * Reads the colors of a Tailwind 4 theme, the namespace `--color-*`. `initial` removes a color. For a stylesheet, use
 * `fromTailwind4` of `sitewright/tailwind`.
 *
 * @example
 * fromTailwindTheme({ '--color-red-500': 'oklch(63.7% 0.237 25.331)', '--spacing': '0.25rem' })
 * // [{ name: 'red-500', value: 'oklch(63.7% 0.237 25.331)', group: 'red', shade: '500' }]
 */
export function fromTailwindTheme(theme: TailwindTheme): StyleColor[] {
  const { properties, prefix, page } = readTheme(theme)
  return readCustomProperties(properties, `${prefix}color-`, page)
}
