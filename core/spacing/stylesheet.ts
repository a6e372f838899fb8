import { type ClassSuffix, properties, spacingClass, spacingProperty } from './classes.js'
import { type CheckedScale, checkScale, type DefaultBreakpoint, type DefaultSize, type SpacingScale } from './scale.js'

export interface SpacingStylesheetOptions<
  Breakpoint extends string = DefaultBreakpoint,
  Size extends string = DefaultSize,
> extends SpacingScale<Breakpoint, Size> {
  /**
   * For Tailwind 4: puts the rules into the layer `components`, above Tailwind's preflight and below its utilities, and
   * declares the order of the layers first, so that the files can load in any order. Default `false`: the rules are not
   * in a layer, so they override all layers.
   */
  layered?: boolean | undefined
}

// This is the statement of Tailwind 4: https://tailwindcss.com/docs/preflight
const layers = '@layer theme,base,components,utilities;'

/**
 * Creates the stylesheet of the spacing props: one class with one declaration for each side, size and breakpoint, from
 * narrow to wide. `sitewright/spacing.css` and `sitewright/spacing.layer.css` are its output for the default scale; a
 * site with custom breakpoints or sizes writes its own file at build time.
 *
 * @throws TypeError that names the option with an invalid name or length.
 * @example writeFileSync('spacing.css', spacingStylesheet({ breakpoints: { phone: '0', desktop: '60rem' } }))
 */
export function spacingStylesheet<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize>(
  options: SpacingStylesheetOptions<Breakpoint, Size> = {},
): string {
  const { breakpoints, sizes } = checkScale(options, 'spacingStylesheet({ breakpoints, sizes })')
  const blocks = breakpoints.map(([breakpoint, width]) => {
    const rules = createRules(breakpoint, sizes)
    return width === '0' ? rules : `@media (min-width:${width}){\n${rules}}\n`
  })
  return options.layered ? `${layers}\n@layer components{\n${blocks.join('')}}\n` : blocks.join('')
}

function createRules(breakpoint: string, sizes: CheckedScale['sizes']): string {
  let rules = ''
  for (const [suffix, property] of Object.entries(properties)) {
    for (const [size, length] of sizes) {
      // The length is a fallback instead of a :root rule, so that a page's own value applies wherever it is set, in any
      // order and layer.
      const value = `var(${spacingProperty(size)},${length})`
      rules += `.${spacingClass(size, breakpoint, suffix as ClassSuffix)}{${property}:${value}}\n`
    }
  }
  return rules
}
