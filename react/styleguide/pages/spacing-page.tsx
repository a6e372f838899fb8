import * as React from 'react'
import type { SpacingScale } from '../../../core/spacing/index.js'
import { type BreakpointDescription, describeSpacing, type SizeDescription } from '../../../core/spacing/internal.js'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { formatPixels } from '../../../core/styleguide/internal.js'
import { PageSection, Row, Table } from './page-section.js'
import { SpacingCascade, SpacingFigures } from './spacing-figure.js'

export interface SpacingPageProps {
  /** The site's own distances, as returned by a reader. Without `scale`, the page shows them alone. */
  spacing?: readonly DesignValue[] | undefined
  /**
   * The breakpoints and sizes of the site's spacing stylesheet. Default: the scale of `sitewright/spacing.css`, or no
   * scale if there is `spacing`.
   */
  scale?: SpacingScale<string, string> | undefined
}

/**
 * Shows the layout spacing: the scale as squares, the chosen size as margin and padding, how breakpoints override each
 * other, and every prop with its classes. Lengths are drawn with the custom properties and the window width of the
 * page. Uses no inline styles and no client JavaScript.
 *
 * @throws TypeError for an invalid name or length in the scale; the message names the option.
 * @example <SpacingPage scale={{ sizes: { tight: '0.5rem', loose: 'clamp(2rem, 6vw, 6rem)' } }} />
 */
export function SpacingPage({ spacing, scale }: SpacingPageProps): React.ReactElement {
  if (spacing && !scale) return <SpacingValues values={spacing} />
  const { sizes, breakpoints } = describeSpacing(scale)
  const ascending = [...sizes].sort((a, b) => minPixels(a.length) - minPixels(b.length))
  return (
    <>
      {spacing && <SpacingValues values={spacing} />}
      <PageSection title={spacing ? 'Layout scale' : 'Scale'}>
        <Scale values={ascending.map(scaleValue)} />
      </PageSection>
      <PageSection title="Sizes">
        <p className="sw-small">
          Margin is space outside an element, padding is space inside it. A size applies to top and bottom, or, prefixed
          with <code>top</code> or <code>bottom</code>, to one of them.
        </p>
        <fieldset className="sw-sizes" aria-label="Size">
          {ascending.map((size, index) => (
            <React.Fragment key={size.name}>
              <input
                className="sw-hidden"
                type="radio"
                name="sw-size"
                id={`sw-size-${size.name}`}
                defaultChecked={index === Math.floor(ascending.length / 2)}
              />
              <label className="sw-choice" htmlFor={`sw-size-${size.name}`}>
                {size.name}
              </label>
              <SpacingFigures size={size} prop={breakpoints[0]} length={lengthOf(size)} />
            </React.Fragment>
          ))}
        </fieldset>
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

/** Returns the length in the form of the spacing stylesheet, so that the page's custom properties apply. */
function lengthOf({ property, length }: SizeDescription): string {
  return `var(${property}, ${length})`
}

/** The values of the prop `spacing`. */
function SpacingValues({ values }: { values: readonly DesignValue[] }) {
  const withoutMode = values.filter(({ mode }) => mode === undefined)
  if (withoutMode.length === 0) return <p className="sw-empty">No spacing found</p>
  return (
    <PageSection title="Scale">
      <Scale values={withoutMode} />
    </PageSection>
  )
}

interface ScaleValue extends DesignValue {
  /** The custom property that may override the value on the page. */
  property?: string
}

/** Returns a size of the layout scale as a value to draw. */
export function scaleValue({ name, length, property }: SizeDescription): ScaleValue {
  return { name, value: length, property }
}

/** Distances as squares, from the shortest to the longest. */
export function Scale({ values }: { values: readonly ScaleValue[] }): React.ReactElement {
  return (
    <ul className="sw-rows sw-scale">
      {[...values]
        .sort((a, b) => minPixels(a.value) - minPixels(b.value))
        .map(({ name, value, property }) => (
          <Row key={name} name={name} value={value} code={property}>
            <svg
              className="sw-square"
              display="block"
              width="1em"
              height="1em"
              fontSize={property ? `var(${property}, ${value})` : value}
              aria-hidden="true"
            >
              <rect width="100%" height="100%" fill="var(--sw-accent)" />
            </svg>
          </Row>
        ))}
    </ul>
  )
}

function minPixels(length: string): number {
  return Number.parseFloat(formatPixels(length) ?? 'Infinity')
}

function ClassTable({ name, margin, padding, classes }: BreakpointDescription) {
  return (
    <details>
      <summary className="sw-small">
        {margin}, {padding}
      </summary>
      <Table
        label={`Classes of ${name}`}
        head={['Size', margin, padding]}
        rows={classes.map((row) => [row.size, row.margin, row.padding])}
      />
    </details>
  )
}
