import type { Srgb } from './wcag.js'

// Half a step of eight bits: colors this close to the gamut render as the same sRGB color.
const gamutTolerance = 0.5 / 255

/**
 * Returns a color as hex, with eight digits for a translucent one; `undefined` for a color outside the sRGB gamut. Uses no
 * library, since it is part of the styleguide's script in the browser, too.
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
