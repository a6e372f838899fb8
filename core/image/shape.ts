import { optionError } from '../option-error.js'

/** The ratios of width to height that are allowed by default. */
export const defaultRatios: readonly string[] = ['1:1', '4:3', '3:4', '3:2', '16:9', '9:16']

// Whole numbers without a leading zero, so that a ratio has one spelling.
const isRatio = (ratio: unknown) => typeof ratio === 'string' && /^[1-9]\d{0,3}:[1-9]\d{0,3}$/.test(ratio)
const expectedRatio = "whole numbers of width and height, such as ['16:9', '1:1']"

/**
 * Returns the ratios of an option, without duplicates.
 *
 * @throws TypeError for a ratio that is not written as width, colon and height.
 */
export function checkRatios(option: string, ratios: unknown): readonly string[] {
  if (Array.isArray(ratios) && ratios.every(isRatio)) return [...new Set(ratios)]
  const invalid = Array.isArray(ratios) ? ratios.find((ratio) => !isRatio(ratio)) : ratios
  throw optionError(option, expectedRatio, invalid)
}

/**
 * Returns the height that goes with a width, in whole pixels.
 *
 * @param ratio Width and height, such as `16:9`.
 * @throws TypeError for a ratio in another form.
 * @example heightOf(640, '16:9') // 360
 */
export function heightOf(width: number, ratio: string): number {
  if (!isRatio(ratio)) throw optionError('ratio', expectedRatio, ratio)
  const [horizontal, vertical] = ratio.split(':').map(Number) as [number, number]
  return Math.max(1, Math.round((width * vertical) / horizontal))
}

type Numbers<Name extends string> = { readonly [Each in Name]?: number | null | undefined }

/** A point of an image: fractions of its width and height, from the top left corner. */
export type FocusPoint = Numbers<'x' | 'y'>

/** The fraction of the image that is cut off at each edge. */
export type FocusCrop = Numbers<'top' | 'bottom' | 'left' | 'right'>

type OtherNumbers = Numbers<'width' | 'height' | 'focal_point_x' | 'focal_point_y'>

/** The fields that content management systems use. Each system has only some of them. */
export interface FocusFields extends FocusPoint, FocusCrop, OtherNumbers {
  readonly hotspot?: FocusPoint | null | undefined
  readonly crop?: FocusCrop | null | undefined
  readonly focalPoint?: FocusPoint | null | undefined
}

/**
 * The part of an image that a crop keeps in view, as content management systems return it:
 *
 * - a point, `{ x: 0.3, y: 0.7 }`, also Sanity's `hotspot`;
 * - Sanity's image field, or its `crop`, whose center is kept if there is no `hotspot`;
 * - Contentful's focus area (`'top_right'`) or the value of its Focal Point app (`{ focalPoint }`, in pixels, with the
 *   `width` and `height` of the image beside it);
 * - Storyblok's `focus`, `'866x404:867x405'`. It is in pixels; the size is read from Storyblok's URL of the image;
 * - WordPress' `{ focalPoint: { x: 0.3, y: 0.7 } }`;
 * - Directus' file with `focal_point_x`, `focal_point_y`, `width` and `height`;
 * - a name: `'center'`, `'top'`, `'bottom-left'` and so on.
 */
export type Focus = string | FocusFields

const expectedFocus = "a point such as { x: 0.3, y: 0.7 }, a name such as 'top-left', or the value of a CMS"

/**
 * A focus as the image URL contains it, in tenths such as `3,7`, or the problem with it. Empty if the image has no
 * focus.
 */
export type FocusResult = { tenths?: string | undefined; problem?: never } | { tenths?: never; problem: string }

/**
 * Converts a focus to tenths of width and height.
 *
 * @param src URL of the image, for Storyblok.
 * @throws TypeError for something that no content management system returns, such as an unknown name.
 * @example readFocus({ x: 0.31, y: 0.7 }, '/media/cat.jpg') // { tenths: '3,7' }
 */
export function readFocus(focus: Focus, src: string): FocusResult {
  const point = typeof focus === 'string' ? readText(focus, src) : readFields(focus)
  if (!point) throw optionError('focus', expectedFocus, focus)
  const { x, y } = point
  if (x == null && y == null) return {}
  const tenths = [x, y].map((fraction) => Math.round((fraction ?? Number.NaN) * 10))
  if (tenths.every((tenth) => tenth >= 0 && tenth <= 10)) return { tenths: tenths.join() }
  return { problem: `focus: expected fractions from 0 to 1, got x ${x} and y ${y}` }
}

const names = /^(?:center|(top|bottom)?\b-?\b(left|right)?)$/
const sides: Readonly<Record<string, number>> = { top: 0, left: 0, bottom: 1, right: 1 }

/** Reads a name, or Storyblok's rectangle in pixels, whose center it returns. */
function readText(text: string, src: string): FocusPoint | undefined {
  // Without a focus, the service looks for the most interesting part, such as a face.
  if (/^(?:faces?)?$/.test(text)) return {}
  // Contentful's names have an underscore.
  const [isName, vertical = '', horizontal = ''] = names.exec(text.replace('_', '-')) ?? []
  if (isName !== undefined) return { x: sides[horizontal] ?? 0.5, y: sides[vertical] ?? 0.5 }
  const corners = /^(\d+)x(\d+):(\d+)x(\d+)$/.exec(text)?.map(Number)
  const [, width, height] = /\/f\/\d+\/(\d+)x(\d+)\//.exec(src)?.map(Number) ?? []
  if (!corners) return undefined
  const [, left, top, right, bottom] = corners as [number, number, number, number, number]
  return { x: (left + right) / 2 / Number(width), y: (top + bottom) / 2 / Number(height) }
}

const fields = ['x', 'y', 'hotspot', 'crop', 'left', 'focalPoint', 'focal_point_x']

function readFields(focus: FocusFields): FocusPoint | undefined {
  if (typeof focus !== 'object' || !fields.some((name) => name in focus)) return undefined
  const { hotspot, crop, focalPoint, focal_point_x, focal_point_y, width, height } = focus
  const { left, right, top, bottom } = crop ?? focus
  if (hotspot) return hotspot
  if (left != null) return { x: (left + 1 - (right ?? 0)) / 2, y: ((top ?? 0) + 1 - (bottom ?? 0)) / 2 }
  const { x, y } = focalPoint ?? { x: focal_point_x, y: focal_point_y }
  if (x == null || y == null || (focalPoint && x <= 1 && y <= 1)) return focalPoint ?? focus
  return { x: x / Number(width), y: y / Number(height) } // in pixels
}
