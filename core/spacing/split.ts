import { warnInDevelopment } from '../development.js'
import { formatValue } from '../option-error.js'
import { checkOptions } from '../options.js'
import { spacingClasses } from './classes.js'
import { capitalize, checkScale, type DefaultBreakpoint, type DefaultSize, type SpacingScale } from './scale.js'

/** A size for both top and bottom (`'small'`), or for only one of them (`'topSmall'`, `'bottomSmall'`). */
export type SpacingSize<Size extends string = DefaultSize> = Size | `${'top' | 'bottom'}${Capitalize<Size>}`

/**
 * The spacing props: `marginXs` to `marginXxl` and `paddingXs` to `paddingXxl` with the default breakpoints. A prop
 * applies from its breakpoint upward, until a prop for a wider breakpoint sets the same side.
 */
export type SpacingProps<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize> = {
  [Prop in `${'margin' | 'padding'}${Capitalize<Breakpoint>}`]?: SpacingSize<Size> | undefined
}

/** The result of splitting the spacing props from the other props. */
export interface SplitProps<Rest> {
  /** The caller's className and the spacing classes, or `undefined` when there is neither. */
  className: string | undefined
  /** Every other prop, unchanged. */
  rest: Rest
}

/** Converts spacing props to classes of the stylesheet. */
export type SplitSpacing<Spacing> = <Props extends Spacing & { className?: string | undefined }>(
  props: Props & RejectUnknownBreakpoints<Props, Spacing>,
) => SplitProps<Omit<Props, keyof Spacing | 'className'>>

// The type rejects typos such as marginMegs="small", which would otherwise pass as attributes. <iframe> has
// marginHeight and marginWidth.
type RejectUnknownBreakpoints<Props, Spacing> = {
  [Prop in Exclude<
    Extract<keyof Props, `${'margin' | 'padding'}${string}`>,
    keyof Spacing | 'marginHeight' | 'marginWidth'
  >]?: never
}

/**
 * Creates a {@link splitSpacing} for custom breakpoints and sizes.
 *
 * @throws TypeError that names the option with an invalid name or length.
 * @example
 * const splitSpacing = createSplitSpacing({ breakpoints: { phone: '0', desktop: '60rem' } })
 * splitSpacing({ marginDesktop: 'topSmall' }).className // 'sw-small-desktop-mt'
 */
export function createSplitSpacing<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize>(
  options: SpacingScale<Breakpoint, Size> = {},
): SplitSpacing<SpacingProps<Breakpoint, Size>> {
  const scale = checkScale(options, 'createSpacing({ breakpoints, sizes })')
  const table = spacingClasses(scale)
  const warnOnce = createSizeWarning(scale.sizes.map(([name]) => name))

  const split = (props: Readonly<Record<string, unknown>>) => {
    checkOptions(props, 'splitSpacing', "write splitSpacing({ marginXs: 'base' })")
    let className = typeof props.className === 'string' ? props.className : ''
    const rest: Record<string, unknown> = {}
    for (const name of Object.keys(props)) {
      const value = props[name]
      const classes = table.get(name)
      if (!classes) {
        // Assigning to __proto__ would change the prototype of `rest`.
        if (name !== 'className' && name !== '__proto__') rest[name] = value
        continue
      }
      const spacing = classes.get(value)
      if (spacing !== undefined) className = className ? `${className} ${spacing}` : spacing
      else if (value !== undefined && value !== null) warnOnce(name, value)
    }
    return { className: className || undefined, rest }
  }
  // The compiler cannot infer which keys end up in `rest`.
  return split as unknown as SplitSpacing<SpacingProps<Breakpoint, Size>>
}

/**
 * Splits props into a `className`, which includes the spacing classes, and the `rest`, which you pass to the element.
 * An invalid size, such as from a CMS, is ignored with a warning in development; `null` and `undefined` are ignored
 * silently.
 *
 * @example
 * splitSpacing({ marginXs: 'topLarge', className: 'hero', id: 'top' })
 * // { className: 'hero sw-large-xs-mt', rest: { id: 'top' } }
 */
export const splitSpacing: SplitSpacing<SpacingProps> = /* @__PURE__ */ createSplitSpacing()

/**
 * Creates a function that warns once about each distinct invalid size, in development. It stops after 100, since a CMS
 * can send any number of them.
 */
function createSizeWarning(names: readonly string[]) {
  const warned = new Set<string>()
  return (prop: string, value: unknown): void => {
    const got = formatValue(value)
    if (warned.has(got) || warned.size >= 100) return
    warned.add(got)
    const side = `'top${capitalize(names[0] ?? '')}'`
    const expected = `one of ${names.join(', ')}, or one side such as ${side}`
    warnInDevelopment(`${prop}: expected ${expected}, got ${got}; prop ignored`)
  }
}
