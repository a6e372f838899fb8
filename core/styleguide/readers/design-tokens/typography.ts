import { cssText, type DesignValue, type FontSize, type Typography } from '../../values/design-value.js'
import { ownMember } from '../own-members.js'
import { type DesignTokensOptions, readTokenDocument } from './document.js'
import { dereference, parseReference } from './references.js'
import { nameOf } from './tokens.js'

/**
 * Reads the typography of design tokens in the DTCG format: tokens of the types `fontFamily` and `fontWeight`; a
 * `dimension` or `number` whose path has a part that says what it is (`font-size`, `text`, `line-height`, `leading`,
 * `letter-spacing`, `tracking`), since the format has no types for these; and what a `typography` token says itself,
 * not what it refers to. A name is the token's path. What cannot be read is left out.
 *
 * @throws TypeError as `fromDesignTokens` does.
 * @example
 * typographyFromDesignTokens({ 'font-size': { $type: 'dimension', sm: { $value: { value: 0.875, unit: 'rem' } } } })
 * // { sizes: [{ name: 'font-size.sm', value: '0.875rem' }] }
 */
export function typographyFromDesignTokens(
  document: string | Readonly<Record<string, unknown>>,
  options: DesignTokensOptions = {},
): Typography {
  const { document: json, tokens } = readTokenDocument(document, options)
  const lists: Lists = { families: [], sizes: [], weights: [], lineHeights: [], letterSpacings: [] }
  for (const [{ path }, { type, end }] of tokens) {
    const value = dereference(json, end?.value)
    const read = (part: unknown) => dereference(json, part)
    if (type === 'typography') addComposite(lists, nameOf(path), value, read)
    else add(lists, listOf(type, path), nameOf(path), value, read)
  }
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
}

type Lists = { -readonly [List in keyof Typography]-?: FontSize[] }
type Read = (part: unknown) => unknown

// The parts of a path, in lower case and without separators.
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
  // The last part says more than the groups around it.
  const list = parts.reverse().flatMap((part) => rolePatterns.find(([, saying]) => saying.test(part))?.[0] ?? [])[0]
  return type === 'number' && list !== 'lineHeights' ? undefined : list
}

function add(lists: Lists, list: keyof Lists | undefined, name: string, value: unknown, read: Read): void {
  const text = list && texts[list](value, read)
  if (list && text !== undefined) lists[list].push({ name, value: text })
}

function addComposite(lists: Lists, name: string, value: unknown, read: Read): void {
  const written = (key: string) => {
    const part = ownMember(value, key)
    const isReference = parseReference(part) !== undefined || ownMember(part, '$ref') !== undefined
    return isReference ? undefined : part
  }
  add(lists, 'families', name, written('fontFamily'), read)
  add(lists, 'weights', name, written('fontWeight'), read)
  add(lists, 'letterSpacings', name, written('letterSpacing'), read)
  const size = texts.sizes(written('fontSize'), read)
  const lineHeight = texts.lineHeights(written('lineHeight'), read)
  if (size) lists.sizes.push({ name, value: size, ...(lineHeight && { lineHeight }) } satisfies FontSize)
  else if (lineHeight) lists.lineHeights.push({ name, value: lineHeight } satisfies DesignValue)
}

/** A number and its unit (Format Module 2025.10, 8.2), or the text of earlier drafts. */
function dimension(value: unknown, read: Read): string | undefined {
  const [number, unit] = [read(ownMember(value, 'value')), read(ownMember(value, 'unit'))]
  return typeof number === 'number' && typeof unit === 'string' ? `${number}${unit}` : cssText(value)
}

function family(value: unknown, read: Read): string | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' ? quoted(value.trim()) || undefined : undefined
  const names = value.map(read).filter((name) => typeof name === 'string')
  return names.map((name) => quoted(name.trim())).join(', ') || undefined
}

/** A family's name as CSS takes it; the lists that earlier drafts had in one text stay as they are. */
function quoted(name: string): string {
  return /^(?:-?[a-z_][\w-]*(?: -?[a-z_][\w-]*)*)?$/i.test(name) || /[,"']/.test(name) ? name : `"${name}"`
}

// Format Module 2025.10, 8.4. CSS knows two of them by name.
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
