import { type Color, converter, formatCss, formatRgb } from 'culori'
import { parseColor } from '../colors/color.js'
import { ownMember } from '../values.js'

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
