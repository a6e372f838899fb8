import type { DefaultBreakpoint, DefaultSize } from './scale.js'

/** A size on both sides of the vertical axis (`'small'`), or with `top` or `bottom` in front on one (`'topSmall'`). */
export type SpacingSize<Size extends string = DefaultSize> = Size | `${'top' | 'bottom'}${Capitalize<Size>}`

/**
 * The spacing props: `marginXs` to `marginXxl` and `paddingXs` to `paddingXxl` with the default breakpoints. Each applies
 * from its breakpoint on, until one for a wider breakpoint sets the same side.
 */
export type SpacingProps<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize> = {
  [Prop in `${'margin' | 'padding'}${Capitalize<Breakpoint>}`]?: SpacingSize<Size> | undefined
}

/** The result of splitting spacing props from the others. */
export interface SplitProps<Rest> {
  /** The caller's className and the spacing classes; `undefined` when there is neither. */
  className: string | undefined
  /** Every other prop, unchanged. */
  rest: Rest
}

/** Converts spacing props to classes of the stylesheet. */
export type SplitSpacing<Spacing> = <Props extends Spacing & { className?: string | undefined }>(
  props: Props & RejectUnknownBreakpoints<Props, Spacing>,
) => SplitProps<Omit<Props, keyof Spacing | 'className'>>

// Without this, marginMegs="small" would pass as an attribute. marginHeight and marginWidth are attributes of <iframe>.
type RejectUnknownBreakpoints<Props, Spacing> = {
  [Prop in Exclude<
    Extract<keyof Props, `${'margin' | 'padding'}${string}`>,
    keyof Spacing | 'marginHeight' | 'marginWidth'
  >]?: never
}
