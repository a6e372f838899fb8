import { type CheckedScale, capitalize } from './scale.js'

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
