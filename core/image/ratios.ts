import { optionError } from '../option-error.js'

/** The ratios of width to height that are allowed by default. */
export const defaultRatios: readonly string[] = ['1:1', '4:3', '3:4', '3:2', '16:9', '9:16']

// Whole numbers without a leading zero, so that a ratio has one spelling.
const isRatio = (ratio: unknown) => typeof ratio === 'string' && /^[1-9]\d{0,3}:[1-9]\d{0,3}$/.test(ratio)
const expected = "whole numbers of width and height, such as ['16:9', '1:1']"

/**
 * Returns the ratios of an option, without duplicates.
 *
 * @throws TypeError for a ratio that is not written as width, colon and height.
 */
export function checkRatios(option: string, ratios: unknown): readonly string[] {
  if (Array.isArray(ratios) && ratios.every(isRatio)) return [...new Set(ratios)]
  const invalid = Array.isArray(ratios) ? ratios.find((ratio) => !isRatio(ratio)) : ratios
  throw optionError(option, expected, invalid)
}

/**
 * Returns the height that goes with a width, in whole pixels.
 *
 * @param ratio Width and height, such as `16:9`.
 * @throws TypeError for a ratio that is not written so.
 * @example heightOf(640, '16:9') // 360
 */
export function heightOf(width: number, ratio: string): number {
  if (!isRatio(ratio)) throw optionError('ratio', expected, ratio)
  const [horizontal, vertical] = ratio.split(':').map(Number) as [number, number]
  return Math.max(1, Math.round((width * vertical) / horizontal))
}
