import { splitTopLevel } from './brackets.js'
import { isColor } from './colors/style-color.js'
import { toPixels } from './lengths.js'

/** One layer of a CSS shadow. Lengths are in pixels. */
export interface ShadowLayer {
  x: number
  y: number
  blur: number
  spread: number
  /** A CSS color. Default: `currentColor`, the color of the text. */
  color: string
  isInset: boolean
}

/**
 * Parses a `box-shadow` (CSS Backgrounds and Borders Module Level 3, section 6.1), the uppermost layer first. Returns
 * `undefined` for a value that only a browser can resolve.
 *
 * @example parseShadow('0 1px 3px rgb(0 0 0 / 10%)') // [{ x: 0, y: 1, blur: 3, spread: 0, color: 'rgb(0 0 0 / 10%)', isInset: false }]
 */
export function parseShadow(value: string): ShadowLayer[] | undefined {
  const layers = splitTopLevel(value, ',').map((layer) => parseShadowLayer(layer.trim()))
  return layers.every((layer) => layer !== undefined) ? layers : undefined
}

function parseShadowLayer(layer: string): ShadowLayer | undefined {
  const parts = splitTopLevel(layer, ' ').filter(Boolean)
  const lengths = parts.map(toPixels).filter((length) => length !== undefined)
  const words = parts.filter((part) => toPixels(part) === undefined)
  const [x, y, blur = 0, spread = 0] = lengths
  const colors = words.filter((part) => part.toLowerCase() !== 'inset')
  const [color = 'currentColor'] = colors
  if (x === undefined || y === undefined || lengths.length > 4 || colors.length > 1) return undefined
  if (colors.length > 0 && !isColor(color)) return undefined
  return { x, y, blur, spread, color, isInset: words.length > colors.length }
}
