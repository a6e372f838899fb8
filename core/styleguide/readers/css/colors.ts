import type { StyleColor } from '../../colors/style-color.js'
import { ownEntries } from '../own-members.js'
import { readCustomProperties } from './custom-properties.js'
import { readDeclarations } from './declarations.js'

export interface CssVariablesOptions {
  /** Prefix of the colors' property names, which the shown names omit. Default `'--color-'`. */
  prefix?: string | undefined
}

/**
 * Reads colors from plain CSS custom properties: from an object of them, or from a stylesheet's declarations in `:root`,
 * `:host`, `html` and `@theme`, also within `@layer`. Declarations of a theme (`.dark`) or in a media query are ignored,
 * since they would hide the colors that they vary.
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
