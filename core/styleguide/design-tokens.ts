import { isColor, type StyleColor, splitShade, toColor, troubled } from './color.js'
import { type TokenColor, tokenColor } from './token-color.js'
import { isJson, type Json, parsePointer, parseReference } from './token-references.js'
import { collectTokens, nameOf, type Token } from './token-tree.js'

/**
 * Reads the colors of design tokens in the DTCG format (Format and Color Modules 2025.10, and the hex texts of earlier
 * drafts): groups that hand down `$type`, aliases, `$root`, `$extends`, JSON Pointers. A color's name is its path. What
 * is wrong within the document is told by the color's `problem`.
 *
 * @throws TypeError for a text that is no JSON, and for JSON that is no object.
 * @example
 * fromDesignTokens({ color: { $type: 'color', brand: { $value: '#06c' }, link: { $value: '{color.brand}' } } })
 * // [{ name: 'color.brand', value: '#06c', group: 'color', shade: 'brand' },
 * //  { name: 'color.link', value: '#06c', group: 'color', shade: 'link', alias: 'color.brand' }]
 */
export function fromDesignTokens(document: string | Readonly<Record<string, unknown>>): StyleColor[] {
  const tokens: unknown = typeof document === 'string' ? parseJson(document) : document
  if (!isJson(tokens))
    throw new TypeError('design tokens: the document is no JSON object; write one of groups and tokens')
  const collected = collectTokens(tokens)
  const resolve = createResolver(tokens, collected)
  return [...collected.values()].flatMap((token) => readColor(token, resolve(token)) ?? [])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`design tokens: no JSON: ${(error as Error).message}`)
  }
}

interface Resolved extends TokenColor {
  type: unknown
  alias?: string
}

function readColor(token: Token, { type, alias, ...resolved }: Resolved): StyleColor | undefined {
  const label = { ...labelOf(token.path), ...(alias && { alias }) }
  const problem = token.problem ?? resolved.problem
  if (type === 'color') {
    // Keywords that are no colors of a palette are left out; what is wrong stays.
    if (!problem) return toColor(label, resolved.value)
    return resolved.value ? { ...label, value: resolved.value, problem } : troubled(label, problem)
  }
  if (type !== undefined) return undefined
  if (problem && !resolved.value) return troubled(label, problem)
  // The format forbids guessing a type, so a token without one is invalid; but a color is not dropped in silence.
  return isColor(resolved.value)
    ? { ...label, value: resolved.value, problem: 'has no $type; write "color"' }
    : undefined
}

function labelOf(path: readonly string[]): Pick<StyleColor, 'name' | 'group' | 'shade'> {
  const name = nameOf(path) || 'the document'
  const shade = path.at(-1) === '$root' ? 'DEFAULT' : path.at(-1)
  return path.length > 1 ? { name, group: nameOf(path.slice(0, -1)), shade } : { name, ...splitShade(name) }
}

/** Follows aliases to a token that is none. Each token is followed once, however long the chains are. */
function createResolver(document: Json, tokens: ReadonlyMap<string, Token>): (token: Token) => Resolved {
  const results = new Map<Token, Resolved>()

  return (token) => {
    const chain = new Map<Token, string>()
    let end: Token | undefined = token
    for (let alias = aliasOf(token); alias && end; alias = end && aliasOf(end)) {
      if (results.has(end) || chain.has(end)) break
      chain.set(end, alias)
      end = tokens.get(alias)
    }
    let type: unknown
    const color = resolveEnd(end, chain)
    for (const [link, alias] of [...chain].reverse()) {
      type = link.type ?? type ?? color.type ?? link.groupType
      results.set(link, { ...color, type, alias })
    }
    return results.get(token) ?? color
  }

  function resolveEnd(end: Token | undefined, chain: ReadonlyMap<Token, string>): Resolved {
    const known = end && results.get(end)
    if (known) return known
    const names = [...chain.values()]
    if (!end) return { type: undefined, value: '', problem: `refers to {${names.at(-1)}}, which is no token` }
    if (chain.has(end))
      return { type: undefined, value: '', problem: `refers to {${names.at(-1)}}, which leads back to it` }
    const type = end.type ?? end.groupType
    if (end.value === undefined) return { type, value: '', problem: end.problem ?? 'has no value' }
    // Only colors are read: a dimension is no mistake.
    const isOther = type === undefined ? !mayBeColor(end.value) : type !== 'color'
    return isOther ? { type: type ?? 'unknown', value: '' } : { type, ...tokenColor(end.value, document) }
  }
}

function mayBeColor(value: unknown): boolean {
  return typeof value === 'string' || (isJson(value) && Object.hasOwn(value, 'colorSpace'))
}

/** Name of the token that a token stands for. */
function aliasOf({ value }: Token): string | undefined {
  const pointer = isJson(value) ? parsePointer(value.$ref) : undefined
  const path = pointer?.at(-1) === '$value' ? pointer.slice(0, -1) : (pointer ?? parseReference(value))
  return path && nameOf(path)
}
