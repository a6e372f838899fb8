import { type Color, clampRgb, converter, formatHex, formatHex8, parse, type Rgb, wcagContrast } from 'culori'

/** How well a color is read on a background, as WCAG 2.2 measures it (success criteria 1.4.3 and 1.4.6). */
export interface Contrast {
  /** From 1 to 21, cut after two decimals and never rounded up: 4.499 is 4.49, and no AA. */
  ratio: number
  /** `'AA large'` is enough for large text only, from 24 pixels or 18.66 pixels bold; `'none'` for no text. */
  level: 'AAA' | 'AA' | 'AA large' | 'none'
}

/** What can be said of a color without a browser. */
export interface ColorFacts {
  /** As sRGB hex, of eight digits when it is translucent; `undefined` when sRGB does not hold it. */
  hex: string | undefined
  onWhite: Contrast
  onBlack: Contrast
}

const toRgb = converter('rgb')
// Half a step of eight bits: what lies this near is the same color on any screen.
const gamutTolerance = 0.5 / 255

/**
 * Hex and contrast of a CSS color; `undefined` for one that only a browser can work out, such as `var()`.
 *
 * @example describeColor('#767676') // { hex: '#767676', onWhite: { ratio: 4.54, level: 'AA' }, onBlack: … }
 */
export function describeColor(value: string): ColorFacts | undefined {
  const color = parseColor(value)
  return color && { hex: hexOf(color), onWhite: measure(color, white), onBlack: measure(color, black) }
}

/**
 * Contrast of a color on an opaque background. A translucent color is laid over the background first, and one outside
 * of sRGB is cut to it, as screens do. `undefined` when either is no color that can be worked out here.
 *
 * @example contrastOf('#777', '#fff') // { ratio: 4.47, level: 'AA large' }
 */
export function contrastOf(value: string, background: string): Contrast | undefined {
  const color = parseColor(value)
  const ground = parseColor(background)
  return color && ground && (ground.alpha ?? 1) === 1 ? measure(color, clampRgb(toRgb(ground))) : undefined
}

// culori's time grows with the square of the length; no color that it knows is written at such length.
const longestColor = 256

/** A CSS color as culori sees it. */
export function parseColor(value: string): Color | undefined {
  if (value.length > longestColor) return undefined
  // culori takes hex without its #, and function names in lower case only; CSS is the other way round.
  return /^[\da-f]+$/i.test(value) ? undefined : parse(value.toLowerCase())
}

const white: Rgb = { mode: 'rgb', r: 1, g: 1, b: 1 }
const black: Rgb = { mode: 'rgb', r: 0, g: 0, b: 0 }

function hexOf(color: Color): string | undefined {
  const rgb = toRgb(color)
  const { r = 0, g = 0, b = 0, alpha = 1 } = rgb
  if ([r, g, b].some((channel) => channel < -gamutTolerance || channel > 1 + gamutTolerance)) return undefined
  return alpha < 1 ? formatHex8(rgb) : formatHex(rgb)
}

function measure(color: Color, background: Rgb): Contrast {
  const ratio = wcagContrast(layOver(clampRgb(toRgb(color)), background), background)
  // The addend is for the noise of floating point, without which 21 would be 20.99.
  const cut = Math.floor(ratio * 100 + 1e-9) / 100
  return { ratio: cut, level: levelOf(cut) }
}

function layOver({ r = 0, g = 0, b = 0, alpha = 1 }: Rgb, under: Rgb): Rgb {
  const mix = (top: number, bottom: number) => top * alpha + bottom * (1 - alpha)
  return { mode: 'rgb', r: mix(r, under.r), g: mix(g, under.g), b: mix(b, under.b) }
}

function levelOf(ratio: number): Contrast['level'] {
  if (ratio >= 7) return 'AAA'
  if (ratio >= 4.5) return 'AA'
  return ratio >= 3 ? 'AA large' : 'none'
}
