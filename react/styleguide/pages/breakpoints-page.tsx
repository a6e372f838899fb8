import type * as React from 'react'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { type BreakpointRange, breakpointRanges } from '../../../core/styleguide/internal.js'
import { ValueList } from './value-list.js'

export interface BreakpointsPageProps {
  /** The breakpoints as returned by a reader: name and minimum window width. */
  breakpoints: readonly DesignValue[]
}

/**
 * Shows the breakpoints' ranges of window widths as a strip, to scale, and lists the breakpoints from narrow to wide.
 * The current breakpoint is marked in the strip, without JavaScript. Shows `No breakpoints found` for an empty list.
 *
 * @example <BreakpointsPage breakpoints={[{ name: 'md', value: '48rem' }, { name: 'lg', value: '64rem' }]} />
 */
export function BreakpointsPage({ breakpoints }: BreakpointsPageProps): React.ReactElement {
  if (breakpoints.length === 0) return <p className="sw-empty">No breakpoints found</p>
  const { ranges, withoutWidth } = breakpointRanges(breakpoints)
  return (
    <>
      {ranges.length > 0 && <p className="sw-deck">Filled: the window now.</p>}
      <BreakpointStrip breakpoints={breakpoints} />
      <ValueList
        form="sw-bars"
        values={ranges.map((range) => ({ ...range, name: nameOf(range) }))}
        note={({ value }) => value}
      >
        {({ pixels, until }) => (until === undefined ? `from ${pixels} px` : `${pixels}–${Math.ceil(until) - 1} px`)}
      </ValueList>
      <ValueList form="sw-bars" values={withoutWidth} note={({ value }) => value}>
        {() => 'Not a plain width'}
      </ValueList>
    </>
  )
}

/** The ranges of window widths, to scale. Renders nothing for breakpoints without a plain width. */
export function BreakpointStrip({ breakpoints }: BreakpointsPageProps) {
  const { ranges } = breakpointRanges(breakpoints)
  if (ranges.length === 0) return null
  // The widest range is open-ended, so the strip leaves some space after its start.
  const end = (ranges.at(-1)?.pixels || 1) * 1.2
  const percent = (width: number) => `${Math.round((width / end) * 1e4) / 100}%`
  return (
    <svg className="sw-range" width="100%" height="168" direction="ltr" {...browserFont} aria-hidden="true">
      {ranges.map(({ pixels, until = end, value, next, name }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
        <svg key={index} x={percent(pixels)} width={percent(until - pixels)} aria-hidden="true">
          {/* Both are drawn in em, so the second drawing is invisible if its font size is 0. */}
          {(['0.75em', currentFontSize(value, next?.value)] as const).map((fontSize, isCurrent) => (
            <g key={fontSize} fontSize={fontSize} fontFamily="var(--sw-sans)">
              <rect
                fill="var(--sw-accent)"
                fillOpacity={isCurrent || 0.1 + (0.4 * index) / ranges.length}
                width="100%"
                height="20em"
              />
              <text fill={isCurrent ? 'var(--sw-bg)' : 'var(--sw-text)'} transform="rotate(-90)" x="-13em" y="1.7em">
                <tspan fontWeight="650">{nameOf({ name, next })}</tspan> {value}
              </text>
            </g>
          ))}
        </svg>
      ))}
    </svg>
  )
}

/** Returns the name of a range; for the widths below the first breakpoint, such as `below sm`. */
function nameOf({ name, next }: Pick<BreakpointRange, 'name' | 'next'>): string {
  return name ?? `below ${next?.name}`
}

// The font size that the visitor chose in the browser: 1em and 1rem in media queries, whatever the page's font size.
const browserFont = { fontSize: 'medium', fontFamily: 'sans-serif' }

/**
 * Returns a font size, relative to `browserFont`, that is 0.75em in this breakpoint's range and 0 outside the range. It
 * shows or hides a drawing in em without JavaScript. Outside the range, one of the bounds is far below 0; inside, the
 * bounds are far above 0.75em.
 */
function currentFontSize(value: string, next: string | undefined): string {
  const bounds = [`(100vw - ${toEm(value)} + 0.01px) * 9999`]
  if (next !== undefined) bounds.push(`(${toEm(next)} - 100vw - 0.01px) * 9999`)
  return `clamp(0px, min(${bounds.join(', ')}), 0.75em)`
}

/** Converts rem to em: within `browserFont`, 1em is the browser's font size. */
function toEm(value: string): string {
  return value === '0' ? '0px' : value.replace(/r?em$/i, 'em')
}
