/** Cells of a placeholder in each direction. */
const side = 5

/**
 * Radius of a cell's gradient, as a share of the image's width and height. The gradient is opaque at its center and
 * transparent at its edge, and is painted over the gradients of the cells that come later.
 */
export const radius = 0.26

/** Returns the middle of one of several equal parts, as a share of the whole. */
export const center = (index: number, count: number): number => (index + 0.5) / count

/** The cells, row by row: their places in the grid, and their centers as shares of width and height. */
export const cells = Array.from({ length: side * side }, (_, index) => {
  const [x, y] = [index % side, Math.floor(index / side)]
  return { x, y, left: center(x, side), top: center(y, side) }
})

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** The prefix that adds 26 to a value. Only the mean lightness needs it: it has more values than there are letters. */
export const bright = { name: 'Z', value: letters.length }

/** The mean lightness, from black (`Aa`) to white (`ZAz`). */
const mean = {
  step: 1 / (2 * letters.length - 1),
  values: ['', bright.name].flatMap((prefix, index) =>
    [...letters].map((letter, value) => ({ value: index * bright.value + value, text: `${prefix}A${letter}` })),
  ),
}

const upTo = (max: number) => Array.from({ length: max }, (_, index) => index + 1)

// The values of a coefficient, by its `u + v`. Photographs have strong low frequencies and weak high ones.
const lightness = [[], upTo(13), upTo(9), upTo(6), upTo(4), upTo(3), upTo(2), upTo(2)]
// The mean color has values from gray to the primary colors, in small steps near gray.
const color = [[...upTo(8), 10, 12, 15, 19, 23], upTo(8), upTo(4)]

/** The channels of Oklab: lightness, and the two of color. */
export const axes = ['l', 'a', 'b'] as const

/** The coefficients of each channel. decisions/0027 has the measurements. */
export const channels: Readonly<Record<(typeof axes)[number], readonly Coefficient[]>> = {
  l: createCoefficients('ABCDEFGHIJKLMNOPQRSTUVWX', 0.022, lightness),
  a: createCoefficients('012345', 0.01, color),
  b: createCoefficients('6789-_', 0.01, color),
}

/**
 * The strength of one cosine in one channel of the color. `name` is its character in the text of a placeholder and in
 * the stylesheet. `u` and `v` are its half periods over the whole image, to the right and down. `values` are the values
 * that it can have, each with its text; the value 1 adds one `step` to the channel, and a value without text is the
 * default.
 */
export type Coefficient = ReturnType<typeof createCoefficients>[number]

/** Creates the coefficients of a channel. If `B` has the values 1, 4, -1 and -4, their texts are `Ba`, `Bb`, `Bz` and `By`. */
function createCoefficients(names: string, step: number, valuesByOrder: readonly (readonly number[])[]) {
  const used = cells.filter(({ x, y }) => x + y < valuesByOrder.length)
  return used.map(({ x: u, y: v }, index) => {
    const name = names.charAt(index)
    const positive = (valuesByOrder[u + v] ?? []).map((value, place) => ({ value, text: name + letters.charAt(place) }))
    const negative = positive.map(({ value }, place) => ({ value: -value, text: `${name}${letters.at(-1 - place)}` }))
    const values = [...negative.reverse(), { value: 0, text: '' }, ...positive]
    return name === 'A' ? { name, u, v, ...mean } : { name, u, v, step, values }
  })
}

/** Returns a cosine at the center of a cell. All cosines have the same mean square, 1. */
export function cosine(frequency: number, cell: number): number {
  return frequency === 0 ? 1 : Math.SQRT2 * Math.cos(frequency * Math.PI * center(cell, side))
}
