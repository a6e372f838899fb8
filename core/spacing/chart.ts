import { spacingClasses, spacingProperty } from './classes.js'
import { capitalize, checkScale, type SpacingScale } from './scale.js'

/** One of the scale's lengths and the names of the three sizes that it makes. */
export interface ChartedSize {
  /** `'small'`: at both sides. */
  name: string
  /** `'topSmall'` */
  top: string
  /** `'bottomSmall'` */
  bottom: string
  /** The length, unless the page sets the custom property. */
  length: string
  /** The custom property by which a page sets it: `'--sw-small'`. */
  property: string
}

/** A breakpoint, its two props, and the classes that they turn into. */
export interface ChartedBreakpoint {
  name: string
  /** From which width on; `'0'` is every window. */
  width: string
  /** `'marginMd'` */
  margin: string
  /** `'paddingMd'` */
  padding: string
  /** Size (`'topSmall'`) to classes, as the props give them. */
  classes: readonly { size: string; margin: string; padding: string }[]
}

export interface SpacingChart {
  sizes: readonly ChartedSize[]
  breakpoints: readonly ChartedBreakpoint[]
}

/**
 * All that there is to a scale of layout spacing: its lengths, props, sizes and classes. The styleguide draws it.
 *
 * @throws TypeError that names the option when a name or length is none.
 * @example chartSpacing().breakpoints[2]?.margin // 'marginMd'
 */
export function chartSpacing(scale: SpacingScale<string, string> = {}): SpacingChart {
  const checked = checkScale(scale)
  const table = spacingClasses(checked)
  const sizes = checked.sizes.map(([name, length]) => {
    const end = capitalize(name)
    return { name, top: `top${end}`, bottom: `bottom${end}`, length, property: spacingProperty(name) }
  })
  const sizeNames = sizes.flatMap(({ name, top, bottom }) => [name, top, bottom])
  const breakpoints = checked.breakpoints.map(([name, width]) => {
    const [margin, padding] = [`margin${capitalize(name)}`, `padding${capitalize(name)}`]
    const classOf = (prop: string, size: string) => table.get(prop)?.get(size) ?? ''
    const classes = sizeNames.map((size) => ({ size, margin: classOf(margin, size), padding: classOf(padding, size) }))
    return { name, width, margin, padding, classes }
  })
  return { sizes, breakpoints }
}
