import { convertRgbToOklab } from 'culori'
import { type Coefficient, channels, cosine, radius, side } from './grid.js'

/** Width and height of the image that {@link encodePlaceholder} takes, in pixels. */
export const sampleSize = 12

// How often each value is chosen. The result hardly changes after the fifth time.
const sweeps = 8
const pixelPositions = Array.from({ length: sampleSize }, (_, index) => index)

interface Cell {
  x: number
  y: number
}
const cells = Array.from(
  { length: side * side },
  (_, index): Cell => ({ x: index % side, y: Math.floor(index / side) }),
)

/** One of the images that a placeholder is a sum of, by its pixels. */
interface Shape {
  pixels: readonly number[]
  energy: number
}
type Choice = Coefficient['values'][number]
let knownShapes: readonly Shape[] | undefined

/**
 * Returns the text of an image's placeholder, for the attribute `data-lq` and `sitewright/placeholder.css`.
 *
 * @param pixels The image scaled to 12 x 12 pixels, whatever its shape: red, green and blue of each from 0 to 255, row by row.
 * @example encodePlaceholder(pixels) // 'ZAcBbFz0a'
 */
export function encodePlaceholder(pixels: ArrayLike<number>): string {
  const colors = blur(pixels).map(([r, g, b]) => convertRgbToOklab({ r, g, b }))
  const values = [colors.map(({ l }) => l), colors.map(({ a }) => a), colors.map(({ b }) => b)]
  return channels.map((coefficients, index) => encodeChannel(coefficients, values[index] as number[])).join('')
}

/** Chooses the values one after the other, several times, so that each makes up for the rounding of the others. */
function encodeChannel(coefficients: readonly Coefficient[], rest: number[]): string {
  knownShapes ??= createShapes()
  const chosen = coefficients.map(() => ({ value: 0, text: '' }))
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const [index, { u, v, step, values }] of coefficients.entries()) {
      const { pixels, energy } = knownShapes[v * side + u] as Shape
      const { value } = chosen[index] as Choice
      const best =
        value + pixels.reduce((sum, weight, pixel) => sum + weight * (rest[pixel] as number), 0) / energy / step
      const next = values.reduce((near, each) =>
        Math.abs(each.value - best) < Math.abs(near.value - best) ? each : near,
      )
      for (const [pixel, weight] of pixels.entries())
        rest[pixel] = (rest[pixel] as number) - weight * step * (next.value - value)
      chosen[index] = next
    }
  }
  return chosen.map(({ text }) => text).join('')
}

/** Returns the pixels from 0 to 1, blurred, since a placeholder cannot show what is smaller than its cells. */
function blur(pixels: ArrayLike<number>): [r: number, g: number, b: number][] {
  const read = (x: number, y: number, channel: number) => {
    const [column, row] = [x, y].map((each) => Math.min(Math.max(each, 0), sampleSize - 1)) as [number, number]
    return (pixels[(row * sampleSize + column) * 3 + channel] as number) / 255
  }
  const weigh = (read: (offset: number) => number) => (read(-1) + 2 * read(0) + read(1)) / 4
  const blurred = (x: number, y: number, channel: number) =>
    weigh((down) => weigh((right) => read(x + right, y + down, channel)))
  return pixelPositions.flatMap((y) =>
    pixelPositions.map((x): [number, number, number] => [blurred(x, y, 0), blurred(x, y, 1), blurred(x, y, 2)]),
  )
}

/** Renders each cosine as the stylesheet does: the gradients of the cells, the first on top, and below them the mean color. */
function createShapes(): Shape[] {
  const pixels = pixelPositions.flatMap((y) =>
    pixelPositions.map((x) => weighCells(center(x, sampleSize), center(y, sampleSize))),
  )
  return cells.map(({ x: u, y: v }) => {
    const values = pixels.map(({ weights, background }) => {
      const sum = weights.reduce((sum, weight, index) => {
        const { x, y } = cells[index] as Cell
        return sum + weight * cosine(u, x) * cosine(v, y)
      }, 0)
      return u + v === 0 ? sum + background : sum
    })
    return { pixels: values, energy: values.reduce((sum, value) => sum + value * value, 0) }
  })
}

/** Returns how much of a point is covered by each cell, and how much is not. */
function weighCells(x: number, y: number): { weights: number[]; background: number } {
  let background = 1
  const weights = cells.map((cell) => {
    const distance = Math.hypot(center(cell.x, side) - x, center(cell.y, side) - y)
    const weight = background * Math.max(0, 1 - distance / radius)
    background -= weight
    return weight
  })
  return { weights, background }
}

const center = (index: number, count: number) => (index + 0.5) / count
