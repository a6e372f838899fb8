import { invalidColor, isColor, type StyleColor, splitShade, toColor } from '../colors/style-color.js'
import { cssText, type FontSize, ownEntries, ownMember, readOnDemand, type Styles, type Typography } from '../values.js'
import { isColorValue, modesOf, type TokenColor, tokenColor } from './color-value.js'
import { type DesignTokensOptions, readTokenDocument, type TokenDocument } from './document.js'
import { dereference, type JsonObject, nameOf, parseReference, type ResolvedToken, type Token } from './token.js'

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
  return readOnDemand({
    colors: () =>
      read.tokens.flatMap(([token, resolved]) => {
        const color = readColor(token, resolved, read.document)
        if (!color?.problem || !options.file) return color ?? []
        return { ...color, problem: `${options.file}: ${color.name} ${color.problem}` }
      }),
    typography: () => readTypography(read),
    breakpoints: () => [],
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
  const label = { ...labelOf(token.path), ...(alias && { alias }) }
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

function readTypography({ document, tokens }: TokenDocument): Typography {
  const read = (part: unknown) => dereference(document, part)
  const lists: Lists = { families: [], sizes: [], weights: [], lineHeights: [], letterSpacings: [] }
  for (const [{ path }, { type, end }] of tokens) {
    const value = read(end?.value)
    if (type === 'typography') addComposite(lists, nameOf(path), value, read)
    else add(lists, listOf(type, path), nameOf(path), value, read)
  }
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
}

type Lists = { -readonly [List in keyof Typography]-?: FontSize[] }
type Read = (part: unknown) => unknown

// Matched against the parts of a path, in lower case and without separators.
const rolePatterns: [keyof Lists, RegExp][] = [
  ['sizes', /^(?:(?:font|text)sizes?|text)$/],
  ['lineHeights', /^(?:lineheights?|leadings?)$/],
  ['letterSpacings', /^(?:letterspacings?|tracking)$/],
]

function listOf(type: unknown, path: readonly string[]): keyof Lists | undefined {
  if (type === 'fontFamily') return 'families'
  if (type === 'fontWeight') return 'weights'
  if (type !== 'dimension' && type !== 'number') return undefined
  const parts = path.map((part) => part.toLowerCase().replace(/[-_ ]/g, ''))
  // The last part is more specific than the groups around it.
  const list = parts.reverse().flatMap((part) => rolePatterns.find(([, pattern]) => pattern.test(part))?.[0] ?? [])[0]
  return type === 'number' && list !== 'lineHeights' ? undefined : list
}

function add(lists: Lists, list: keyof Lists | undefined, name: string, value: unknown, read: Read): void {
  const text = list && texts[list](value, read)
  if (list && text !== undefined) lists[list].push({ name, value: text })
}

function addComposite(lists: Lists, name: string, value: unknown, read: Read): void {
  const ownValue = (key: string) => {
    const part = ownMember(value, key)
    const isReference = parseReference(part) !== undefined || ownMember(part, '$ref') !== undefined
    return isReference ? undefined : part
  }
  add(lists, 'families', name, ownValue('fontFamily'), read)
  add(lists, 'weights', name, ownValue('fontWeight'), read)
  add(lists, 'letterSpacings', name, ownValue('letterSpacing'), read)
  const size = texts.sizes(ownValue('fontSize'), read)
  const lineHeight = texts.lineHeights(ownValue('lineHeight'), read)
  if (size) lists.sizes.push({ name, value: size, ...(lineHeight && { lineHeight }) })
  else if (lineHeight) lists.lineHeights.push({ name, value: lineHeight })
}

/** Reads a number with its unit (Format Module 2025.10, 8.2), or the string of earlier drafts. */
function dimension(value: unknown, read: Read): string | undefined {
  const [number, unit] = [read(ownMember(value, 'value')), read(ownMember(value, 'unit'))]
  return typeof number === 'number' && typeof unit === 'string' ? `${number}${unit}` : cssText(value)
}

function family(value: unknown, read: Read): string | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' ? quoteFamily(value.trim()) || undefined : undefined
  const names = value.map(read).filter((name) => typeof name === 'string')
  return names.map((name) => quoteFamily(name.trim())).join(', ') || undefined
}

/** Quotes a family's name where CSS requires it; comma-separated lists of earlier drafts stay unchanged. */
function quoteFamily(name: string): string {
  return /^(?:-?[a-z_][\w-]*(?: -?[a-z_][\w-]*)*)?$/i.test(name) || /[,"']/.test(name) ? name : `"${name}"`
}

// Format Module 2025.10, 8.4. CSS itself has names for only two of them.
const weights = new Map(
  [
    [100, 'thin hairline'],
    [200, 'extra-light ultra-light'],
    [300, 'light'],
    [400, 'normal regular book'],
    [500, 'medium'],
    [600, 'semi-bold demi-bold'],
    [700, 'bold'],
    [800, 'extra-bold ultra-bold'],
    [900, 'black heavy'],
    [950, 'extra-black ultra-black'],
  ].flatMap(([weight, names]) =>
    String(names)
      .split(' ')
      .map((name) => [name, String(weight)]),
  ) as [string, string][],
)

const texts: Record<keyof Lists, (value: unknown, read: Read) => string | undefined> = {
  families: family,
  sizes: dimension,
  weights: (value) => weights.get(String(value)) ?? cssText(value),
  lineHeights: dimension,
  letterSpacings: dimension,
}
