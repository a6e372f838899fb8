import { invalidColor, isColor, type StyleColor, splitShade, toColor } from '../colors/style-color.js'
import { ownEntries, readOnDemand, type Styles } from '../values.js'
import { isColorValue, modesOf, type TokenColor, tokenColor } from './color-value.js'
import { type DesignTokensOptions, readTokenDocument } from './document.js'
import { readValues } from './read-values.js'
import { type JsonObject, nameOf, type ResolvedToken, type Token } from './token.js'

/**
 * Reads the styles of design tokens in the DTCG format (Format and Color Modules 2025.10, and the hex strings of
 * earlier drafts): inherited `$type` and `$deprecated`, aliases, `$root`, `$extends`, JSON Pointers. Names are the tokens'
 * paths.
 *
 * Mistakes in the document and deprecations are reported in the color's `problem`, together with the `file` if given. Typography is read
 * from tokens of type `fontFamily` and `fontWeight`; from tokens of type `dimension` or `number` with their role in the path
 * (`font-size`, `text`, `line-height`, `leading`, `letter-spacing`, `tracking`), since the format has no types for these; and from the
 * values that `typography` tokens contain directly, not by reference. Invalid typography values are left out. The format has no
 * breakpoints.
 *
 * @throws TypeError for invalid JSON, with its position, for a resolver document, and for JSON without any token.
 * @example
 * fromDesignTokens({ color: { $type: 'color', brand: { $value: '#06c' }, link: { $value: '{color.brand}' } } }).colors
 * // [{ name: 'color.brand', value: '#06c', group: 'color', shade: 'brand' },
 * //  { name: 'color.link', value: '#06c', group: 'color', shade: 'link', alias: 'color.brand' }]
 */
export function fromDesignTokens(
  document: string | Readonly<Record<string, unknown>>,
  options: DesignTokensOptions = {},
): Styles {
  const read = readTokenDocument(document, options)
  return readOnDemand('fromDesignTokens', {
    colors: () =>
      read.tokens.flatMap(([token, resolved]) => {
        const color = readColor(token, resolved, read.document)
        if (!color?.problem || !options.file) return color ?? []
        return { ...color, problem: `${options.file}: ${color.name} ${color.problem}` }
      }),
    values: () => readValues(read),
  })
}

function readColor(
  token: Token,
  { type, end, alias, problem: aliasProblem }: ResolvedToken,
  document: JsonObject,
): StyleColor | undefined {
  const isOtherType = type === undefined ? end !== undefined && !mayBeColor(end.value) : type !== 'color'
  if (isOtherType) return undefined
  const { value, problem: valueProblem }: TokenColor = end ? tokenColor(end.value, document) : { value: '' }
  const label = { ...labelOf(token.path), ...(alias && { alias }), source: { token: nameOf(token.path) } }
  const problem = token.problem ?? aliasProblem ?? valueProblem
  if (problem) return value ? { ...label, value, problem } : invalidColor(label, problem)
  // The format forbids guessing a type, so a token without a type is invalid, but a color is not dropped silently.
  if (type === undefined) return isColor(value) ? { ...label, value, problem: missingType } : undefined
  // Leaves out keywords that do not belong to a palette.
  const color = toColor(label, value)
  return color && { problem: deprecation(token), ...color }
}

const missingType = 'has no $type; write "color"'

function deprecation({ deprecated }: Token): string | undefined {
  if (typeof deprecated === 'string') return `is deprecated: ${deprecated}`
  return deprecated === true ? 'is deprecated' : undefined
}

function labelOf(path: readonly string[]): Pick<StyleColor, 'name' | 'group' | 'shade'> {
  const name = nameOf(path) || 'the document'
  const shade = path.at(-1) === '$root' ? 'DEFAULT' : path.at(-1)
  return path.length > 1 ? { name, group: nameOf(path.slice(0, -1)), shade } : { name, ...splitShade(name) }
}

function mayBeColor(value: unknown): boolean {
  if (typeof value === 'string' || isColorValue(value)) return true
  return modesOf(value) !== undefined && ownEntries(value as object).some(([, color]) => isColorValue(color))
}
