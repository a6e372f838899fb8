import {
  type Color,
  converter,
  fixupHueDecreasing,
  fixupHueIncreasing,
  fixupHueLonger,
  fixupHueShorter,
  interpolateWith,
  type Mode,
  parse,
  toGamut,
} from 'culori'
import { parseFunction, splitTopLevel } from '../brackets.js'
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
  return measureContrast(color, compositeOver(over, toOpaqueSrgb(beneath) ?? white))
}

/** Whether contrast can be measured on a color: the color is opaque, and can be resolved without a browser. */
export function isOpaqueColor(value: string): boolean {
  return toOpaqueSrgb(value) !== undefined
}

function toSrgb(value: string): Srgb | undefined {
  const color = parseColor(value)
  return color && srgbOf(color as Color)
}

function srgbOf(color: Color): Srgb {
  // A missing component (`none`) is zero.
  const { r = 0, g = 0, b = 0, alpha = 1 } = toRgb(color)
  return { r, g, b, alpha }
}

function toOpaqueSrgb(value: string): Srgb | undefined {
  const color = toSrgb(value)
  return color?.alpha === 1 ? color : undefined
}

/** Length limit of values that are parsed as colors: culori takes quadratic time, and no color is this long. */
export const maxColorLength = 1_000

/** Parses a CSS color with culori; `undefined` for a color that only a browser can resolve. */
export function parseColor(value: string): ParsedColor | undefined {
  if (value.length > maxColorLength) return undefined
  // culori accepts hex without # and only lower-case function names; CSS does the opposite.
  if (/^[\da-f]+$/i.test(value)) return undefined
  const text = value.toLowerCase()
  try {
    return text.startsWith('color-mix(') ? mixColors(text) : parse(text)
  } catch {
    // culori throws for units other than angle units.
    return undefined
  }
}

// The CSS color spaces that have a different name in culori.
const renamedSpaces: ReadonlyMap<string, Mode> = new Map([
  ['srgb', 'rgb'],
  ['srgb-linear', 'lrgb'],
  ['display-p3', 'p3'],
  ['a98-rgb', 'a98'],
  ['prophoto-rgb', 'prophoto'],
  ['xyz', 'xyz65'],
  ['xyz-d65', 'xyz65'],
  ['xyz-d50', 'xyz50'],
])
// The CSS color spaces that have the same name in culori.
const sameSpaces = /^(?:rec2020|(?:ok)?lab|(?:ok)?lch|hsl|hwb)$/

// For equal hues, the longer way is a full circle. culori's own function ignores this.
const longer = ([from = 0, to = 0]: number[]) => (from === to ? [from, to + 360] : fixupHueLonger([from, to]))
const hueFixups = { shorter: fixupHueShorter, longer, increasing: fixupHueIncreasing, decreasing: fixupHueDecreasing }

// Colors are mixed premultiplied, so that a transparent color adds nothing.
const interpolate = interpolateWith<Mode>(
  (value, channel, { alpha = 1 }) => (isPremultiplied(channel) ? value * alpha : value),
  (value, channel, { alpha = 1 }) => (isPremultiplied(channel) && alpha !== 0 ? value / alpha : value),
)

function isPremultiplied(channel: string): boolean {
  return channel !== 'alpha' && channel !== 'h'
}

/**
 * Returns the color of a `color-mix()` of two colors (CSS Color Module Level 5, section 3); `undefined` for an invalid
 * value, and for colors that only a browser can resolve. The value must be in lower case.
 */
function mixColors(value: string): ParsedColor | undefined {
  const parts = splitTopLevel(parseFunction(value)?.inner ?? '', ',')
  const [, space = '', direction = 'shorter'] =
    /^\s*in\s+([a-z][\w-]*)(?:\s+(shorter|longer|increasing|decreasing)\s+hue)?\s*$/.exec(
      parts.length === 3 ? (parts.shift() as string) : 'in oklab',
    ) ?? []
  const mode = renamedSpaces.get(space) ?? (sameSpaces.test(space) ? (space as Mode) : undefined)
  const [first, second] = parts.map(parsePart)
  if (!mode || !first || !second || parts.length !== 2) return undefined
  const [a, b] = [first, second].map(({ color }) => converter(mode)(color as Color)) as [Color, Color]
  const firstShare = first.percentage ?? 100 - (second.percentage ?? 50)
  const secondShare = second.percentage ?? 100 - firstShare
  const total = firstShare + secondShare
  const share = total ? secondShare / total : 0.5
  const fixup = hueFixups[direction as keyof typeof hueFixups]
  // A missing component (`none`, or the hue of a gray) is taken from the other color.
  const colors = [{ ...b, alpha: 1, ...a } as Color, { ...a, alpha: 1, ...b } as Color]
  // For a share of 0, culori would return the first color without premultiplication.
  const mixed = share === 0 ? a : interpolate(colors, mode, { h: { fixup } } as object)(share)
  return { ...mixed, mode, alpha: (mixed.alpha ?? 1) * Math.min(1, total / 100) }
}

function parsePart(part: string) {
  const [, first, rest] = /^([\d.]+)%\s+(.*)$/s.exec(part.trim()) ?? []
  const [, start, last] = /^(.*\S)\s+([\d.]+)%$/s.exec(part.trim()) ?? []
  const color = parseColor(rest ?? start ?? part.trim())
  const written = first ?? last
  const percentage = written === undefined ? undefined : Number(written)
  return color && (percentage === undefined || percentage <= 100) ? { color, percentage } : undefined
}
