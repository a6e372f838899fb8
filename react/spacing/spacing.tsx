import * as React from 'react'
import { type SpacingProps, type SplitSpacing, splitSpacing } from '../../core/spacing/index.js'

/** The spacing props, and those of the element or component that `as` names. */
export type SpacingComponentProps<As extends React.ElementType = 'div', Props = SpacingProps> = Props & {
  /** What is rendered. Default `'div'`. */
  as?: As | undefined
} & Omit<React.ComponentPropsWithRef<As>, keyof Props | 'as'>

/** {@link Spacing}, for the breakpoints and sizes of `Props`. */
export interface SpacingComponent<Props = SpacingProps> {
  <As extends React.ElementType = 'div'>(props: SpacingComponentProps<As, Props>): React.ReactElement
  displayName?: string | undefined
}

/**
 * Creates a {@link Spacing} for breakpoints and sizes of the site's own.
 *
 * @example export const Spacing = createSpacing(createSplitSpacing({ breakpoints: { phone: '0', desktop: '60rem' } }))
 */
export function createSpacing<Props>(split: SplitSpacing<Props>): SpacingComponent<Props> {
  const splitAny = split as unknown as SplitSpacing<unknown>
  // React 18 gives a function component its ref only so; React 19 takes it too.
  const Spacing = React.forwardRef<unknown, { as?: React.ElementType; className?: string | undefined }>(
    (props, ref) => {
      const { className, rest } = splitAny(props)
      const { as: As = 'div', ...attributes } = rest
      return <As {...attributes} className={className} ref={ref} />
    },
  )
  Spacing.displayName = 'Spacing'
  return Spacing as unknown as SpacingComponent<Props>
}

/**
 * An element with space above and below or inside, by breakpoint. It needs the stylesheet `sitewright/spacing.css` (or,
 * with Tailwind 4, `sitewright/spacing.layer.css`), and no client JavaScript.
 *
 * @example <Spacing as="section" marginXs="base" marginLg="topLarge">…</Spacing>
 */
export const Spacing: SpacingComponent = /* @__PURE__ */ createSpacing(splitSpacing)
