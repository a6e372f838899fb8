import { optionError } from '../option-error.js'

/**
 * The widths in pixels that are allowed by default: the image sizes and device sizes of Next.js, so that `next/image`
 * works without configuration, and 16, which Next.js had before version 16.
 */
export const defaultWidths: readonly number[] = [
  16, 32, 48, 64, 96, 128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840,
]

const expected = 'whole numbers >= 1, such as [640, 1080, 1920]'

/** Checks the option `widths`, as {@link sortWidths} does. */
export const checkWidths = (_: string, widths: unknown) => sortWidths(widths as readonly number[])

/**
 * Returns the widths in ascending order, without duplicates.
 *
 * @throws TypeError when there is none, or one is not a whole number >= 1.
 */
export function sortWidths(widths: readonly number[]): readonly number[] {
  if (!Array.isArray(widths)) throw optionError('widths', expected, widths)
  const invalid = widths.find((width) => !Number.isSafeInteger(width) || width < 1)
  if (widths.length === 0 || invalid !== undefined) {
    throw optionError('widths', expected, invalid ?? widths)
  }
  return [...new Set(widths)].sort((a, b) => a - b)
}
