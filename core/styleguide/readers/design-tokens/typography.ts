import { cssText, type DesignValue, type FontSize, type Typography } from '../../values/design-value.js'
import { ownMember } from '../own-members.js'
import { type DesignTokensOptions, readTokenDocument } from './document.js'
import { dereference, parseReference } from './references.js'
import { nameOf } from './token.js'

/**
 * Reads the typography of design tokens in the DTCG format: tokens of type `fontFamily` and `fontWeight`; tokens of
 * type `dimension` or `number` whose path names their role (`font-size`, `text`, `line-height`, `leading`,
 * `letter-spacing`, `tracking`), since the format has no types for these; and the own values of `typography` tokens,
 * but not their references. Names are the tokens' paths. Invalid values are left out.
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
  if (size) lists.sizes.push({ name, value: size, ...(lineHeight && { lineHeight }) } satisfies FontSize)
  else if (lineHeight) lists.lineHeights.push({ name, value: lineHeight } satisfies DesignValue)
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
