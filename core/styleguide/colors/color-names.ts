import { type Color, converter, differenceEuclidean } from 'culori'
import { parseColor } from './color.js'

/** Names that people search for, each with a color that most people would call by that name. */
const table = `
  white #ffffff, ivory #fffff0, cream #f6efd9, sand #d9c7a0, beige #e8dcc8, tan #d2b48c, khaki #bdb26b,
  silver #c0c0c0, gray #808080, slate #64748b, charcoal #36454f, black #000000, black #1f1d1b, pink #ffb6c6,
  rose #f43f75, coral #ff7f5c, salmon #fa8072, red #e5192d, crimson #b8102f, maroon #6b0f1a,
  rust #8b3a1e, terracotta #c8643c, brown #6f4a2d, chocolate #4a2c1a, orange #ff8c00, peach #ffcfa8,
  amber #ffbf00, gold #d4a520, mustard #c49b1a, ochre #b9792a, yellow #ffe119, lime #a3e635,
  olive #6b7030, sage #9caf88, moss #5a6b35, green #1f9d3a, forest #1e4d2b, emerald #10a877,
  mint #a8ecc8, teal #0f8080, turquoise #30d5c8, cyan #12c8e6, sky #87ceeb, azure #1f8ff0,
  blue #1d4ed8, navy #14204f, indigo #4b3bc4, violet #8b5cf6, lavender #d6cff5, purple #7e22ae,
  plum #7b2d5f, magenta #e020d0
`

const toOklab = converter('oklab')
const distance = differenceEuclidean('oklab')
const namedColors = table.split(',').map((entry) => {
  const [name = '', hex = ''] = entry.trim().split(' ')
  return { name, color: toOklab(hex) as Color }
})

/**
 * Returns the everyday name that is nearest to a CSS color, or `undefined` for a color that only a browser can resolve.
 *
 * @example nearestColorName('#7d2c1b') // 'rust'
 */
export function nearestColorName(value: string): string | undefined {
  const color = parseColor(value)
  if (!color) return undefined
  const parsed = toOklab(color as Color)
  const distances = namedColors.map(({ name, color }) => ({ name, distance: distance(color, parsed) }))
  return distances.reduce((nearest, next) => (next.distance < nearest.distance ? next : nearest)).name
}
