/** Cells of a placeholder in each direction. */
export const side = 5

/**
 * Radius of a cell's gradient, as a share of the image's width and height. A cell covers the cells after it at its center, and less and
 * less of them towards its edge.
 */
export const radius = 0.26

/** The strength of one cosine in one channel of the color. */
export interface Coefficient {
  /** The character that names it, in the text of a placeholder and in the stylesheet. */
  readonly name: string
  /** Half periods over the whole image, to the right and down. */
  readonly u: number
  readonly v: number
  /** What a level of 1 adds to the channel. */
  readonly step: number
  /** Lowest and highest level. The default level is 0, which needs no text. */
  readonly min: number
  readonly max: number
}

/** Letters of the levels: `a` is 1, `b` is 2, and so on; `z` is -1, `y` is -2. */
const letters = 'abcdefghijklmnopqrstuvwxyz'

/** The mean lightness is the only coefficient with more levels than letters. `Z` adds 26 of them. */
export const bright = { name: 'Z', level: letters.length }

const darkest = 0
const lightest = 2 * letters.length - 1

// Strong low frequencies and weak high ones are what photographs have, so the higher ones have fewer levels: by `u + v`.
const lightnessLevels = [lightest, 13, 9, 6, 4, 3, 2, 2, 2]
const colorLevels = [13, 8, 4]

/** The coefficients of the channels of Oklab: lightness, and the two of color. decisions/0026 has the measurements. */
export const channels: readonly (readonly Coefficient[])[] = [
  createCoefficients('ABCDEFGHIJKLMNOPQRSTUVWXY', 0.022, lightnessLevels),
  createCoefficients('012345', 0.01, colorLevels),
  createCoefficients('6789-_', 0.01, colorLevels),
]

function createCoefficients(names: string, step: number, maxLevels: readonly number[]): Coefficient[] {
  const all = Array.from({ length: side * side }, (_, index) => ({ u: index % side, v: Math.floor(index / side) }))
  return all
    .filter(({ u, v }) => u + v < maxLevels.length)
    .map(({ u, v }, index) => {
      const max = maxLevels[u + v] as number
      const isLightness = max === lightest
      const range = isLightness ? { step: 1 / lightest, min: darkest } : { step, min: -max }
      return { name: names.charAt(index), u, v, max, ...range }
    })
}

/** Returns the text of a coefficient at a level, as a placeholder contains it: `Bz` is the second coefficient at -1. */
export function textOf({ name, min }: Coefficient, level: number): string {
  if (min === darkest) return `${level < bright.level ? '' : bright.name}${name}${letters.charAt(level % bright.level)}`
  return level === 0 ? '' : `${name}${letters.at(level > 0 ? level - 1 : level)}`
}

/** Returns a cosine at the center of a cell. All cosines have the same mean square, 1. */
export function cosine(frequency: number, cell: number): number {
  return frequency === 0 ? 1 : Math.SQRT2 * Math.cos((frequency * Math.PI * (cell + 0.5)) / side)
}
