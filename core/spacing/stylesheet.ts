import { type Side, sides, spacingClass, spacingProperty } from './classes.js'
import { type CheckedScale, checkScale, type DefaultBreakpoint, type DefaultSize, type SpacingScale } from './scale.js'

export interface SpacingStylesheetOptions<
  Breakpoint extends string = DefaultBreakpoint,
  Size extends string = DefaultSize,
> extends SpacingScale<Breakpoint, Size> {
  /**
   * For Tailwind 4: in the layer `components`, above Tailwind's preflight and below its utilities, with the order of
   * the layers stated first, so that it does not matter which file is loaded first. Default `false`: in no layer, and
   * so above all that is in one.
   */
  layered?: boolean | undefined
}

// What Tailwind 4 states itself, word for word: https://tailwindcss.com/docs/preflight
const layers = '@layer theme,base,components,utilities;'

/**
 * Makes the stylesheet of the spacing props: one class for each side, size and breakpoint, with one declaration,
 * breakpoints from narrow to wide. `sitewright/spacing.css` and `sitewright/spacing.layer.css` are this one with the
 * default scale; a site with breakpoints or sizes of its own writes it to a file of its own when it is built.
 *
 * @throws TypeError that names the option when a name or length is none.
 * @example writeFileSync('spacing.css', spacingStylesheet({ breakpoints: { phone: '0', desktop: '60rem' } }))
 */
export function spacingStylesheet<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize>(
  options: SpacingStylesheetOptions<Breakpoint, Size> = {},
): string {
  const { breakpoints, sizes } = checkScale(options)
  const blocks = breakpoints.map(([breakpoint, width]) => {
    const rules = rulesOf(breakpoint, sizes)
    return width === '0' ? rules : `@media (min-width:${width}){\n${rules}}\n`
  })
  return options.layered ? `${layers}\n@layer components{\n${blocks.join('')}}\n` : blocks.join('')
}

function rulesOf(breakpoint: string, sizes: CheckedScale['sizes']): string {
  let rules = ''
  for (const [side, property] of Object.entries(sides)) {
    for (const [size, length] of sizes) {
      // A fallback and no :root rule: then a page's own value holds wherever it is set, in any order, in any layer.
      const value = `var(${spacingProperty(size)},${length})`
      rules += `.${spacingClass(size, breakpoint, side as Side)}{${property}:${value}}\n`
    }
  }
  return rules
}
