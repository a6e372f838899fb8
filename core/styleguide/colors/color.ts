import { type ColorData, color, SyntaxFlag } from '@csstools/css-color-parser'
import { parseComponentValue } from '@csstools/css-parser-algorithms'
import { tokenize } from '@csstools/css-tokenizer'
import { type Color, converter, differenceEuclidean, getMode, type Mode, nearest, toGamut } from 'culori'
import { type Contrast, compositeOver, hexOf, measureContrast, type Srgb } from './wcag.js'

/** A color from culori. The type is declared here, so that users do not need `@types/culori`. */
interface ParsedColor {
  readonly mode: string
  readonly alpha?: number
}

/** A color in the notations that the styleguide shows. */
export interface ColorInfo {
  /**
   * sRGB hex, with eight digits for a translucent color. For a color outside the sRGB gamut, the nearest sRGB color.
   */
  hex: string
  /** Whether the color is within sRGB, so that `hex` is exact. */
  isInSrgb: boolean
  /** `oklch(57.7% 0.245 27.3)`, rounded. */
  oklch: string
}

const toRgb = converter('rgb')
const toOklch = converter('oklch')
/** Maps a color into the sRGB gamut as in CSS Color Module Level 4, section 14. */
const toNearestRgb = toGamut('rgb', 'oklch')
const white: Srgb = { r: 1, g: 1, b: 1 }

/**
 * Returns the hex and oklch of a CSS color, or `undefined` for a color that only a browser can resolve, such as
 * `var()`.
 *
 * @example describeColor('oklch(0.7 0.3 30)') // { hex: '#ff5843', isInSrgb: false, oklch: 'oklch(70% 0.3 30)' }
 */
export function describeColor(value: string): ColorInfo | undefined {
  const parsed = parseColor(value) as Color | undefined
  if (!parsed) return undefined
  const hex = hexOf(srgbOf(parsed))
  const { l, c, h = 0, alpha = 1 } = toOklch(parsed)
  const opacity = alpha < 1 ? ` / ${round(alpha * 100, 1)}%` : ''
  return {
    hex: hex ?? (hexOf(srgbOf(toNearestRgb(parsed))) as string),
    isInSrgb: hex !== undefined,
    oklch: `oklch(${round(l * 100, 1)}% ${round(c, 3)} ${c < 0.0005 ? 0 : round(h, 1)}${opacity})`,
  }
}

/**
 * Says how a color differs from an earlier one, by its lightness, chroma, hue and opacity in OKLCH, each only where the
 * eye sees it.
 *
 * @example describeShift('#d4582f', '#c34e28') // 'darker'
 */
export function describeShift(before: string, now: string): string {
  const [was, is] = [before, now].map((value) => toOklch(parseColor(value) as Color | undefined))
  if (!was || !is) return 'changed'
  const turn = Math.abs((((is.h ?? 0) - (was.h ?? 0) + 540) % 360) - 180)
  const shifts: [difference: number, least: number, more: string, less: string][] = [
    [is.l - was.l, 0.015, 'lighter', 'darker'],
    [is.c - was.c, 0.02, 'more vivid', 'more muted'],
    // The hue of a gray is noise.
    [Math.min(was.c, is.c) < 0.03 ? 0 : turn, 8, 'in another hue', ''],
    [(is.alpha ?? 1) - (was.alpha ?? 1), 0.01, 'more opaque', 'more translucent'],
  ]
  const seen = shifts.filter(([difference, least]) => Math.abs(difference) >= least)
  const words = seen.map(([difference, , more, less]) => (difference > 0 ? more : less))
  return words.join(' and ') || 'hardly different'
}

function round(value: number, digits: number): number {
  return Number((value || 0).toFixed(digits))
}

/**
 * Returns the contrast of a color on a ground, or `undefined` if only a browser can resolve the color or the ground. A
 * translucent ground is composited over `beneath`, or over white if `beneath` is not an opaque color.
 */
export function measureOn(value: string, ground: string, beneath = ''): Contrast | undefined {
  const [color, over] = [toSrgb(value), toSrgb(ground)]
  if (!color || !over) return undefined
  const under = toSrgb(beneath)
  return measureContrast(color, compositeOver(over, under?.alpha === 1 ? under : white))
}

/** Returns a CSS color in sRGB, with channels beyond 0 and 1 for a color outside the gamut. */
export function toSrgb(value: string): Srgb | undefined {
  const color = parseColor(value)
  return color && srgbOf(color as Color)
}

function srgbOf(color: Color): Srgb {
  // A missing component (`none`) is zero.
  const { r = 0, g = 0, b = 0, alpha = 1 } = toRgb(color)
  return { r, g, b, alpha }
}

/** Length limit of values that are parsed as colors. No color is this long. */
export const maxColorLength = 1_000

// The notations that have a different name in culori.
const modes: ReadonlyMap<string, string> = new Map([
  ['hex', 'rgb'],
  ['srgb', 'rgb'],
  ['srgb-linear', 'lrgb'],
  ['display-p3', 'p3'],
  ['a98-rgb', 'a98'],
  ['prophoto-rgb', 'prophoto'],
  ['xyz-d50', 'xyz50'],
  ['xyz-d65', 'xyz65'],
])
const results = [SyntaxFlag.RelativeColorSyntax, SyntaxFlag.RelativeAlphaSyntax, SyntaxFlag.ColorMix]

