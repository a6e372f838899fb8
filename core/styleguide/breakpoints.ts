import { toPixels } from './lengths.js'
import type { DesignValue } from './values.js'

/** The window widths from one breakpoint up to the next. */
export interface BreakpointRange {
  /** The breakpoint's name; `undefined` for the widths below the first breakpoint. */
  name: string | undefined
  /** Minimum width as written in the configuration. */
  value: string
  /** Minimum width in pixels, with 1rem = 16px. */
  pixels: number
  /** The next wider breakpoint; `undefined` for the widest. */
  next?: DesignValue | undefined
  /** Minimum width of the next breakpoint in pixels. */
  until?: number | undefined
}

/**
 * Returns the ranges of window widths between breakpoints, from narrow to wide. If no breakpoint starts at 0, an
 * unnamed range from 0 comes first. Breakpoints without a plain width, such as `calc()`, are in `withoutWidth`.
 *
 * @example breakpointRanges([{ name: 'md', value: '48rem' }]).ranges.map(({ pixels }) => pixels) // [0, 768]
 */
export function breakpointRanges(breakpoints: readonly DesignValue[]): {
  ranges: BreakpointRange[]
  withoutWidth: DesignValue[]
} {
  const widths: { breakpoint: DesignValue; pixels: number }[] = []
  const withoutWidth: DesignValue[] = []
  for (const breakpoint of breakpoints) {
    const pixels = widthOf(breakpoint.value)
    if (pixels === undefined || pixels < 0) withoutWidth.push(breakpoint)
    else widths.push({ breakpoint, pixels })
  }
  widths.sort((a, b) => a.pixels - b.pixels)
  const ranges: BreakpointRange[] = widths.map(({ breakpoint: { name, value }, pixels }, index) => ({
    name,
    value,
    pixels,
    next: widths[index + 1]?.breakpoint,
    until: widths[index + 1]?.pixels,
  }))
  const [first] = ranges
  if (first && first.pixels > 0) {
    ranges.unshift({ name: undefined, value: '0', pixels: 0, next: widths[0]?.breakpoint, until: first.pixels })
  }
  return { ranges, withoutWidth }
}

/** Returns pixels. In a media query, em and rem are the same: the font size that the visitor chose in the browser. */
function widthOf(value: string): number | undefined {
  return toPixels(value.replace(/(?<=[\d.])em$/i, 'rem'))
}

/** Sorts breakpoints by width, as Tailwind does, unless there is a width that only a browser can resolve. */
export function sortByWidth(breakpoints: readonly DesignValue[]): DesignValue[] {
  const sorted = [...breakpoints]
  if (sorted.some(({ value }) => widthOf(value) === undefined)) return sorted
  return sorted.sort((a, b) => (widthOf(a.value) ?? 0) - (widthOf(b.value) ?? 0))
}
