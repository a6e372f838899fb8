import { type Color, converter, getMode, type Mode } from 'culori'
import { parseFunction, splitTopLevel } from '../values/brackets.js'

// The color spaces of CSS, and their names in culori.
const modes: ReadonlyMap<string, Mode> = new Map([
  ['srgb', 'rgb'],
  ['srgb-linear', 'lrgb'],
  ['display-p3', 'p3'],
  ['a98-rgb', 'a98'],
  ['prophoto-rgb', 'prophoto'],
  ['rec2020', 'rec2020'],
  ['xyz', 'xyz65'],
  ['xyz-d65', 'xyz65'],
  ['xyz-d50', 'xyz50'],
  ['lab', 'lab'],
  ['oklab', 'oklab'],
  ['lch', 'lch'],
  ['oklch', 'oklch'],
  ['hsl', 'hsl'],
  ['hwb', 'hwb'],
])

type Components = Record<string, number | undefined>

/**
 * A color of culori. A type of our own, since culori has none itself: with its in our declarations, a user's compiler would
 * ask for `@types/culori`.
 */
export interface ParsedColor {
  readonly mode: string
  readonly alpha?: number
}

/**
 * Returns the color of a `color-mix()` of two colors (CSS Color Module Level 5, section 3), in lower case; `undefined` if
 * it is none, or has a color that only a browser can resolve.
 *
 * @param parse Parses the colors to mix.
 */
export function mixColors(value: string, parse: (value: string) => ParsedColor | undefined): ParsedColor | undefined {
  const { name, inner = '' } = parseFunction(value) ?? {}
  const parts = name === 'color-mix' ? splitTopLevel(inner, ',') : []
  const [, space = '', direction = 'shorter'] =
    /^\s*in\s+([a-z][\w-]*)(?:\s+(shorter|longer|increasing|decreasing)\s+hue)?\s*$/.exec(
      parts.length === 3 ? (parts.shift() as string) : 'in oklab',
    ) ?? []
  const mode = modes.get(space)
  const [a, b] = parts.map((part) => parsePart(part, parse))
  if (!mode || !a || !b || parts.length !== 2) return undefined
  const { share, total } = normalizeShares(a.percentage, b.percentage)
  const convert = converter(mode)
  const mixed = mix(
    convert(a.color as Color) as unknown as Components,
    convert(b.color as Color) as unknown as Components,
    share,
    mode,
    direction,
  )
  return { ...mixed, mode, alpha: (mixed.alpha ?? 1) * Math.min(1, total / 100) }
}

function parsePart(part: string, parse: (value: string) => ParsedColor | undefined) {
  const [, first, rest] = /^([\d.]+)%\s+(.*)$/s.exec(part.trim()) ?? []
  const [, start, last] = /^(.*\S)\s+([\d.]+)%$/s.exec(part.trim()) ?? []
  const color = parse(rest ?? start ?? part.trim())
  const written = first ?? last
  const percentage = written === undefined ? undefined : Number(written)
  return color && (percentage === undefined || percentage <= 100) ? { color, percentage } : undefined
}

/** Returns the share of the second color (half, where both percentages are 0), and the sum of the percentages. */
function normalizeShares(first: number | undefined, second: number | undefined): { share: number; total: number } {
  const a = first ?? 100 - (second ?? 50)
  const b = second ?? 100 - a
  const total = a + b
  return { share: total ? b / total : 0.5, total }
}

function mix(a: Components, b: Components, share: number, mode: Mode, direction: string): Components {
  const between = (from: number, to: number) => from + (to - from) * share
  const [alphaA, alphaB] = [a.alpha ?? 1, b.alpha ?? 1]
  const alpha = between(alphaA, alphaB)
  const mixed: Components = { alpha }
  for (const channel of getMode(mode).channels) {
    // A missing component (`none`, or the hue of a gray) is that of the other color.
    const [from = b[channel], to = from] = [a[channel], b[channel]]
    if (channel === 'alpha' || from === undefined || to === undefined) continue
    if (channel === 'h') mixed.h = (between(...fixHues(from, to, direction)) + 360) % 360
    // Premultiplied, so that a transparent color adds nothing.
    else mixed[channel] = alpha === 0 ? between(from, to) : between(from * alphaA, to * alphaB) / alpha
  }
  return mixed
}

function fixHues(from: number, to: number, direction: string): [from: number, to: number] {
  const difference = to - from
  if (direction === 'increasing') return difference < 0 ? [from, to + 360] : [from, to]
  if (direction === 'decreasing') return difference > 0 ? [from + 360, to] : [from, to]
  const distance = Math.abs(difference)
  if (direction === 'longer' ? distance >= 180 : distance <= 180) return [from, to]
  return difference > 0 ? [from + 360, to] : [from, to + 360]
}
