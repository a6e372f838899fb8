/** How well a color is read on a background, as WCAG 2.2 measures it (success criteria 1.4.3 and 1.4.6). */
export interface Contrast {
  /** From 1 to 21, cut after two decimals and never rounded up: 4.499 is 4.49, and no AA. */
  ratio: number
  /** `'AA large'` is enough for large text only, from 24 pixels or 18.66 pixels bold; `'none'` for no text. */
  level: 'AAA' | 'AA' | 'AA large' | 'none'
}

/** A color in sRGB. A channel is from 0 to 1, or beyond for a color that sRGB does not hold; alpha is 1 by default. */
export interface Srgb {
  r: number
  g: number
  b: number
  alpha?: number | undefined
}

/**
 * Contrast of a color on an opaque background. A translucent color is laid over the background first, and one outside
 * of sRGB is cut to it, as screens do. Free of any library, since the styleguide's script asks it in the browser, too.
 *
 * @example measureContrast({ r: 0, g: 0, b: 0 }, { r: 1, g: 1, b: 1 }) // { ratio: 21, level: 'AAA' }
 */
export function measureContrast(color: Srgb, background: Srgb): Contrast {
  const [a, b] = [luminance(compositeOver(color, background)), luminance(background)]
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  // The addend is for the noise of floating point, without which 21 would be 20.99.
  const cut = Math.floor(ratio * 100 + 1e-9) / 100
  return { ratio: cut, level: levelOf(cut) }
}

/** What is seen of a color on a background; opaque if the background is. */
export function compositeOver({ r, g, b, alpha = 1 }: Srgb, under: Srgb): Srgb {
  const mix = (top: number, bottom: number) => clamp(top) * alpha + clamp(bottom) * (1 - alpha)
  return { r: mix(r, under.r), g: mix(g, under.g), b: mix(b, under.b) }
}

function levelOf(ratio: number): Contrast['level'] {
  if (ratio >= 7) return 'AAA'
  if (ratio >= 4.5) return 'AA'
  return ratio >= 3 ? 'AA large' : 'none'
}

/** Relative luminance, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance({ r, g, b }: Srgb): number {
  return 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b)
}

function toLinear(channel: number): number {
  const value = clamp(channel)
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function clamp(channel: number): number {
  return Math.min(1, Math.max(0, channel))
}
