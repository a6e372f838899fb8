import { isColor, type StyleColor } from '../colors/style-color.js'
import { kinds } from '../kinds.js'
import { otherKind, readOnDemand, type Styles } from '../values.js'
import { type DesignTokensInput, type DesignTokensOptions, readTokenDocuments, type TokenDocument } from './document.js'
import { readValues } from './read-values.js'
import { readTokenColors } from './token-colors.js'

/**
 * Reads the styles of design tokens in the DTCG format (Format and Color Modules 2025.10, and the hex strings of
 * earlier drafts): inherited `$type` and `$deprecated`, aliases, `$root`, `$extends`, JSON Pointers. Names are the
 * tokens' paths. Several documents are merged; later documents override earlier ones, unless they name different modes,
 * as the files of Figma's own export do. A resolver document, and the token sets and themes of Tokens Studio, are read
 * with the `files` that they name. Modes come from contexts other than the default, from themes, from the files of
 * Figma, and from tokens with a value for each mode.
 *
 * A color's `problem` reports mistakes in the document and deprecations, with the option `file`.
 *
 * Typography is read from tokens of type `fontFamily` and `fontWeight`, and from `typography` tokens. Each of those is a
 * size, with what else it refers to. The format has no types for sizes, line heights and letter spacings: they are
 * tokens of type `dimension` or `number` with their role in the path (`font-size`, `text`, `line-height`, `leading`,
 * `letter-spacing`, `tracking`), or have a type of Tokens Studio. Invalid typography values are left out. The format has
 * no breakpoints.
 *
 * @throws TypeError for invalid JSON, with its position, for a file that is missing, and for JSON without any token.
 * @example
 * fromDesignTokens({ color: { $type: 'color', brand: { $value: '#06c' }, link: { $value: '{color.brand}' } } }).colors
 * // [{ name: 'color.brand', value: '#06c', group: 'color', shade: 'brand' },
 * //  { name: 'color.link', value: '#06c', group: 'color', shade: 'link', alias: 'color.brand' }]
 */
export function fromDesignTokens(
  document: DesignTokensInput | readonly DesignTokensInput[],
  options: DesignTokensOptions = {},
): Styles {
  const documents = readTokenDocuments(document, options)
  return readOnDemand('fromDesignTokens', {
    colors: () => {
      const colors = readModes(documents, readTokenColors)
      if (!options.file) return colors
      return colors.map((color) => {
        return color.problem ? { ...color, problem: `${options.file}: ${color.name} ${color.problem}` } : color
      })
    },
    values: () => {
      const values = new Map(documents.map((tokens) => [tokens, readValues(tokens)]))
      return new Map(
        kinds.map(({ name }) => [name, readModes(documents, (tokens) => values.get(tokens)?.get(name) ?? [])]),
      )
    },
    leftOut: (isUsed) => {
      const tokens = new Map(documents.flatMap(({ tokens }) => [...tokens]))
      return Array.from(tokens).flatMap(([name, [{ problem }, { type }]]) => {
        return isUsed(name) ? [] : { name, reason: problem && type !== 'color' ? problem : otherKind }
      })
    },
  })
}

/**
 * Returns the default values, followed by the values of each mode that differ from the default values. An invalid
 * default value is left out if a mode has a valid value; a color with a warning, such as a deprecation, is valid.
 */
function readModes<Value extends Pick<StyleColor, 'name' | 'value' | 'mode' | 'problem'>>(
  documents: readonly TokenDocument[],
  read: (document: TokenDocument) => readonly Value[],
): Value[] {
  const [base = [], ...modes] = documents.map((document) =>
    read(document).map((value) => ({ ...value, mode: document.mode ?? value.mode })),
  )
  const baseByName = new Map(base.map((value) => [value.name, value]))
  const isValid = ({ value, problem }: Value) => !problem || isColor(value)
  const completed = new Set(
    modes
      .flat()
      .filter(isValid)
      .map(({ name }) => name),
  )
  return [
    ...base.filter((value) => isValid(value) || !completed.has(value.name)),
    ...modes.flat().filter(({ name, value }) => baseByName.get(name)?.value !== value),
  ]
}
