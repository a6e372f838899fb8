import { optionError } from '../../../option-error.js'
import { ownEntries } from '../own-members.js'

/**
 * Returns the custom properties of an object; `undefined` for a stylesheet.
 *
 * @throws TypeError for anything else, such as a missing or empty one, and for the path of a stylesheet.
 */
export function entriesOfCss(css: unknown): [name: string, value: unknown][] | undefined {
  // A stylesheet has neither only a name in it, nor nothing: its file was not read.
  if (typeof css === 'string' && (css.trim() === '' || /^[^\s{}:;@]+\.css$/i.test(css.trim()))) {
    throw optionError('css', 'the text of a stylesheet', css, "write readFileSync('public/site.css', 'utf8')")
  }
  if (typeof css === 'string') return undefined
  if (typeof css === 'object' && css !== null && !Array.isArray(css)) return ownEntries(css)
  throw optionError('css', 'a stylesheet as text, or an object of custom properties', css)
}