/** Parses a CSS color as browsers do; `undefined` for a color that only a browser can resolve. */
export function parseColor(value: string): ParsedColor | undefined {
  const color = resolveColor(value)
  const mode = color && ((modes.get(color.colorNotation) ?? color.colorNotation) as Mode)
  const channels = mode && getMode(mode)?.channels
  if (!color || !channels) return undefined
  const { colorNotation: notation, alpha, syntaxFlags } = color
  const scale = notation === 'hsl' || notation === 'hwb' ? 100 : 1
  // Browsers clamp the older notations to sRGB, but not the results of other colors.
  const isClamped = ['rgb', 'hsl', 'hwb'].includes(notation) && !results.some((flag) => syntaxFlags.has(flag))
  const parsed: Record<string, number> = { alpha: alpha as number }
  for (const [index, component] of color.channels.entries()) {
    const channel = channels[index] as string
    // A missing component (`none`) is NaN.
    if (Number.isNaN(component)) continue
    if (channel === 'h') parsed.h = component
    else parsed[channel] = isClamped ? Math.min(1, Math.max(0, component / scale)) : component / scale
  }
  return { mode, ...parsed }
}

/** The value of a color token (Design Tokens Color Module 2025.10). */
export interface TokenColor {
  colorSpace: string
  components: number[]
  alpha: number
  hex: string
}

/**
 * Returns a CSS color as the value of a token, in its own color space; `undefined` for a color that only a browser can
 * resolve.
 *
 * @example tokenColor('oklch(0.7 0.3 30)') // { colorSpace: 'oklch', components: [0.7, 0.3, 30], alpha: 1, hex: '#ff5843' }
 */
export function tokenColor(value: string): TokenColor | undefined {
  const color = resolveColor(value)
  const hex = describeColor(value)?.hex.slice(0, 7)
  if (!color || hex === undefined) return undefined
  const { colorNotation: notation, channels, alpha } = color
  const colorSpace = notation === 'hex' || notation === 'rgb' ? 'srgb' : notation
  // A missing component (`none`) is 0, which looks the same: not all readers of tokens know `none`.
  const components = channels.map((channel) => round(channel, 6))
  return { colorSpace, components, alpha: round(alpha as number, 6), hex }
}

/** Whether a value is a CSS color that need not be resolved by a browser. */
export function isComputable(value: string): boolean {
  return resolveColor(value) !== undefined
}

/** Computes a CSS color; `undefined` for anything else, and for a color that only a browser can resolve. */
function resolveColor(value: string): ColorData | undefined {
  if (value.length > maxColorLength) return undefined
  try {
    const node = parseComponentValue(tokenize({ css: value }))
    const data = (node && color(node)) || undefined
    // Browsers mix two colors, not yet any number of them.
    const isKnown = typeof data?.alpha === 'number' && !data.syntaxFlags.has(SyntaxFlag.ColorMixVariadic)
    return isKnown ? data : undefined
  } catch {
    return undefined // nested too deeply
  }
}

/** Names that people search for, each with a color that most people would call by that name. */
const table = `
  white #ffffff, ivory #fffff0, cream #f6efd9, sand #d9c7a0, beige #e8dcc8, tan #d2b48c, khaki #bdb26b,
  silver #c0c0c0, silver #e3e8ea, gray #808080, slate #64748b, charcoal #36454f, black #000000, black #1f1d1b, pink #ffb6c6,
  rose #f43f75, coral #ff7f5c, salmon #fa8072, red #e5192d, crimson #b8102f, maroon #6b0f1a,
  rust #8b3a1e, terracotta #c8643c, brown #6f4a2d, chocolate #4a2c1a, orange #ff8c00, peach #ffcfa8,
  amber #ffbf00, gold #d4a520, mustard #c49b1a, ochre #b9792a, yellow #ffe119, lime #a3e635,
  olive #6b7030, sage #9caf88, moss #5a6b35, green #1f9d3a, forest #1e4d2b, emerald #10a877,
  mint #a8ecc8, teal #0f8080, turquoise #30d5c8, cyan #12c8e6, sky #87ceeb, azure #1f8ff0,
  blue #1d4ed8, navy #14204f, indigo #4b3bc4, violet #8b5cf6, lavender #d6cff5, purple #7e22ae,
  plum #7b2d5f, magenta #e020d0
`

const namedColors = table.split(',').map((entry) => entry.trim().split(' ') as [name: string, hex: string])
const toOklab = converter('oklab')
const nearestNamed = nearest(namedColors, differenceEuclidean('oklab'), ([, hex]) => toOklab(hex) as Color)

/**
 * Returns the everyday name that is nearest to a CSS color, or `undefined` for a color that only a browser can resolve.
 *
 * @example nearestColorName('#7d2c1b') // 'rust'
 */
export function nearestColorName(value: string): string | undefined {
  const color = parseColor(value)
  return color && nearestNamed(color as Color, 1)[0]?.[0]
}
