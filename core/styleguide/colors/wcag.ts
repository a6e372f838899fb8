/** The contrast of a color on a background as defined by WCAG 2.2 (success criteria 1.4.3 and 1.4.6). */
export interface Contrast {
  /** From 1 to 21, truncated to two decimals: 4.499 becomes 4.49, which is not AA. */
  ratio: number
  /**
   * `'AA large'` is enough only for large text, from 24 pixels or 18.66 pixels bold; `'none'` is not enough for any
   * text.
   */
  level: 'AAA' | 'AA' | 'AA large' | 'none'
}

/** A color in sRGB. Channels are from 0 to 1, or beyond for a color outside the gamut; alpha defaults to 1. */
export interface Srgb {
  r: number
  g: number
  b: number
  alpha?: number | undefined
}

/**
 * Returns the contrast of a color on an opaque background. A translucent color is composited over the background first,
 * and a color outside the sRGB gamut is clipped to the gamut, as on screens. Uses no library, since X-ray measures in the
 * browser.
 *
 * @example measureContrast({ r: 0, g: 0, b: 0 }, { r: 1, g: 1, b: 1 }) // { ratio: 21, level: 'AAA' }
 */
export function measureContrast(color: Srgb, background: Srgb): Contrast {
  const ratio = contrastRatio(luminance(compositeOver(color, background)), luminance(background))
  return { ratio, level: levelOf(ratio) }
}

/** Returns the contrast of two luminances, truncated to two decimals. The styleguide's script uses it, too. */
export function contrastRatio(a: number, b: number): number {
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  // The addend compensates for floating-point errors, which would turn 21 into 20.99.
  return Math.floor(ratio * 100 + 1e-9) / 100
}

/** Composites a color over a background (source over). The result is opaque if the background is opaque. */
export function compositeOver({ r, g, b, alpha = 1 }: Srgb, background: Srgb): Srgb {
  const mix = (top: number, bottom: number) => clamp(top) * alpha + clamp(bottom) * (1 - alpha)
  return { r: mix(r, background.r), g: mix(g, background.g), b: mix(b, background.b) }
}

function levelOf(ratio: number): Contrast['level'] {
  if (ratio >= 7) return 'AAA'
  if (ratio >= 4.5) return 'AA'
  return ratio >= 3 ? 'AA large' : 'none'
}

/** Relative luminance, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminance({ r, g, b }: Srgb): number {
  return 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b)
}

function toLinear(channel: number): number {
  const value = clamp(channel)
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function clamp(channel: number): number {
  return Math.min(1, Math.max(0, channel))
}

// Half a step of eight bits: colors this close to the gamut render as the same sRGB color.
const gamutTolerance = 0.5 / 255

/**
 * Returns a color as hex, with eight digits for a translucent color; `undefined` for a color outside the sRGB gamut.
 * Uses no library, since the styleguide's script in the browser uses this function, too.
 *
 * @example hexOf({ r: 1, g: 0.5, b: 0 }) // '#ff8000'
 */
export function hexOf({ r, g, b, alpha = 1 }: Srgb): string | undefined {
  const channels = [r, g, b]
  if (channels.some((channel) => channel < -gamutTolerance || channel > 1 + gamutTolerance)) return undefined
  return `#${(alpha < 1 ? [...channels, alpha] : channels).map(byteOf).join('')}`
}

function byteOf(channel: number): string {
  const byte = Math.round(Math.min(1, Math.max(0, channel)) * 255)
  return byte.toString(16).padStart(2, '0')
}
