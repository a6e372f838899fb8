import { type Color, converter, formatHex, formatHex8, parse } from 'culori'
import { type Contrast, measureContrast, type Srgb } from './wcag.js'

/** What can be said of a color without a browser. */
export interface ColorInfo {
  /** As sRGB hex, of eight digits when it is translucent; `undefined` when sRGB does not hold it. */
  hex: string | undefined
  onWhite: Contrast
  onBlack: Contrast
  /** On the background that was asked for. */
  onBackground?: Contrast | undefined
}

const toRgb = converter('rgb')
// Half a step of eight bits: what lies this near is the same color on any screen.
const gamutTolerance = 0.5 / 255

/**
 * Hex and contrast of a CSS color; `undefined` for one that only a browser can work out, such as `var()`.
 *
 * @param background An opaque color to measure on, besides white and black.
 * @example describeColor('#767676') // { hex: '#767676', onWhite: { ratio: 4.54, level: 'AA' }, onBlack: … }
 */
export function describeColor(value: string, background?: string): ColorInfo | undefined {
  const color = toSrgb(value)
  const ground = background === undefined ? undefined : toOpaqueSrgb(background)
  if (!color) return undefined
  return {
    hex: hexOf(color),
    onWhite: measureContrast(color, white),
    onBlack: measureContrast(color, black),
    ...(ground && { onBackground: measureContrast(color, ground) }),
  }
}

/**
 * Contrast of a color on an opaque background. A translucent color is laid over the background first, and one outside
 * of sRGB is cut to it, as screens do. `undefined` when either is no color that can be worked out here.
 *
 * @example getContrast('#777', '#fff') // { ratio: 4.47, level: 'AA large' }
 */
export function getContrast(value: string, background: string): Contrast | undefined {
  const color = toSrgb(value)
  const ground = toOpaqueSrgb(background)
  return color && ground && measureContrast(color, ground)
}

// culori's time grows with the square of the length; no color that it knows is written at such length.
const maxColorLength = 256

/** A CSS color as culori sees it. */
export function parseColor(value: string): Color | undefined {
  if (value.length > maxColorLength) return undefined
  // culori takes hex without its #, and function names in lower case only; CSS is the other way round.
  return /^[\da-f]+$/i.test(value) ? undefined : parse(value.toLowerCase())
}

const white: Srgb = { r: 1, g: 1, b: 1 }
const black: Srgb = { r: 0, g: 0, b: 0 }

function toSrgb(value: string): Srgb | undefined {
  const color = parseColor(value)
  if (!color) return undefined
  // A missing component (`none`) counts as zero.
  const { r = 0, g = 0, b = 0, alpha = 1 } = toRgb(color)
  return { r, g, b, alpha }
}

function toOpaqueSrgb(value: string): Srgb | undefined {
  const ground = toSrgb(value)
  return ground?.alpha === 1 ? ground : undefined
}

function hexOf({ r, g, b, alpha = 1 }: Srgb): string | undefined {
  if ([r, g, b].some((channel) => channel < -gamutTolerance || channel > 1 + gamutTolerance)) return undefined
  return alpha < 1 ? formatHex8({ mode: 'rgb', r, g, b, alpha }) : formatHex({ mode: 'rgb', r, g, b })
}
