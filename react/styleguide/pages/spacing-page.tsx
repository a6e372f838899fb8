import type * as React from 'react'
import type { SpacingScale } from '../../../core/spacing/index.js'
import { type BreakpointDescription, describeSpacing, type SizeDescription } from '../../../core/spacing/internal.js'
import { formatPixels } from '../../../core/styleguide/internal.js'
import { PageSection, Row, Scrollable } from './page-section.js'
import { SpacingCascade, SpacingFigures } from './spacing-figure.js'

export interface SpacingPageProps {
  /**
   * The same breakpoints and sizes as in the site's spacing stylesheet. Default: the scale of `sitewright/spacing.css`.
   */
  scale?: SpacingScale<string, string> | undefined
}

/**
 * Shows the layout spacing: the scale as bars, each size as margin and padding, how breakpoints override each other,
 * and every prop with its classes. Lengths are drawn as they apply on the page, with its custom properties and window
 * width. Uses no inline styles and no client JavaScript.
 *
 * @throws TypeError that names the option for an invalid name or length in the scale.
 * @example <SpacingPage scale={{ sizes: { tight: '0.5rem', loose: 'clamp(2rem, 6vw, 6rem)' } }} />
 */
export function SpacingPage({ scale }: SpacingPageProps): React.ReactElement {
  const { sizes, breakpoints } = describeSpacing(scale)
  const ascending = [...sizes].sort((a, b) => minPixels(a) - minPixels(b))
  return (
    <>
      <PageSection title="Scale">
        <ul className="sw-rows">
          {ascending.map((size) => (
            <Row key={size.name} name={size.name} value={size.length} code={size.property}>
              <svg display="block" width="1em" height="16" fontSize={lengthOf(size)} aria-hidden="true">
                <rect width="100%" height="100%" rx="2" fill="var(--sw-accent)" />
              </svg>
            </Row>
          ))}
        </ul>
      </PageSection>
      <PageSection title="Sizes">
        <p className="sw-small">
          Margin is space outside an element, padding is space inside it. A size applies to top and bottom, or, prefixed
          with <code>top</code> or <code>bottom</code>, to one of them.
        </p>
        {ascending.map((size) => (
          <SpacingFigures key={size.name} size={size} prop={breakpoints[0]} length={lengthOf(size)} />
        ))}
      </PageSection>
      <SpacingCascade sizes={ascending} breakpoints={breakpoints} lengthOf={lengthOf} />
      <PageSection title="Props and classes">
        <ul className="sw-rows">
          {breakpoints.map((breakpoint) => (
            <Row
              key={breakpoint.name}
              name={breakpoint.name}
              value={breakpoint.width}
              note={breakpoint.width === '0' ? 'all widths' : undefined}
            >
              <ClassTable {...breakpoint} />
            </Row>
          ))}
        </ul>
      </PageSection>
    </>
  )
}

/** Returns the length as in the spacing stylesheet, so that the page's custom properties apply. */
function lengthOf({ property, length }: SizeDescription): string {
  return `var(${property}, ${length})`
}

function minPixels({ length }: SizeDescription): number {
  return Number.parseFloat(formatPixels(length) ?? 'Infinity')
}

function ClassTable({ name, margin, padding, classes }: BreakpointDescription) {
  return (
    <details>
      <summary className="sw-small">
        {margin}, {padding}
      </summary>
      <Scrollable label={`Classes of ${name}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Size</th>
              <th scope="col">{margin}</th>
              <th scope="col">{padding}</th>
            </tr>
          </thead>
          <tbody>
            {classes.map((row) => (
              <tr key={row.size}>
                <th scope="row">{row.size}</th>
                <td>{row.margin}</td>
                <td>{row.padding}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    </details>
  )
}
