import * as React from 'react'
import { checkFunction } from '../../core/options.js'
import { type SpacingProps, type SplitSpacing, splitSpacing } from '../../core/spacing/index.js'

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
 * Creates a {@link Spacing} for custom breakpoints and sizes.
 *
 * @example export const Spacing = createSpacing(createSplitSpacing({ breakpoints: { phone: '0', desktop: '60rem' } }))
 */
export function createSpacing<Props>(split: SplitSpacing<Props>): SpacingComponent<Props> {
  checkFunction('split', split, 'a function, such as createSplitSpacing({ sizes })')
  const splitAny = split as unknown as SplitSpacing<unknown>
  // React 18 passes a ref to a function component only this way; React 19 still supports it.
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
 * Renders an element with margin and padding above and below its content, by breakpoint. Needs the stylesheet
 * `sitewright/spacing.css` (with Tailwind 4, `sitewright/spacing.layer.css`), but no client JavaScript.
 *
 * @example <Spacing as="section" marginXs="base" marginLg="topLarge">…</Spacing>
 */
export const Spacing: SpacingComponent = /* @__PURE__ */ createSpacing(splitSpacing)
