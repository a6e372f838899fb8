import { type Color, converter, formatCss, formatRgb } from 'culori'
import { parseColor } from '../colors/color.js'
import { invalidColor, isColor, type StyleColor, splitShade, toColor } from '../colors/style-color.js'
import { ownEntries, ownMember } from '../values.js'
import { hasModes, isColorValue, type TokenColor, tokenColor } from './color-value.js'
import type { TokenDocument } from './document.js'
import { isJsonObject, nameOf, type ResolvedToken, type Token } from './token.js'

/** Reads the colors of a document. A token with a value for each mode becomes a color for each mode. */
export function readTokenColors({ tokens, read }: TokenDocument): StyleColor[] {
  return Array.from(tokens.values()).flatMap(([token, resolved]) => {
    const { end, modifiers } = resolved
    const modes = modeValues(end)
    if (!modes) {
      const color = end && modifiers.reduce(modify, tokenColor(end.value, read))
      return readColor(token, resolved, color) ?? []
    }
    return [...(hasModes(end?.value) ? [] : [[undefined, end?.value] as const]), ...modes].flatMap(([mode, value]) => {
      const color = readColor(token, resolved, tokenColor(value, read))
      return color ? { ...color, ...(mode !== undefined && mode !== 'default' && { mode }) } : []
    })
  })

  function modify(color: TokenColor, modifier: object): TokenColor {
    if (!color.value) return color
    const value = modifyColor(color.value, modifier, (part) => String(read(part)))
    if (value !== undefined) return { ...color, value }
    return { problem: 'has a modifier that cannot be computed; shown without it', ...color }
  }
}

/** Returns the values by mode, from a value that is an object of modes, or from the extension `mode`. */
function modeValues(end: Token | undefined): [mode: string, value: unknown][] | undefined {
  const written = hasModes(end?.value) ? end?.value : ownMember(end?.extensions, 'mode')
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
  return hasModes(value) && ownEntries(value).some(([, color]) => isColorValue(color))
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
function modifyColor(color: string, modifier: object, textOf: (part: unknown) => string): string | undefined {
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
