import { type CheckedScale, capitalize } from './scale.js'

/** What a class declares, by the letters that it ends with. Logical properties, for vertical scripts. */
export const sides = {
  mt: 'margin-block-start',
  mb: 'margin-block-end',
  pt: 'padding-block-start',
  pb: 'padding-block-end',
} as const

export type Side = keyof typeof sides

/**
 * The class that gives one side one size from one breakpoint on. The size comes first and the side last, since so the
 * stylesheet compresses best.
 *
 * @example spacingClass('extraLarge', 'md', 'mt') // 'sw-extra-large-md-mt'
 */
export function spacingClass(size: string, breakpoint: string, side: Side): string {
  return `sw-${kebab(size)}-${breakpoint}-${side}`
}

/** The custom property by which a page sets a size: `--sw-extra-large`. */
export function spacingProperty(size: string): string {
  return `--sw-${kebab(size)}`
}

/** The classes of every prop and size: `'marginMd'`, then `'topSmall'`, gives `'sw-small-md-mt'`. */
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
