import type { DefaultBreakpoint, DefaultSize } from './scale.js'

/** A size at both sides of the vertical axis, or with `top` or `bottom` in front at one: `'small'`, `'topSmall'`. */
export type SpacingSize<Size extends string = DefaultSize> = Size | `${'top' | 'bottom'}${Capitalize<Size>}`

/**
 * The spacing props: `marginXs` to `marginXxl` and `paddingXs` to `paddingXxl` with the default breakpoints. Each holds
 * from its breakpoint on, until a wider one says otherwise about the same side.
 */
export type SpacingProps<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize> = {
  [Prop in `${'margin' | 'padding'}${Capitalize<Breakpoint>}`]?: SpacingSize<Size> | undefined
}

/** The props with the spacing taken out. */
export interface SplitProps<Rest> {
  /** The caller's own className and the spacing's; `undefined` when there is neither. */
  className: string | undefined
  /** Every other prop, as it was. */
  rest: Rest
}

/** Turns spacing props into classes of the stylesheet. */
export type SplitSpacing<Spacing> = <Props extends Spacing & { className?: string | undefined }>(
  props: Props & NoOtherBreakpoint<Props, Spacing>,
) => SplitProps<Omit<Props, keyof Spacing | 'className'>>

// Without this, marginMegs="small" would be taken for an attribute. marginHeight and marginWidth are those of <iframe>.
type NoOtherBreakpoint<Props, Spacing> = {
  [Prop in Exclude<
    Extract<keyof Props, `${'margin' | 'padding'}${string}`>,
    keyof Spacing | 'marginHeight' | 'marginWidth'
  >]?: never
}
