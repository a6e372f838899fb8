import type { StyleColor } from '../../colors/style-color.js'
import { entriesOfCss } from './check-css.js'
import { readCustomProperties } from './custom-properties.js'
import { describeMissing } from './missing.js'
import { readStylesheet, type SelectorOptions } from './stylesheet.js'

export interface CssVariablesOptions extends SelectorOptions {
  /**
   * Prefix of the colors' property names, which the shown names omit. Default `'--color-'`. If it does not contain the
   * word `color`, such as `'--bs-'`, properties that are no colors are left out.
   */
  prefix?: string | undefined
}

/**
 * Reads colors from plain CSS custom properties: from an object of them, or from a stylesheet's declarations in
 * `:root`, `:host`, `html` and `@theme`. What a stylesheet declares for a theme (`.dark`, `[data-theme='dark']`) or in a
 * media query are colors of their own, with a `mode`. Of several declarations of a property in a mode, the last one counts:
 * specificity, `!important` and the order of layers do not.
 *
 * @throws TypeError for a stylesheet that has custom properties, but none with the prefix for the whole document. It says
 *   which there are.
 * @example
 * fromCssVariables(':root { --color-brand: #06c; --color-link: var(--color-brand) } .dark { --color-brand: #9cf }')
 * // [{ name: 'brand', value: '#06c' }, { name: 'link', value: '#06c', alias: 'brand' },
 * //  { name: 'brand', value: '#9cf', mode: 'dark' }, { name: 'link', value: '#9cf', alias: 'brand', mode: 'dark' }]
 */
export function fromCssVariables(
  css: string | Readonly<Record<string, unknown>>,
  { prefix = '--color-', ...options }: CssVariablesOptions = {},
): StyleColor[] {
  const isMixed = !/colou?r/i.test(prefix)
  const entries = entriesOfCss(css)
  if (entries) return readCustomProperties(entries, prefix, {}, isMixed)
  const text = css as string
  const stylesheet = readStylesheet(text, options)
  const colors = readCustomProperties(stylesheet.root, prefix, { modes: stylesheet.modes }, isMixed)
  const problem = colors.length === 0 ? describeMissing(text, stylesheet, prefix) : undefined
  if (problem) throw problem
  return colors
}
