import { axes, bright, type Coefficient, cells, channels, cosine, radius } from './grid.js'

const property = (name: string) => `--lq${name}`
const columnProperty = (axis: Axis, v: number, x: number) => property(`${axis}${v}${x}`)

type Axis = (typeof axes)[number]

/**
 * Creates the stylesheet that paints a placeholder behind each `<img data-lq="…">`. `sitewright/placeholder.css` is its
 * output.
 *
 * Attribute selectors read the coefficients from the text. `calc()` adds up the cosines, first for each column and then
 * for each row, which gives the colors of 5 x 5 cells. Each cell is a radial gradient.
 *
 * @example writeFileSync('placeholder.css', placeholderStylesheet())
 */
export function placeholderStylesheet(): string {
  const coefficients = axes.flatMap((axis) => channels[axis])
  const names = [bright.name, ...coefficients.map(({ name }) => name)]
  // Each image begins with 0, so that it inherits no values from the elements around it.
  const defaults = names.map((name) => `${property(name)}:0`)
  const columns = axes.flatMap(sumColumns)
  return [
    `[data-lq]{${[...defaults, ...columns].join(';')}}`,
    `[data-lq*=${bright.name}]{${property(bright.name)}:${bright.value}}`,
    ...coefficients.flatMap(createRules),
    // `:where`, so that any background of the site's own wins. Images that may have bars beside them are left out,
    // because the placeholder would show in the bars.
    `@media not print{@media (forced-colors:none){:where(img[data-lq]:not(${hasBars})){${paint()}}}}\n`,
  ].join('\n')
}

const hasBars = ['object-contain', 'object-scale-down', 'object-none'].map((name) => `[class*=${name}]`).join()

/** Creates a rule for each text of a coefficient, except for texts that contain another one, whose rule applies. */
function createRules({ name, values }: Coefficient): string[] {
  const short = values.filter(({ text }) => text.length === 2)
  return short.map(({ value, text }) => `[data-lq*="${text}"]{${property(name)}:${value}}`)
}

/** Adds up the coefficients of a channel with the same vertical frequency, for each column of cells. */
function sumColumns(axis: Axis): string[] {
  const columns = cells.filter(({ y }) => y === 0)
  return frequenciesOf(axis).flatMap((v) => {
    const row = channels[axis].filter((each) => each.v === v)
    return columns.map(({ x }) => `${columnProperty(axis, v, x)}:${addUp(row.map((each) => termOf(each, x)))}`)
  })
}

/** Returns the value of a coefficient in a column, in hundredths: three decimals are then exact enough. */
function termOf({ name, u, step }: Coefficient, x: number): readonly [value: string, factor: number] {
  const level = `var(${property(name)})`
  return [name === 'A' ? `(${level} + var(${property(bright.name)}))` : level, 100 * step * cosine(u, x)]
}

/** The vertical frequencies of a channel. */
const frequenciesOf = (axis: Axis) => [...new Set(channels[axis].map(({ v }) => v))]

function paint(): string {
  const percent = (share: number) => `${Math.round(100 * share)}%`
  const size = `${percent(radius)} ${percent(radius)}`
  const gradients = cells.map(
    ({ x, y, left, top }) => `radial-gradient(${size} at ${percent(left)} ${percent(top)},${colorOf(x, y)},#0000)`,
  )
  const mean = axes.map((axis) => writeValue([termOf(channels[axis][0] as Coefficient, 0)]))
  return `background:${gradients.join()},oklab(${mean.join(' ')});color:#000;text-shadow:${halo}`
}

// Keeps the alternative text of a broken image legible on any background.
const halo = '0 0 1px #fff,0 0 2px #fff,0 0 3px #fff,0 0 4px #fff'

function colorOf(x: number, y: number): string {
  const values = axes.map((axis) =>
    writeValue(frequenciesOf(axis).map((v) => [`var(${columnProperty(axis, v, x)})`, cosine(v, y)])),
  )
  return `oklab(${values.join(' ')})`
}

const writeValue = (hundredths: Parameters<typeof addUp>[0]) => `calc(${addUp(hundredths)}/100)`

/** Writes a sum of products, such as `(.5*var(--a) + 2*var(--b))`. */
function addUp(terms: readonly (readonly [value: string, factor: number])[]): string {
  const written = terms
    .map(([value, factor]) => [value, String(Number(factor.toFixed(3))).replace('0.', '.')] as const)
    .filter(([, factor]) => factor !== '0' && factor !== '-0')
    .map(([value, factor]) => (factor === '1' ? value : `${factor}*${value}`))
  return `(${written.join(' + ')})`
}
