import { type Color, converter, formatCss, formatRgb } from 'culori'
import { parseColor } from '../colors/color.js'
import { invalidColor, isColor, type StyleColor, splitShade, toColor } from '../colors/style-color.js'
import { ownEntries, ownMember } from '../values.js'
import { isColorValue, modesOf, type TokenColor, tokenColor } from './color-value.js'
import type { TokenDocument } from './document.js'
import { isJsonObject, nameOf, type ResolvedToken, type Token } from './token.js'

/** Reads the colors of a document. A token with a value for each mode becomes a color for each mode. */
export function readTokenColors(tokenDocument: TokenDocument): StyleColor[] {
  const { document, follow, interpolate } = tokenDocument
  const hasModifiers = tokenDocument.tokens.some(([token]) => modifierOf(token.extensions))
  return tokenDocument.tokens.flatMap(([token, resolved]) => {
    const { end } = resolved
    const modes = modeValues(end)
    if (!modes) return readColor(token, resolved, end && colorOf(token, end)) ?? []
    return [...(modesOf(end?.value) ? [] : [[undefined, end?.value] as const]), ...modes].flatMap(([mode, value]) => {
      const color = readColor(token, resolved, tokenColor(interpolate(follow(value)), document))
      return color ? { ...color, ...(mode !== undefined && mode !== 'default' && { mode }) } : []
    })
  })

  /** Returns the color of a token, with the modifiers of the tokens on the way to its value. */
  function colorOf(token: Token, end: Token): TokenColor {
    const color = tokenColor(interpolate(end.value), document)
    return hasModifiers && color.value ? modify(token, color) : color
  }

  function modify(token: Token, color: TokenColor): TokenColor {
    const chain = [token]
    for (let next = tokenDocument.resolve(token).alias; next !== undefined; ) {
      const target = tokenDocument.tokenNamed(next)
      if (!target || chain.includes(target)) break
      chain.push(target)
      next = tokenDocument.resolve(target).alias
    }
    let { value, problem } = color
    for (const { extensions } of chain.reverse()) {
      const modifier = modifierOf(extensions)
      const modified = modifier ? modifyColor(value, modifier, (part) => String(interpolate(part))) : value
      if (modified === undefined) problem ??= 'has a modifier that cannot be computed; shown without it'
      value = modified ?? value
    }
    return { value, ...(problem !== undefined && { problem }) }
  }
}

/** Returns the values by mode, from a value that is an object of modes, or from the extension `mode`. */
function modeValues(end: Token | undefined): [mode: string, value: unknown][] | undefined {
  const written = modesOf(end?.value) ? end?.value : ownMember(end?.extensions, 'mode')
  return isJsonObject(written) ? ownEntries(written) : undefined
}

function readColor(
  token: Token,
  { type, end, alias, problem: aliasProblem }: ResolvedToken,
  resolved: TokenColor | undefined,
): StyleColor | undefined {
  const isOtherType = type === undefined ? end !== undefined && !mayBeColor(end.value) : type !== 'color'
  if (isOtherType) return undefined
  const { value, problem: valueProblem }: TokenColor = resolved ?? { value: '' }
  const { description } = token
  const label = {
    ...labelOf(token.path),
    ...(alias && { alias }),
    ...(typeof description === 'string' && description !== '' && { description }),
    source: { token: nameOf(token.path) },
  }
  const problem = token.problem ?? aliasProblem ?? valueProblem
  if (problem) return value ? { ...label, value, problem } : invalidColor(label, problem)
  // The format forbids guessing a type, so a token without a type is invalid. A color is shown with this problem.
  if (type === undefined) return isColor(value) ? { ...label, value, problem: missingType } : undefined
  // The result is `undefined` for keywords that do not belong in a palette.
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

/** Returns the Tokens Studio modifier of a token's color: alpha, lighten, darken or mix. */
export function modifierOf(extensions: unknown): object | undefined {
  const modifier = ownMember(ownMember(extensions, 'studio.tokens'), 'modify')
  return typeof modifier === 'object' && modifier !== null ? modifier : undefined
}

// The color spaces of Tokens Studio, which computes in LCH by default.
const spaces = new Map<unknown, string>([
  ['srgb', 'srgb'],
  ['p3', 'display-p3'],
  ['hsl', 'hsl'],
])

/**
 * Applies a modifier of Tokens Studio to a color, like the tools of Tokens Studio. Returns `undefined` for an unknown
 * modifier, and for a color that only a browser can resolve.
 *
 * @param textOf Returns the value of a part of the modifier that may be a reference.
 * @example modifyColor('#f00', { type: 'alpha', value: '0.5' }, String) // 'rgba(255, 0, 0, 0.5)'
 */
export function modifyColor(color: string, modifier: object, textOf: (part: unknown) => string): string | undefined {
  const parsed = parseColor(color) as Color | undefined
  const written = textOf(ownMember(modifier, 'value'))
  const amount = written.endsWith('%') ? Number.parseFloat(written) / 100 : Number(written || Number.NaN)
  if (!parsed || !(amount >= 0 && amount <= 1)) return undefined
  const type = ownMember(modifier, 'type')
  const space = spaces.get(ownMember(modifier, 'space')) ?? 'lch'
  const mixWith = (added: string) => `color-mix(in ${space}, ${added} ${amount * 100}%, ${color})`
  if (type === 'alpha') {
    const changed = { ...parsed, alpha: amount } as Color
    return changed.mode === 'rgb' ? formatRgb(changed) : formatCss(changed)
  }
  if (type === 'mix') return mixWith(textOf(ownMember(modifier, 'color')))
  if (type !== 'lighten' && type !== 'darken') return undefined
  const isLighter = type === 'lighten'
  if (space !== 'hsl' && space !== 'lch') return mixWith(isLighter ? 'white' : 'black')
  const { l, ...rest } = converter(space)(parsed) as Color & { l: number; c?: number }
  const max = space === 'hsl' ? 1 : 100
  const chroma = rest.c === undefined ? {} : { c: rest.c * (1 - amount) }
  return formatCss({ ...rest, ...chroma, l: isLighter ? l + (max - l) * amount : l * (1 - amount) } as Color)
}
