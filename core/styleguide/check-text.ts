import { optionError } from '../option-error.js'

// Matches a single line that ends in a file extension and has no punctuation of CSS or JSON.
const path = /^[^\n{}[\]:;@"]*[^\s{}[\]:;@"]\.[a-z]{2,5}$/i

/**
 * Checks that an option is the text of a file, rather than an empty text, the path of the file, or a value of another
 * type, such as a buffer.
 *
 * @param expected `'the text of a stylesheet'`
 * @param file An example of such a file, for the error.
 * @throws TypeError for any other value.
 */
export function checkText(option: string, text: unknown, expected: string, file: string): string {
  const hint = `write readFileSync('${file}', 'utf8')`
  if (typeof text !== 'string' || text.trim() === '' || path.test(text.trim().replace(/^[a-z]:[\\/]|^file:/i, ''))) {
    throw optionError(option, expected, text, hint)
  }
  return text
}

/** Checks that an option is the text of a stylesheet. */
export function checkStylesheet(css: unknown): string {
  return checkText('css', css, 'the text of a stylesheet', 'public/site.css')
}
