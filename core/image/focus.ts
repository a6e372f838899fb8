import { optionError } from '../option-error.js'

type Numbers<Name extends string> = { readonly [Each in Name]?: number | null | undefined }

/** A point of an image: fractions of its width and height, from the top left corner. */
export type FocusPoint = Numbers<'x' | 'y'>

/** The fraction of the image that is cut off at each edge. */
export type FocusCrop = Numbers<'top' | 'bottom' | 'left' | 'right'>

type Size = Numbers<'width' | 'height'>

/**
 * The part of an image that a crop keeps in view, as content management systems have it:
 *
 * - a point, `{ x: 0.3, y: 0.7 }`, also Sanity's `hotspot`;
 * - Sanity's image field or its `crop`, of which the center is kept if there is no `hotspot`;
 * - Contentful's focus area (`'top_right'`) or the value of its Focal Point app (`{ focalPoint }`, in pixels, with the `width` and
 *   `height` of the image beside it);
 * - Storyblok's `focus`, `'866x404:867x405'`. It is in pixels; the size is read from Storyblok's URL of the image;
 * - WordPress' `{ focalPoint: { x: 0.3, y: 0.7 } }`;
 * - Directus' file with `focal_point_x`, `focal_point_y`, `width` and `height`;
 * - a name: `'center'`, `'top'`, `'bottom-left'` and so on.
 */
export type Focus =
  | string
  | FocusPoint
  | FocusCrop
  | { hotspot?: FocusPoint | null | undefined; crop?: FocusCrop | null | undefined }
  | (Size & { focalPoint: FocusPoint | null | undefined })
  | (Size & Required<Numbers<'focal_point_x' | 'focal_point_y'>>)

/** Names, in tenths. Without a focus, the service looks for the most interesting part, such as a face. */
const names = new Map([
  ['', undefined],
  ['face', undefined],
  ['faces', undefined],
  ['center', '5,5'],
  ['top', '5,0'],
  ['bottom', '5,10'],
  ['left', '0,5'],
  ['right', '10,5'],
  ['top-left', '0,0'],
  ['top-right', '10,0'],
  ['bottom-left', '0,10'],
  ['bottom-right', '10,10'],
])
const expected = "a point such as { x: 0.3, y: 0.7 }, a name such as 'top-left', or the value of a CMS"

/** A focus as the image URL has it, in tenths such as `3,7`; or why it has none. Neither if the image has no focus. */
export type FocusResult = { tenths?: string | undefined; problem?: never } | { tenths?: never; problem: string }

/**
 * Converts a focus to tenths of width and height.
 *
 * @param src URL of the image, for Storyblok.
 * @throws TypeError for something that no content management system returns, such as an unknown name.
 * @example readFocus({ x: 0.31, y: 0.7 }, '/media/cat.jpg') // { tenths: '3,7' }
 */
export function readFocus(focus: Focus, src: string): FocusResult {
  // Contentful's names have an underscore.
  const name = typeof focus === 'string' && focus.replace('_', '-')
  if (name !== false && names.has(name)) return { tenths: names.get(name) }
  const point = name === false ? locate(focus as Fields) : locateStoryblok(name, src)
  if (!point) throw optionError('focus', expected, focus)
  const { x, y } = point
  if (x == null && y == null) return {}
  const tenths = [x, y].map((fraction) => Math.round((fraction ?? Number.NaN) * 10))
  if (tenths.every((tenth) => tenth >= 0 && tenth <= 10)) return { tenths: tenths.join() }
  return { problem: `focus: expected fractions from 0 to 1, got x ${x} and y ${y}` }
}

/** The fields of all content management systems. */
type Fields = FocusPoint &
  FocusCrop &
  Size &
  Numbers<'focal_point_x' | 'focal_point_y'> & {
    hotspot?: FocusPoint | null
    crop?: FocusCrop | null
    focalPoint?: FocusPoint | null
  }
const fields = ['x', 'y', 'hotspot', 'crop', 'left', 'focalPoint', 'focal_point_x']

function locate(focus: Fields): FocusPoint | undefined {
  if (typeof focus !== 'object' || !fields.some((name) => name in focus)) return undefined
  const { hotspot, crop, focalPoint, focal_point_x, focal_point_y, width, height } = focus
  const { left, right, top, bottom } = crop ?? focus
  if (hotspot) return hotspot
  if (left != null) return { x: (left + 1 - (right ?? 0)) / 2, y: ((top ?? 0) + 1 - (bottom ?? 0)) / 2 }
  const { x, y } = focalPoint ?? { x: focal_point_x, y: focal_point_y }
  if (x == null || y == null || (focalPoint && x <= 1 && y <= 1)) return focalPoint ?? focus
  return { x: x / Number(width), y: y / Number(height) } // in pixels
}

/** Returns the center of a rectangle in pixels. */
function locateStoryblok(text: string, src: string): FocusPoint | undefined {
  const corners = /^(\d+)x(\d+):(\d+)x(\d+)$/.exec(text)?.map(Number)
  const [, width, height] = /\/f\/\d+\/(\d+)x(\d+)\//.exec(src)?.map(Number) ?? []
  if (!corners) return undefined
  const [, left, top, right, bottom] = corners as [number, number, number, number, number]
  return { x: (left + right) / 2 / Number(width), y: (top + bottom) / 2 / Number(height) }
}
