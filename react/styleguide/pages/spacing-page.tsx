import type * as React from 'react'
import type { SpacingScale } from '../../../core/spacing/index.js'
import { describeSpacing, type SizeDescription } from '../../../core/spacing/internal.js'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { formatPixels, pixelsAt } from '../../../core/styleguide/internal.js'
import { Copy, PageSection, Row, TableSection } from './page-section.js'

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
 * Shows the layout spacing: the scale as squares, or a long one as bars, and tables of the props for each size and each
 * breakpoint. Lengths are drawn with the custom properties and the window width of the page. Uses no inline styles and
 * no client JavaScript.
 *
 * @throws TypeError for an invalid name or length in the scale; the message names the option.
 * @example <SpacingPage scale={{ sizes: { tight: '0.5rem', loose: 'clamp(2rem, 6vw, 6rem)' } }} />
 */
export function SpacingPage({ spacing, scale }: SpacingPageProps): React.ReactElement {
  if (spacing && !scale) return <SpacingValues values={spacing} />
  const { sizes, breakpoints } = describeSpacing(scale)
  const ascending = [...sizes].sort((a, b) => minPixels(a.length) - minPixels(b.length))
  const [{ margin } = { margin: '' }] = breakpoints
  const code = (text: string) => <code>{text}</code>
  return (
    <>
      {spacing && <SpacingValues values={spacing} />}
      <PageSection title={spacing ? 'Layout scale' : 'Scale'}>
        <Scale values={ascending.map(scaleValue)} />
      </PageSection>
      <TableSection
        title="Sizes"
        className="sw-props"
        head={['Top and bottom', 'Top', 'Bottom']}
        rows={ascending.map(({ name, top, bottom }) => [name, top, bottom].map((size) => code(`${margin}="${size}"`)))}
      />
      <TableSection
        title="Breakpoints"
        className="sw-props"
        head={['From', 'Outside of the element', 'Inside']}
        rows={breakpoints.map(({ width, margin, padding }) => [
          width === '0' ? 'all widths' : `${width}, ${formatPixels(width)}`,
          ...[margin, padding].map(code),
        ])}
      />
      <p className="sw-small">A prop applies from its breakpoint up, until a wider one overrides the same side.</p>
    </>
  )
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

// Up to `fewValues` lengths of up to `longest` pixels are squares in their true size; others are bars.
const [fewValues, longest] = [12, 200]

/** Distances as squares or bars in their true size, from the shortest to the longest. */
export function Scale({ values }: { values: readonly ScaleValue[] }): React.ReactElement {
  const sorted = [...values].sort((a, b) => minPixels(a.value) - minPixels(b.value))
  const isFew = values.length <= fewValues && values.every(({ value }) => (pixelsAt(value, 1280) ?? 0) <= longest)
  if (!isFew) return <Bars values={sorted} />
  return (
    <ul className="sw-rows sw-scale">
      {sorted.map(({ name, value, property, source }) => (
        <Row key={name} name={name} value={value} code={property ?? (source?.property && `var(${source.property})`)}>
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

/**
 * Lengths as bars. A bar is torn where it is longer than its place, hollow for a negative length, and lighter from the
 * pixels at a window width of 390 to those at 1280.
 */
function Bars({ values }: { values: readonly ScaleValue[] }) {
  return (
    <ul className="sw-bars">
      {values.map(({ name, value, source }) => {
        const [narrow, wide] = [390, 1280].map((width) => pixelsAt(value, width))
        // A `ch` is about half as wide as a line of text is high.
        const drawn = wide ?? (value.endsWith('ch') ? Number.parseFloat(value) * 8 : 0)
        const isNegative = value.startsWith('-')
        const isKnown = narrow !== undefined && wide !== undefined
        const pixels = isKnown && (narrow === wide ? `${round(wide)} px` : `${round(narrow)} → ${round(wide)} px`)
        return (
          <li key={name}>
            <strong>{name}</strong>
            <span>{pixels || value}</span>
            <svg
              className={drawn > longest ? 'sw-torn' : undefined}
              width={wide === undefined ? value.replace(/^-/, '') : Math.abs(wide)}
              height="12"
              fill={isNegative ? 'none' : 'var(--sw-accent)'}
              stroke={isNegative ? 'var(--sw-accent)' : undefined}
              strokeWidth="2"
              aria-hidden="true"
            >
              <rect width="100%" height="100%" fillOpacity={narrow === wide ? 1 : 0.4} />
              {narrow !== wide && <rect width={narrow} height="100%" />}
            </svg>
            <Copy text={source?.property ? `var(${source.property})` : value} />
          </li>
        )
      })}
    </ul>
  )
}

const round = (pixels: number) => Math.round(pixels * 10) / 10

function minPixels(length: string): number {
  return Number.parseFloat(formatPixels(length) ?? 'Infinity')
}
