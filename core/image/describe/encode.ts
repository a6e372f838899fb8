import { convertRgbToOklab } from 'culori'
import { axes, type Coefficient, cells, center, channels, cosine, radius } from './grid.js'

/** Width and height of the image that {@link encodePlaceholder} takes, in pixels. */
export const sampleSize = 12

/** The blur of that image: standard deviation in pixels. */
export const sampleBlur = 0.8

// How many times each value is chosen. The result hardly changes after the fifth time.
const sweeps = 8

type Value = Coefficient['values'][number]

/** The amount that a cosine of strength 1 adds to each pixel of the sample. */
type Shape = readonly number[]
let knownShapes: readonly Shape[] | undefined

/**
 * Returns the text of an image's placeholder, for the attribute `data-lq` and `sitewright/placeholder.css`.
 *
 * @param pixels Red, green and blue of each pixel from 0 to 255, row by row. The image is scaled to 12 x 12 pixels,
 *   regardless of its shape, and blurred by {@link sampleBlur}, since a placeholder cannot show details smaller than
 *   its cells.
 * @example encodePlaceholder(pixels) // 'ZAcBbFz0a'
 */
export function encodePlaceholder(pixels: ArrayLike<number>): string {
  const share = (index: number) => (pixels[index] as number) / 255
  const colors = Array.from({ length: sampleSize ** 2 }, (_, index) =>
    convertRgbToOklab({ r: share(3 * index), g: share(3 * index + 1), b: share(3 * index + 2) }),
  )
  return axes.map((axis) => encodeChannel(axis, colors)).join('')
}

/** Chooses the values one after the other, several times, so that each makes up for the rounding of the others. */
function encodeChannel(axis: keyof typeof channels, colors: readonly Record<typeof axis, number>[]): string {
  knownShapes ??= createShapes()
  const coefficients = channels[axis]
  const rest = colors.map((color) => color[axis])
  const chosen = coefficients.map((): Value => ({ value: 0, text: '' }))
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const [index, { u, v, step, values }] of coefficients.entries()) {
      const shape = knownShapes[cells.findIndex(({ x, y }) => x === u && y === v)] as Shape
      const { value } = chosen[index] as Value
      const best = value + product(shape, rest) / product(shape, shape) / step
      const isNearer = (one: Value, other: Value) => Math.abs(one.value - best) < Math.abs(other.value - best)
      const next = values.reduce((nearest, each) => (isNearer(each, nearest) ? each : nearest))
      for (const [pixel, weight] of shape.entries()) {
        rest[pixel] = (rest[pixel] as number) - weight * step * (next.value - value)
      }
      chosen[index] = next
    }
  }
  return chosen.map(({ text }) => text).join('')
}

const product = (one: Shape, other: Shape) =>
  one.reduce((sum, value, index) => sum + value * (other[index] as number), 0)

/** Renders each cosine as the stylesheet does: the gradients of the cells, the first on top, and below them the mean color. */
function createShapes(): Shape[] {
  const points = Array.from({ length: sampleSize ** 2 }, (_, index) => ({
    x: center(index % sampleSize, sampleSize),
    y: center(Math.floor(index / sampleSize), sampleSize),
  }))
  return cells.map(({ x: u, y: v }) =>
    points.map((point) => {
      let uncovered = 1
      let sum = 0
      for (const { x, y, left, top } of cells) {
        const covered = uncovered * Math.max(0, 1 - Math.hypot(left - point.x, top - point.y) / radius)
        uncovered -= covered
        sum += covered * cosine(u, x) * cosine(v, y)
      }
      return u + v === 0 ? sum + uncovered : sum
    }),
  )
}
