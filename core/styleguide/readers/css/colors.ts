import type { StyleColor } from '../../colors/style-color.js'
import { ownEntries } from '../own-members.js'
import { readCustomProperties } from './custom-properties.js'
import { readDeclarations } from './declarations.js'

export interface CssVariablesOptions {
  /** What the names of the colors begin with. It is left out of the names shown. Default `'--color-'`. */
  prefix?: string | undefined
}

/**
 * Reads colors from plain CSS custom properties: from an object of them, or from the text of a stylesheet, of which the
 * declarations at `:root`, `:host`, `html` and `@theme` count, also within `@layer`. Those of a theme (`.dark`) or a
 * media query do not: they would hide the colors that they vary.
 *
 * @example
 * fromCssVariables(':root { --color-brand: #06c; --color-link: var(--color-brand) }')
 * // [{ name: 'brand', value: '#06c' }, { name: 'link', value: '#06c', alias: 'brand' }]
 */
export function fromCssVariables(
  css: string | Readonly<Record<string, unknown>>,
  { prefix = '--color-' }: CssVariablesOptions = {},
): StyleColor[] {
  return readCustomProperties(typeof css === 'string' ? readDeclarations(css) : ownEntries(css), prefix)
}
