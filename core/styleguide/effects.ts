import { parseFunction, splitTopLevel } from './brackets.js'
import { isColor } from './colors/style-color.js'
import { toPixels } from './lengths.js'

/** A color and its place in a gradient, from 0 to 1. */
export interface GradientStop {
  color: string
  offset: number
}

/** A layer of a gradient in a box: a line, or an ellipse around a center. */
export type GradientLayer = { stops: readonly GradientStop[] } & (
  | { kind: 'linear'; from: Point; to: Point }
  | { kind: 'radial'; center: Point; radius: Point }
)

type Point = readonly [x: number, y: number]

/**
 * Parses CSS gradients as they fill a box (CSS Images Module Level 4, section 3), the uppermost layer first. Returns
 * `undefined` for a gradient that an SVG cannot draw, such as `conic-gradient()`, and for a value that only a browser
 * can resolve.
 *
 * @param width Width of the box, in any unit. `height` is in the same unit.
 * @example parseGradient('linear-gradient(90deg, red, blue)', 2, 1)?.[0] // { kind: 'linear', from: [0, 0.5], to: [2, 0.5], … }
 */
export function parseGradient(value: string, width: number, height: number): GradientLayer[] | undefined {
  const layers = splitTopLevel(value, ',').map((layer) => parseGradientLayer(layer.trim(), [width, height]))
  return layers.every((layer) => layer !== undefined) ? layers : undefined
}

function parseGradientLayer(layer: string, box: Point): GradientLayer | undefined {
  const { name, inner = '' } = parseFunction(layer) ?? {}
  if (name !== 'linear-gradient' && name !== 'radial-gradient') return undefined
  const parts = splitTopLevel(inner, ',').map((part) => part.trim().replace(/\s+/g, ' '))
  const [first = ''] = parts
  const [, space] = /(?:^| )(in [a-z][\w-]*(?: \w+ hue)?)$/i.exec(first) ?? []
  const shape = space === undefined ? first : first.slice(0, -space.length).trim()
  const isShape = space !== undefined || /^(?:to |circle|ellipse|at |[\d.+-]+(?:deg|turn|rad)$)/i.test(first)
  const stops = parseStops(isShape ? parts.slice(1) : parts, space)
  if (!stops) return undefined
  const prelude = isShape ? shape.toLowerCase() : ''
  if (name === 'linear-gradient') {
    const line = lineOf(prelude, box)
    return line && { kind: 'linear', ...line, stops }
  }
  const ellipse = ellipseOf(prelude, box)
  return ellipse && { kind: 'radial', ...ellipse, stops }
}

function parseStops(parts: readonly string[], space: string | undefined): GradientStop[] | undefined {
  const written = parts.flatMap((part): { color: string; offset: number | undefined }[] => {
    const [places] = /(?: [\d.]+%){1,2}$/.exec(part) ?? []
    if (places === undefined) return [{ color: part, offset: undefined }]
    const color = part.slice(0, -places.length)
    return places
      .trim()
      .split(' ')
      .map((place) => ({ color, offset: Number.parseFloat(place) / 100 }))
  })
  // Not supported: a place in another unit, or a hint without a color.
  if (written.length < 2 || written.some(({ color }) => color === '' || /\s[\d.]+[a-z]+$|^[\d.]/i.test(color)))
    return undefined
  const placed = placeStops(written)
  return space === undefined
    ? placed
    : placed.flatMap((stop, index) => [...between(placed[index - 1], stop, space), stop])
}

/** Spreads the stops without a place evenly between the stops with a place. */
function placeStops(stops: readonly { color: string; offset: number | undefined }[]): GradientStop[] {
  const offsets = stops.map(
    ({ offset }, index) => offset ?? (index === 0 ? 0 : index === stops.length - 1 ? 1 : undefined),
  )
  return stops.map(({ color }, index) => {
    const start = offsets.findLastIndex((offset, place) => place <= index && offset !== undefined)
    const end = offsets.findIndex((offset, place) => place >= index && offset !== undefined)
    const [from = 0, to = 1] = [offsets[start], offsets[end]]
    return { color, offset: start === end ? from : from + ((to - from) * (index - start)) / (end - start) }
  })
}

/** Returns steps between two stops, for a gradient in a color space other than the SVG's. */
function between(from: GradientStop | undefined, to: GradientStop, space: string): GradientStop[] {
  if (!from) return []
  return [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875].map((share) => ({
    color: `color-mix(${space}, ${from.color}, ${to.color} ${share * 100}%)`,
    offset: from.offset + (to.offset - from.offset) * share,
  }))
}

const turns = { deg: 1 / 360, turn: 1, rad: 1 / (2 * Math.PI) }

function lineOf(prelude: string, [width, height]: Point): { from: Point; to: Point } | undefined {
  const direction = directionOf(prelude, [width, height])
  if (!direction) return undefined
  const [x, y] = direction
  const half = (Math.abs(width * x) + Math.abs(height * y)) / 2
  const [centerX, centerY] = [width / 2, height / 2]
  return { from: [centerX - x * half, centerY - y * half], to: [centerX + x * half, centerY + y * half] }
}

/**
 * The unit vector of a direction. Toward a corner, it is at a right angle to the line between the two other corners.
 */
function directionOf(prelude: string, [width, height]: Point): Point | undefined {
  const [, angle, unit] = /^([\d.+-]+)(deg|turn|rad)$/.exec(prelude) ?? []
  if (angle !== undefined) {
    const radians = Number(angle) * turns[unit as keyof typeof turns] * 2 * Math.PI
    return [Math.sin(radians), -Math.cos(radians)]
  }
  const sides = prelude === '' ? ['bottom'] : prelude.split(/\s+/).slice(1)
  const x = Number(sides.includes('right')) - Number(sides.includes('left'))
  const y = Number(sides.includes('bottom')) - Number(sides.includes('top'))
  if (x === 0 && y === 0) return undefined
  const length = Math.hypot(x && y ? height : x, x && y ? width : y)
  return x && y ? [(x * height) / length, (y * width) / length] : [x, y]
}

const places: Readonly<Record<string, number>> = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 }

function ellipseOf(prelude: string, [width, height]: Point): { center: Point; radius: Point } | undefined {
  const [, shape = '', position = 'center'] =
    /^(circle|ellipse)? ?(?:farthest-corner)? ?(?:at (.*))?$/.exec(prelude) ?? []
  if (prelude !== '' && shape === '' && !prelude.startsWith('at')) return undefined
  const words = position.trim().split(/\s+/)
  const isSwapped = /top|bottom/.test(words[0] ?? '') || /left|right/.test(words[1] ?? '')
  const [x, y] = (isSwapped ? [words[1], words[0]] : words).map(
    (word = 'center') => places[word] ?? (/^[\d.+-]+%$/.test(word) ? Number.parseFloat(word) / 100 : undefined),
  )
  if (x === undefined || words.length > 2 || (y === undefined && words.length > 1)) return undefined
  const center: Point = [x * width, (y ?? 0.5) * height]
  // The edge passes through the farthest corner. An ellipse has the proportions of an ellipse that touches the farthest
  // sides.
  const sides: Point = [Math.max(center[0], width - center[0]), Math.max(center[1], height - center[1])]
  const circle = Math.hypot(...sides)
  return { center, radius: shape === 'circle' ? [circle, circle] : [sides[0] * Math.SQRT2, sides[1] * Math.SQRT2] }
}

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
