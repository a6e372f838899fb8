import { warnInDevelopment } from '../development.js'
import { spacingClasses } from './classes.js'
import type { SpacingProps, SplitSpacing } from './props.js'
import { checkScale, type DefaultBreakpoint, type DefaultSize, type SpacingScale } from './scale.js'
import { createSizeWarning } from './size-warning.js'

export interface SplitSpacingOptions<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize>
  extends SpacingScale<Breakpoint, Size> {
  /**
   * Receives a warning for each distinct invalid size, once. Default: `console.warn`, unless `NODE_ENV` is `production`
   * or there is no `process`.
   */
  warn?: ((message: string) => void) | undefined
}

/**
 * Creates a {@link splitSpacing} for custom breakpoints and sizes: the same as those of the stylesheet.
 *
 * @throws TypeError that names the option, for an invalid name or length.
 * @example
 * const splitSpacing = createSplitSpacing({ breakpoints: { phone: '0', desktop: '60rem' } })
 * splitSpacing({ marginDesktop: 'topSmall' }).className // 'sw-small-desktop-mt'
 */
export function createSplitSpacing<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize>(
  options: SplitSpacingOptions<Breakpoint, Size> = {},
): SplitSpacing<SpacingProps<Breakpoint, Size>> {
  const scale = checkScale(options, 'createSplitSpacing({ breakpoints, sizes })')
  const table = spacingClasses(scale)
  const warnOnce = createSizeWarning(options.warn ?? warnInDevelopment, scale)

  const split = (props: Readonly<Record<string, unknown>>) => {
    let className = typeof props.className === 'string' ? props.className : ''
    const rest: Record<string, unknown> = {}
    for (const name of Object.keys(props)) {
      const value = props[name]
      const classes = table.get(name)
      if (!classes) {
        // Assigning to __proto__ would give `rest` another prototype.
        if (name !== 'className' && name !== '__proto__') rest[name] = value
        continue
      }
      const found = classes.get(value)
      if (found !== undefined) className = className ? `${className} ${found}` : found
      else if (value !== undefined && value !== null) warnOnce(name, value)
    }
    return { className: className || undefined, rest }
  }
  // The type of `rest` depends on keys, which the compiler cannot follow.
  return split as unknown as SplitSpacing<SpacingProps<Breakpoint, Size>>
}

/**
 * Splits props into a `className` with the spacing classes and the rest, which is for the element. An invalid size (say,
 * from a CMS) is ignored, with a warning in development; `null` and `undefined` are ignored without one.
 *
 * @example
 * splitSpacing({ marginXs: 'topLarge', className: 'hero', id: 'top' })
 * // { className: 'hero sw-large-xs-mt', rest: { id: 'top' } }
 */
export const splitSpacing: SplitSpacing<SpacingProps> = /* @__PURE__ */ createSplitSpacing()
