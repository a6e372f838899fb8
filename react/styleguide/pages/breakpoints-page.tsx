import type * as React from 'react'
import { type BreakpointRange, breakpointRanges, type DesignValue } from '../../../core/styleguide/index.js'
import { Row } from './page-section.js'

export interface BreakpointsPageProps {
  /** The breakpoints, as a reader gave them: name and least width of the window. */
  breakpoints: readonly DesignValue[]
}

/**
 * The breakpoints from narrow to wide, each as a bar over the windows that it is for. The one that holds in this window
 * is marked, by lengths that depend on the window alone; `markBreakpoints` in the client script also has it spoken.
 * `No breakpoints found` when there are none.
 *
 * @example <BreakpointsPage breakpoints={[{ name: 'md', value: '48rem' }, { name: 'lg', value: '64rem' }]} />
 */
export function BreakpointsPage({ breakpoints }: BreakpointsPageProps): React.ReactElement {
  if (breakpoints.length === 0) return <p className="sw-empty">No breakpoints found</p>
  const { ranges, others } = breakpointRanges(breakpoints)
  // The widest has no end; some room shows that it goes on.
  const end = (ranges.at(-1)?.pixels || 1) * 1.2
  return (
    <ul className="sw-rows">
      {ranges.map((range, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may come twice
        <RangeRow key={index} range={range} end={end} />
      ))}
      {others.map((other, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may come twice
        <Row key={index} {...other} note="No plain width" />
      ))}
    </ul>
  )
}

function RangeRow({ range, end }: { range: BreakpointRange; end: number }) {
  const { name = `below ${range.next?.name}`, value, pixels, next, until } = range
  const percent = (width: number) => `${Math.round((width / end) * 1e4) / 100}%`
  const bar = { x: percent(pixels), width: percent((until ?? end) - pixels) }
  const flag = currentLength(value, next?.value)
  return (
    <Row
      name={name}
      value={value}
      note={until === undefined ? `from ${pixels} px` : `${pixels}–${Math.ceil(until) - 1} px`}
      mark={
        <>
          <Badge flag={flag} />
          <span className="sw-hidden" data-sw-media={`(min-width: ${value})`} hidden>
            current
          </span>
        </>
      }
    >
      <svg display="block" width="100%" height="12" {...own} aria-hidden="true">
        <rect fill="var(--sw-line)" width="100%" height="2" y="5" />
        <rect fill="var(--sw-bg)" {...bar} height="12" />
        <rect fill="var(--sw-muted)" fillOpacity="0.4" {...bar} height="12" rx="2" />
        <rect fill="var(--sw-accent)" {...bar} height="1em" rx="2" fontSize={flag} />
      </svg>
    </Row>
  )
}

/** What tells of the current breakpoint to the eye; its place is kept where it does not show. */
function Badge({ flag }: { flag: string }) {
  return (
    <svg width="4em" height="1em" overflow="visible" {...own} aria-hidden="true">
      <g fontSize={flag}>
        <rect fill="var(--sw-accent)" y="0.2em" width="4.75em" height="1.5em" rx="0.75em" />
        <text fill="var(--sw-bg)" x="0.6em" y="1.28em">
          current
        </text>
      </g>
    </svg>
  )
}

// In a media query, em and rem are the font size that the visitor chose, whatever the page's own: this one.
const own = { fontSize: 'medium', fontFamily: 'sans-serif' }

/**
 * A font size within `own`: 0, but 0.75em while this breakpoint holds and the next does not. So what is drawn in em is
 * there or not, without JavaScript. Each bound is a length far below the one or far above the other, but at its very edge.
 */
function currentLength(value: string, next: string | undefined): string {
  const bounds = [`(100vw - ${ownLength(value)} + 0.01px) * 9999`]
  if (next !== undefined) bounds.push(`(${ownLength(next)} - 100vw - 0.01px) * 9999`)
  return `clamp(0px, min(${bounds.join(', ')}), 0.75em)`
}

function ownLength(value: string): string {
  return value === '0' ? '0px' : value.replace(/r?em$/i, 'em')
}
