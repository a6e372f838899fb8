import type { DesignValue } from './design-value.js'
import { toPixels } from './pixels.js'

/** The widths of the window from one breakpoint to the next. */
export interface BreakpointRange {
  /** The breakpoint's; `undefined` for the windows below the first one. */
  name: string | undefined
  /** Its least width, as the configuration has it. */
  value: string
  /** Its least width in pixels, at 16 to the rem. */
  pixels: number
  /** The breakpoint that follows; `undefined` for the widest. */
  next?: DesignValue | undefined
  /** The least width of that one in pixels. */
  until?: number | undefined
}

/** Breakpoints in order, and those that are no width and have no place in it. */
export interface BreakpointRanges {
  ranges: readonly BreakpointRange[]
  others: readonly DesignValue[]
}

/**
 * The ranges of widths that breakpoints divide the windows into, from narrow to wide. A range of its own begins at 0 if
 * no breakpoint does.
 *
 * @example breakpointRanges([{ name: 'md', value: '48rem' }]).ranges.map(({ pixels }) => pixels) // [0, 768]
 */
export function breakpointRanges(breakpoints: readonly DesignValue[]): BreakpointRanges {
  const widths: { breakpoint: DesignValue; pixels: number }[] = []
  const others: DesignValue[] = []
  for (const breakpoint of breakpoints) {
    const pixels = widthOf(breakpoint.value)
    if (pixels === undefined || pixels < 0) others.push(breakpoint)
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
  return { ranges, others }
}

/** In a media query, an em is what a rem is: the font size that the visitor chose. */
function widthOf(value: string): number | undefined {
  return toPixels(value.replace(/(?<=[\d.])em$/i, 'rem'))
}
