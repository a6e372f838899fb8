import type * as React from 'react'
import {
  type ChartedBreakpoint,
  type ChartedSize,
  chartSpacing,
  type SpacingScale,
} from '../../../core/spacing/index.js'
import { formatPixels } from '../../../core/styleguide/index.js'
import { PageSection, Row, Scrollable } from './page-section.js'
import { SpacingCascade, SpacingFigures } from './spacing-figure.js'

export interface SpacingPageProps {
  /** Breakpoints and sizes, the same that the site's stylesheet was made of. Default: the toolkit's own. */
  scale?: SpacingScale<string, string> | undefined
}

/**
 * The layout spacing: its lengths as bars, what each size does to margin and padding, how breakpoints override each
 * other, and every prop with its classes. Lengths are drawn as the page has them: its custom properties, its window. No
 * inline style and no client JavaScript.
 *
 * @throws TypeError that names the option when a name or length of the scale is none.
 * @example <SpacingPage scale={{ sizes: { tight: '0.5rem', loose: 'clamp(2rem, 6vw, 6rem)' } }} />
 */
export function SpacingPage({ scale }: SpacingPageProps): React.ReactElement {
  const { sizes, breakpoints } = chartSpacing(scale)
  const rising = [...sizes].sort((a, b) => leastPixels(a) - leastPixels(b))
  return (
    <>
      <PageSection title="Scale">
        <ul className="sw-rows">
          {rising.map((size) => (
            <Row key={size.name} name={size.name} value={size.length} more={size.property}>
              <svg display="block" width="1em" height="16" fontSize={lengthOf(size)} aria-hidden="true">
                <rect width="100%" height="100%" rx="2" fill="var(--sw-accent)" />
              </svg>
            </Row>
          ))}
        </ul>
      </PageSection>
      <PageSection title="Sizes">
        <p className="sw-small">
          Margin is room outside of an element, padding is room within. A size holds on both sides of the vertical axis,
          or, with <code>top</code> or <code>bottom</code> in front, on one.
        </p>
        {rising.map((size) => (
          <SpacingFigures key={size.name} size={size} prop={breakpoints[0]} length={lengthOf(size)} />
        ))}
      </PageSection>
      <SpacingCascade sizes={rising} breakpoints={breakpoints} lengthOf={lengthOf} />
      <PageSection title="Props and classes">
        <ul className="sw-rows">
          {breakpoints.map((breakpoint) => (
            <Row
              key={breakpoint.name}
              name={breakpoint.name}
              value={breakpoint.width}
              note={breakpoint.width === '0' ? 'every window' : undefined}
            >
              <ClassTable {...breakpoint} />
            </Row>
          ))}
        </ul>
      </PageSection>
    </>
  )
}

/** As the stylesheet has it, so that what the page sets is what is drawn. */
function lengthOf({ property, length }: ChartedSize): string {
  return `var(${property}, ${length})`
}

function leastPixels({ length }: ChartedSize): number {
  return Number.parseFloat(formatPixels(length) ?? 'Infinity')
}

function ClassTable({ name, margin, padding, classes }: ChartedBreakpoint) {
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
