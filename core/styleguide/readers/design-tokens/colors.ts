import { isColor, type StyleColor, splitShade, toColor, invalidColor } from '../../colors/style-color.js'
import type { Followed } from './aliases.js'
import { type TokenColor, tokenColor } from './color-value.js'
import { type DesignTokensOptions, readTokenDocument } from './document.js'
import { isJsonObject, type Json } from './references.js'
import { nameOf, type Token } from './tokens.js'

/**
 * Reads the colors of design tokens in the DTCG format (Format and Color Modules 2025.10, and the hex texts of earlier
 * drafts): groups that hand down `$type` and `$deprecated`, aliases, `$root`, `$extends`, JSON Pointers. A color's name
 * is its path. What is wrong within the document is told by the color's `problem`, together with the `file` if one is
 * given; so is what is deprecated.
 *
 * @throws TypeError for a text that is no JSON, with the place, and for JSON that holds no token at all.
 * @example
 * fromDesignTokens({ color: { $type: 'color', brand: { $value: '#06c' }, link: { $value: '{color.brand}' } } })
 * // [{ name: 'color.brand', value: '#06c', group: 'color', shade: 'brand' },
 * //  { name: 'color.link', value: '#06c', group: 'color', shade: 'link', alias: 'color.brand' }]
 */
export function fromDesignTokens(
  document: string | Readonly<Record<string, unknown>>,
  options: DesignTokensOptions = {},
): StyleColor[] {
  const { document: json, tokens } = readTokenDocument(document, options)
  return tokens.flatMap(([token, followed]) => {
    const color = readColor(token, followed, json)
    if (!color?.problem || !options.file) return color ?? []
    return { ...color, problem: `${options.file}: ${color.name} ${color.problem}` }
  })
}

function readColor(
  token: Token,
  { type, end, alias, problem: lost }: Followed,
  document: Json,
): StyleColor | undefined {
  const isOther = type === undefined ? end !== undefined && !mayBeColor(end.value) : type !== 'color'
  if (isOther) return undefined
  const { value, problem: wrong }: TokenColor = end ? tokenColor(end.value, document) : { value: '' }
  const label = { ...labelOf(token.path), ...(alias && { alias }) }
  const problem = token.problem ?? lost ?? wrong
  if (problem) return value ? { ...label, value, problem } : invalidColor(label, problem)
  // The format forbids guessing a type, so a token without one is invalid; but a color is not dropped in silence.
  if (type === undefined) return isColor(value) ? { ...label, value, problem: untyped } : undefined
  // Keywords that are no colors of a palette are left out.
  const color = toColor(label, value)
  return color && { problem: deprecation(token), ...color }
}

const untyped = 'has no $type; write "color"'

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
  return typeof value === 'string' || (isJsonObject(value) && Object.hasOwn(value, 'colorSpace'))
}
