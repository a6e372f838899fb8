import { type Color, converter, parse } from 'culori'
import { mixColors, type ParsedColor } from './color-mix.js'
import { hexOf } from './hex.js'
import { type Contrast, measureContrast, type Srgb } from './wcag.js'

/** Hex and contrast of a color, as far as they can be computed without a browser. */
export interface ColorInfo {
  /** sRGB hex, with eight digits for a translucent color; `undefined` for a color outside the sRGB gamut. */
  hex: string | undefined
  onWhite: Contrast
  onBlack: Contrast
  /** Contrast on the given background. */
  onBackground?: Contrast | undefined
}

const toRgb = converter('rgb')

/**
 * Returns hex and contrast of a CSS color, or `undefined` for a color that only a browser can resolve, such as `var()`.
 *
 * @param background An opaque color to measure the contrast on, in addition to white and black.
 * @example describeColor('#767676') // { hex: '#767676', onWhite: { ratio: 4.54, level: 'AA' }, onBlack: … }
 */
export function describeColor(value: string, background?: string): ColorInfo | undefined {
  const color = toSrgb(value)
  const opaque = background === undefined ? undefined : toOpaqueSrgb(background)
  if (!color) return undefined
  return {
    hex: hexOf(color),
    onWhite: measureContrast(color, white),
    onBlack: measureContrast(color, black),
    ...(opaque && { onBackground: measureContrast(color, opaque) }),
  }
}

/**
 * Returns the contrast of a color on an opaque background. A translucent color is composited over the background first,
 * and a color outside the sRGB gamut is clipped to it, as screens do. Returns `undefined` if either is not a color that
 * can be resolved without a browser.
 *
 * @example getContrast('#777', '#fff') // { ratio: 4.47, level: 'AA large' }
 */
export function getContrast(value: string, background: string): Contrast | undefined {
  const color = toSrgb(value)
  const opaque = toOpaqueSrgb(background)
  return color && opaque && measureContrast(color, opaque)
}

// culori takes quadratic time; no color that it supports is this long.
const maxColorLength = 256

/** Parses a CSS color with culori; `undefined` for anything that only a browser knows. */
export function parseColor(value: string): ParsedColor | undefined {
  if (value.length > maxColorLength) return undefined
  // culori accepts hex without # and only lower-case function names; CSS does the opposite.
  if (/^[\da-f]+$/i.test(value)) return undefined
  const text = value.toLowerCase()
  try {
    return text.startsWith('color-mix(') ? mixColors(text, parseColor) : parse(text)
  } catch {
    // culori throws for units other than those of angles.
    return undefined
  }
}

const white: Srgb = { r: 1, g: 1, b: 1 }
const black: Srgb = { r: 0, g: 0, b: 0 }

function toSrgb(value: string): Srgb | undefined {
  const color = parseColor(value)
  if (!color) return undefined
  // A missing component (`none`) is zero.
  const { r = 0, g = 0, b = 0, alpha = 1 } = toRgb(color as Color)
  return { r, g, b, alpha }
}

function toOpaqueSrgb(value: string): Srgb | undefined {
  const color = toSrgb(value)
  return color?.alpha === 1 ? color : undefined
}
