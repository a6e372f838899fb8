import type * as React from 'react'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { type BreakpointRange, breakpointRanges } from '../../../core/styleguide/internal.js'
import { ValueList } from './value-list.js'

export interface BreakpointsPageProps {
  /** The breakpoints as returned by a reader: name and minimum window width. */
  breakpoints: readonly DesignValue[]
}

/**
 * Shows the breakpoint of this window, without JavaScript, and lists the breakpoints from narrow to wide, each with its
 * range of window widths, to scale. Shows `No breakpoints found` for an empty list.
 *
 * @example <BreakpointsPage breakpoints={[{ name: 'md', value: '48rem' }, { name: 'lg', value: '64rem' }]} />
 */
export function BreakpointsPage({ breakpoints }: BreakpointsPageProps): React.ReactElement {
  if (breakpoints.length === 0) return <p className="sw-empty">No breakpoints found</p>
  const { ranges, withoutWidth } = breakpointRanges(breakpoints)
  const named = ranges.map((range) => ({ ...range, name: nameOf(range) }))
  return (
    <>
      {ranges.length > 0 && <p className="sw-deck">The breakpoint of this window:</p>}
      {ranges.length > 0 && (
        <svg width="100%" height="3.5em" fill="var(--sw-accent)" fontWeight="650" {...browserFont} aria-hidden="true">
          {named.map((range, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: widths may repeat
            <text key={index} y="1em" fontFamily="var(--sw-heading)" fontSize={currentFontSize(range)}>
              {range.name}
              <tspan dx="0.5em" fontSize="0.5em">
                {widthsOf(range)}
              </tspan>
            </text>
          ))}
        </svg>
      )}
      <ValueList
        form="sw-lines"
        values={[...named, ...withoutWidth]}
        note={(value) => ('pixels' in value ? widthsOf(value) : 'Not a plain width')}
      >
        {(value) => 'pixels' in value && <Bar range={value} ranges={ranges} height="32" />}
      </ValueList>
    </>
  )
}

/** The ranges of window widths, to scale. Renders nothing for breakpoints without a plain width. */
export function BreakpointStrip({ breakpoints }: BreakpointsPageProps) {
  const { ranges } = breakpointRanges(breakpoints)
  if (ranges.length === 0) return null
  return (
    <svg className="sw-drawing" aria-hidden="true">
      {ranges.map((range, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: widths may repeat
        <Bar key={index} range={range} ranges={ranges} height="100%" />
      ))}
    </svg>
  )
}

/** A range at its place among all window widths, filled if it is that of this window. */
function Bar({ range, ranges, height }: { range: BreakpointRange; ranges: BreakpointRange[]; height: string }) {
  // The widest range is open-ended, so the drawing leaves some space after its start.
  const end = (ranges.at(-1)?.pixels || 1) * 1.2
  const percent = (width: number) => `${Math.round((width / end) * 1e4) / 100}%`
  const place = { x: percent(range.pixels), width: percent((range.until ?? end) - range.pixels) }
  return (
    <svg width="100%" height={height} direction="ltr" fill="var(--sw-accent)" {...browserFont} aria-hidden="true">
      <rect {...place} height="100%" fillOpacity={0.15 + (0.3 * range.pixels) / end} />
      {/* Its height is in em, so it is invisible if its font size is 0. */}
      <rect {...place} height="99em" fontSize={currentFontSize(range)} />
    </svg>
  )
}

/** Returns the name of a range; for the widths below the first breakpoint, such as `below sm`. */
function nameOf({ name, next }: Pick<BreakpointRange, 'name' | 'next'>): string {
  return name ?? `below ${next?.name}`
}

/** Describes the window widths of a range: `'640–767 px'`, or `'1024 px and up'`. */
function widthsOf({ pixels, until }: BreakpointRange): string {
  return until === undefined ? `${pixels}\u00a0px and up` : `${pixels}–${Math.ceil(until) - 1}\u00a0px`
}

// The font size that the visitor chose in the browser: 1em and 1rem in media queries, whatever the page's font size.
const browserFont = { fontSize: 'medium', fontFamily: 'sans-serif' }

/**
 * Returns a font size, relative to `browserFont`, that is 2.25em in the range and 0 outside the range. It shows or hides
 * a drawing in em without JavaScript. Outside the range, one of the bounds is far below 0; inside, the bounds are far
 * above 2.25em.
 */
function currentFontSize({ value, next }: BreakpointRange): string {
  const bounds = [`(100vw - ${toEm(value)} + 0.01px) * 9999`]
  if (next) bounds.push(`(${toEm(next.value)} - 100vw - 0.01px) * 9999`)
  return `clamp(0px, min(${bounds.join(', ')}), 2.25em)`
}

/** Converts rem to em: within `browserFont`, 1em is the browser's font size. */
function toEm(value: string): string {
  return value === '0' ? '0px' : value.replace(/r?em$/i, 'em')
}
