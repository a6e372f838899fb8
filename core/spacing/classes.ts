import { type CheckedScale, capitalize, checkScale, type SpacingScale } from './scale.js'

/**
 * The property that a class declares, by the suffix of the class. These are logical properties, to support vertical
 * scripts.
 */
export const properties = {
  mt: 'margin-block-start',
  mb: 'margin-block-end',
  pt: 'padding-block-start',
  pb: 'padding-block-end',
} as const

export type ClassSuffix = keyof typeof properties

/**
 * Returns the class that sets one side to one size from one breakpoint on. The stylesheet compresses best with the size
 * first and the side last.
 *
 * @example spacingClass('extraLarge', 'md', 'mt') // 'sw-extra-large-md-mt'
 */
export function spacingClass(size: string, breakpoint: string, suffix: ClassSuffix): string {
  return `sw-${kebab(size)}-${breakpoint}-${suffix}`
}

/** Returns the custom property that overrides a size: `--sw-extra-large`. */
export function spacingProperty(size: string): string {
  return `--sw-${kebab(size)}`
}

/** Returns the classes by prop, and then by size: `get('marginMd')?.get('topSmall')` is `'sw-small-md-mt'`. */
export function spacingClasses({ breakpoints, sizes }: CheckedScale): Map<string, Map<unknown, string>> {
  const table = new Map<string, Map<unknown, string>>()
  for (const [breakpoint] of breakpoints) {
    for (const [kind, top, bottom] of [['margin', 'mt', 'mb'] as const, ['padding', 'pt', 'pb'] as const]) {
      const classes = new Map<unknown, string>()
      for (const [size] of sizes) {
        const start = spacingClass(size, breakpoint, top)
        const end = spacingClass(size, breakpoint, bottom)
        classes.set(size, `${start} ${end}`)
        classes.set(`top${capitalize(size)}`, start)
        classes.set(`bottom${capitalize(size)}`, end)
      }
      table.set(kind + capitalize(breakpoint), classes)
    }
  }
  return table
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** A length of the scale, and the names of the three sizes that use it. */
export interface SizeDescription {
  /** The size for both sides: `'small'`. */
  name: string
  /** The size for the top: `'topSmall'`. */
  top: string
  /** The size for the bottom: `'bottomSmall'`. */
  bottom: string
  /** The length, unless the page sets the custom property. */
  length: string
  /** The custom property that overrides the length: `'--sw-small'`. */
  property: string
}

/** A breakpoint, its two props, and their classes. */
export interface BreakpointDescription {
  name: string
  /** Minimum width of the viewport; `'0'` is any viewport. */
  width: string
  /** `'marginMd'` */
  margin: string
  /** `'paddingMd'` */
  padding: string
  /** The classes of each size (`'topSmall'`), as the props return them. */
  classes: readonly { size: string; margin: string; padding: string }[]
}

export interface SpacingDescription {
  sizes: readonly SizeDescription[]
  breakpoints: readonly BreakpointDescription[]
}

/**
 * Lists the lengths, sizes, props and classes of a spacing scale, for documentation. The styleguide's spacing page
 * shows them.
 *
 * @throws TypeError that names the option with an invalid name or length.
 * @example describeSpacing().breakpoints[2]?.margin // 'marginMd'
 */
export function describeSpacing(scale: SpacingScale<string, string> = {}): SpacingDescription {
  const checked = checkScale(scale, 'describeSpacing({ breakpoints, sizes })')
  const table = spacingClasses(checked)
  const sizes = checked.sizes.map(([name, length]) => {
    const suffix = capitalize(name)
    return { name, top: `top${suffix}`, bottom: `bottom${suffix}`, length, property: spacingProperty(name) }
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
