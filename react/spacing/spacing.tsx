import * as React from 'react'
import type {
  DefaultBreakpoint,
  DefaultSize,
  SpacingProps,
  SpacingScale,
  SplitSpacing,
} from '../../core/spacing/index.js'
import { createSplitSpacing } from '../../core/spacing/internal.js'

/** The spacing props, and the props of the element or component in `as`. */
export type SpacingComponentProps<As extends React.ElementType = 'div', Props = SpacingProps> = Props & {
  /** The element or component to render. Default `'div'`. */
  as?: As | undefined
} & Omit<React.ComponentPropsWithRef<As>, keyof Props | 'as'>

/** The type of {@link Spacing}, with the breakpoints and sizes of `Props`. */
export interface SpacingComponent<Props = SpacingProps> {
  <As extends React.ElementType = 'div'>(props: SpacingComponentProps<As, Props>): React.ReactElement
  displayName?: string | undefined
}

/**
 * Creates a {@link Spacing} for custom breakpoints and sizes. They must be the same as in the stylesheet, which
 * `spacingStylesheet` of `sitewright/spacing` creates.
 *
 * @throws TypeError that names the option with an invalid name or length.
 * @example export const Spacing = createSpacing({ breakpoints: { phone: '0', desktop: '60rem' } })
 */
export function createSpacing<Breakpoint extends string = DefaultBreakpoint, Size extends string = DefaultSize>(
  scale: SpacingScale<Breakpoint, Size> = {},
): SpacingComponent<SpacingProps<Breakpoint, Size>> {
  const splitAny = createSplitSpacing(scale) as unknown as SplitSpacing<unknown>
  // React 18 passes a ref to a function component only this way; React 19 still supports it.
  const Spacing = React.forwardRef<unknown, { as?: React.ElementType; className?: string | undefined }>(
    (props, ref) => {
      const { className, rest } = splitAny(props)
      const { as: As = 'div', ...attributes } = rest
      return <As {...attributes} className={className} ref={ref} />
    },
  )
  Spacing.displayName = 'Spacing'
  return Spacing as unknown as SpacingComponent<SpacingProps<Breakpoint, Size>>
}

/**
 * Renders an element with margin and padding above and below its content, by breakpoint. Needs the stylesheet
 * `sitewright/spacing.css` (with Tailwind 4, `sitewright/spacing.layer.css`), but no client JavaScript.
 *
 * @example <Spacing as="section" marginXs="base" marginLg="topLarge">…</Spacing>
 */
export const Spacing: SpacingComponent = /* @__PURE__ */ createSpacing()
