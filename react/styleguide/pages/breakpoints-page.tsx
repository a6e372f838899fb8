import type * as React from 'react'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { type BreakpointRange, breakpointRanges } from '../../../core/styleguide/internal.js'
import { Row } from './page-section.js'

export interface BreakpointsPageProps {
  /** The breakpoints as returned by a reader: name and minimum window width. */
  breakpoints: readonly DesignValue[]
}

/**
 * Shows the breakpoints from narrow to wide, each as a bar over its range of window widths. The current one is marked
 * without JavaScript; the styleguide's script also exposes it to screen readers. Shows `No breakpoints found` for an
 * empty list.
 *
 * @example <BreakpointsPage breakpoints={[{ name: 'md', value: '48rem' }, { name: 'lg', value: '64rem' }]} />
 */
export function BreakpointsPage({ breakpoints }: BreakpointsPageProps): React.ReactElement {
  if (breakpoints.length === 0) return <p className="sw-empty">No breakpoints found</p>
  const { ranges, others } = breakpointRanges(breakpoints)
  // The widest range is open-ended, so the scale leaves some space after its start.
  const end = (ranges.at(-1)?.pixels || 1) * 1.2
  return (
    <ul className="sw-rows">
      {ranges.map((range, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
        <RangeRow key={index} range={range} end={end} />
      ))}
      {others.map((other, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
        <Row key={index} {...other} note="Not a plain width" />
      ))}
    </ul>
  )
}

function RangeRow({ range, end }: { range: BreakpointRange; end: number }) {
  const { name = `below ${range.next?.name}`, value, pixels, next, until } = range
  const percent = (width: number) => `${Math.round((width / end) * 1e4) / 100}%`
  const bar = { x: percent(pixels), width: percent((until ?? end) - pixels) }
  const fontSize = currentFontSize(value, next?.value)
  return (
    <Row
      name={name}
      value={value}
      note={until === undefined ? `from ${pixels} px` : `${pixels}–${Math.ceil(until) - 1} px`}
      mark={
        <>
          <Badge fontSize={fontSize} />
          <span className="sw-hidden" data-sw-media={`(min-width: ${value})`} hidden>
            current
          </span>
        </>
      }
    >
      <svg display="block" width="100%" height="12" {...browserFont} aria-hidden="true">
        <rect fill="var(--sw-line)" width="100%" height="2" y="5" />
        <rect fill="var(--sw-bg)" {...bar} height="12" />
        <rect fill="var(--sw-muted)" fillOpacity="0.4" {...bar} height="12" rx="2" />
        <rect fill="var(--sw-accent)" {...bar} height="1em" rx="2" fontSize={fontSize} />
      </svg>
    </Row>
  )
}

/** Marks the current breakpoint. For the other breakpoints, it is invisible but still takes up its space. */
function Badge({ fontSize }: { fontSize: string }) {
  return (
    <svg width="4em" height="1em" overflow="visible" {...browserFont} aria-hidden="true">
      <g fontSize={fontSize}>
        <rect fill="var(--sw-accent)" y="0.2em" width="4.75em" height="1.5em" rx="0.75em" />
        <text fill="var(--sw-bg)" x="0.6em" y="1.28em">
          current
        </text>
      </g>
    </svg>
  )
}

// The font size chosen in the visitor's browser. It is 1em and 1rem in media queries, even on a page with another font size.
const browserFont = { fontSize: 'medium', fontFamily: 'sans-serif' }

/**
 * Returns a font size, relative to `browserFont`, that is 0.75em in this breakpoint's range and 0 outside it. A drawing in
 * em is therefore shown or hidden without JavaScript. Outside the range, one of the bounds is far below 0; inside, the
 * bounds are far above 0.75em.
 */
function currentFontSize(value: string, next: string | undefined): string {
  const bounds = [`(100vw - ${toEm(value)} + 0.01px) * 9999`]
  if (next !== undefined) bounds.push(`(${toEm(next)} - 100vw - 0.01px) * 9999`)
  return `clamp(0px, min(${bounds.join(', ')}), 0.75em)`
}

/** Converts rem to em, which is the browser's font size within `browserFont`. */
function toEm(value: string): string {
  return value === '0' ? '0px' : value.replace(/r?em$/i, 'em')
}
