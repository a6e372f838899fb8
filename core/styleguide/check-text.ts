import { optionError } from '../option-error.js'

// A single line without the punctuation of CSS and JSON, that ends like a file.
const path = /^[^\n{}[\]:;@"]*[^\s{}[\]:;@"]\.[a-z]{2,5}$/i

/**
 * Checks that an option is the text of a file, and not its path, nothing, or what a file was read into besides text.
 *
 * @param expected `'the text of a stylesheet'`
 * @param file An example of such a file, for the error.
 * @throws TypeError otherwise.
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
