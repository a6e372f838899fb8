import { optionError } from '../option-error.js'

/** A point of an image: fractions of its width and height, from the top left corner. */
export interface FocusPoint {
  x?: number | null | undefined
  y?: number | null | undefined
}

interface Size {
  width?: number | null | undefined
  height?: number | null | undefined
}

/** The fraction of the image that is cut off at each edge. */
export interface FocusCrop {
  top?: number | null | undefined
  bottom?: number | null | undefined
  left?: number | null | undefined
  right?: number | null | undefined
}

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
  | (Size & { focal_point_x: number | null | undefined; focal_point_y: number | null | undefined })

// Also with an underscore, as Contentful has it.
const names = /^(?:center|(top|bottom)|(?:(top|bottom)[-_])?(left|right))$/
const storyblok = /^(\d+)x(\d+):(\d+)x(\d+)$/
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
  const point = locate(focus, src)
  const { x, y } = point ?? {}
  if (x == null && y == null) return {}
  const tenths = [x, y].map((fraction) => Math.round((fraction ?? Number.NaN) * 10))
  if (tenths.every((tenth) => tenth >= 0 && tenth <= 10)) return { tenths: tenths.join(',') }
  return { problem: `focus: expected fractions from 0 to 1, got x ${x} and y ${y}` }
}

function locate(focus: Focus, src: string): FocusPoint | null | undefined {
  if (typeof focus === 'string') return locateText(focus, src)
  if (typeof focus !== 'object' || Array.isArray(focus)) throw optionError('focus', expected, focus)
  if ('hotspot' in focus && focus.hotspot) return focus.hotspot
  if ('hotspot' in focus || 'crop' in focus) return 'crop' in focus && focus.crop ? centerOf(focus.crop) : undefined
  if ('focalPoint' in focus) return inPixels(focus.focalPoint) ? divide(focus.focalPoint, focus) : focus.focalPoint
  if ('focal_point_x' in focus) return divide({ x: focus.focal_point_x, y: focus.focal_point_y }, focus)
  if ('left' in focus) return centerOf(focus)
  if ('x' in focus || 'y' in focus) return focus
  throw optionError('focus', expected, focus)
}

function locateText(text: string, src: string): FocusPoint | undefined {
  const rectangle = storyblok.exec(text)
  if (rectangle) {
    const [left = 0, top = 0, right = 0, bottom = 0] = rectangle.slice(1).map(Number)
    const [, width, height] = /\/f\/\d+\/(\d+)x(\d+)\//.exec(src) ?? []
    return divide({ x: (left + right) / 2, y: (top + bottom) / 2 }, { width: Number(width), height: Number(height) })
  }
  // Without a focus, the service looks for the most interesting part, such as a face.
  if (text === '' || text === 'face' || text === 'faces') return undefined
  const [name, vertical, corner = vertical, horizontal] = names.exec(text) ?? []
  if (name === undefined) throw optionError('focus', expected, text)
  return { x: fractionOf(horizontal), y: fractionOf(corner) }
}

function fractionOf(edge: string | undefined): number {
  if (edge === undefined) return 0.5
  return edge === 'top' || edge === 'left' ? 0 : 1
}

function inPixels(point: FocusPoint | null | undefined): boolean {
  return (point?.x ?? 0) > 1 || (point?.y ?? 0) > 1
}

function divide(pixels: FocusPoint | null | undefined, { width, height }: Size): FocusPoint | undefined {
  if (pixels?.x == null || pixels.y == null) return undefined
  return { x: pixels.x / (width ?? Number.NaN), y: pixels.y / (height ?? Number.NaN) }
}

function centerOf({ top, bottom, left, right }: FocusCrop): FocusPoint {
  return { x: ((left ?? 0) + 1 - (right ?? 0)) / 2, y: ((top ?? 0) + 1 - (bottom ?? 0)) / 2 }
}
