import { optionError } from '../../../option-error.js'
import { ownEntries } from '../own-members.js'

/**
 * Returns the custom properties of an object; `undefined` for a stylesheet.
 *
 * @throws TypeError for anything else, such as a missing one.
 */
export function entriesOfCss(css: unknown): [name: string, value: unknown][] | undefined {
  if (typeof css === 'string') return undefined
  if (typeof css === 'object' && css !== null && !Array.isArray(css)) return ownEntries(css)
  throw optionError('css', 'a stylesheet as text, or an object of custom properties', css)
}
