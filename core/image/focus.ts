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

// Also with an underscore, as Contentful has it.
const names = /^(?:center|(top|bottom)|(?:(top|bottom)[-_])?(left|right))$/
const storyblok = /^\d+x\d+:\d+x\d+$/
const expected = "a point such as { x: 0.3, y: 0.7 }, a name such as 'top-left', or the value of a CMS"

/** A focus as the image URL has it, in tenths such as `3,7`; or why it has none. Neither if the image has no focus. */
export type FocusResult = { tenths?: string; problem?: never } | { tenths?: never; problem: string }

/**
 * Converts a focus to tenths of width and height.
 *
 * @param src URL of the image, for Storyblok.
 * @throws TypeError for something that no content management system returns, such as an unknown name.
 * @example readFocus({ x: 0.31, y: 0.7 }, '/media/cat.jpg') // { tenths: '3,7' }
 */
export function readFocus(focus: Focus, src: string): FocusResult {
  const { x, y } = typeof focus === 'string' ? locateText(focus, src) : locate(focus as Fields)
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

function locate(focus: Fields): FocusPoint {
  if (typeof focus !== 'object' || !fields.some((name) => name in focus)) throw optionError('focus', expected, focus)
  const { hotspot, crop = focus, focalPoint, focal_point_x, focal_point_y } = focus
  if (hotspot) return hotspot
  if (crop?.left !== undefined) return centerOf(crop)
  const { x, y } = focalPoint ?? { x: focal_point_x, y: focal_point_y }
  if (x == null || y == null || (focalPoint && x <= 1 && y <= 1)) return focalPoint ?? focus
  return { x: x / Number(focus.width), y: y / Number(focus.height) } // in pixels
}

/** Reads the focus of Storyblok (a rectangle in pixels) and of Contentful (`top_right`), and names. */
function locateText(text: string, src: string): FocusPoint {
  if (storyblok.test(text)) {
    const [left = 0, top = 0, right = 0, bottom = 0] = text.split(/[x:]/).map(Number)
    const [, width, height] = /\/f\/\d+\/(\d+)x(\d+)\//.exec(src) ?? []
    return { x: (left + right) / 2 / Number(width), y: (top + bottom) / 2 / Number(height) }
  }
  // Without a focus, the service looks for the most interesting part, such as a face.
  if (/^(?:faces?)?$/.test(text)) return {}
  const [name, vertical, corner = vertical, horizontal] = names.exec(text) ?? []
  if (name === undefined) throw optionError('focus', expected, text)
  return { x: fractionOf(horizontal), y: fractionOf(corner) }
}

function fractionOf(edge: string | undefined): number {
  if (edge === undefined) return 0.5
  return edge === 'top' || edge === 'left' ? 0 : 1
}

function centerOf({ top, bottom, left, right }: FocusCrop): FocusPoint {
  return { x: ((left ?? 0) + 1 - (right ?? 0)) / 2, y: ((top ?? 0) + 1 - (bottom ?? 0)) / 2 }
}
