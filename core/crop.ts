/** A point of an image, as shares of its width and height. */
interface Point {
  x: number
  y: number
}

interface Size {
  /** In pixels. */
  width: number
  height: number
}

/** The size of a social card. Networks recommend it (https://developers.facebook.com/docs/sharing/webmasters/images). */
export const cardSize = { width: 1200, height: 630 }

/** How an image is cropped: scaled first, then cut. */
export interface Crop extends Size {
  /** The size of the whole image after scaling. */
  scaled: Size
}

/**
 * Returns the sizes of a crop, as imgproxy calculates them (processing/prepare.go). The image is scaled until it just
 * covers the box, but not enlarged. If the image is smaller than the box, the largest part with the ratio of the box is kept
 * (imgproxy's `fill-down`). Without `gravity`, the image is scaled to fit into the box, and nothing is cut.
 *
 * @param original The size after rotation by the EXIF orientation.
 * @example cropOf({ width: 200, height: 100 }, { width: 300, height: 300, gravity: 'attention' })
 * // { scaled: { width: 200, height: 100 }, width: 100, height: 100 }
 */
export function cropOf(original: Size, box: Size & { gravity: unknown }): Crop {
  const [width, height] = [box.width || Infinity, box.height || Infinity]
  const choose = box.gravity === undefined ? Math.max : Math.min
  const shrink = Math.max(1, choose(original.width / width, original.height / height))
  const scaled = { width: atLeastOne(original.width / shrink), height: atLeastOne(original.height / shrink) }
  const excess = box.gravity === undefined ? 1 : Math.max(1, width / scaled.width, height / scaled.height)
  return {
    scaled,
    width: Math.min(scaled.width, atLeastOne(width / excess)),
    height: Math.min(scaled.height, atLeastOne(height / excess)),
  }
}

/**
 * Returns the top left corner of a crop in the scaled image, as imgproxy calculates it (processing/calc_position.go):
 * the point is in the middle of the crop, or as close to it as the edges allow.
 *
 * @example
 * cornerOf({ scaled: { width: 200, height: 100 }, width: 100, height: 100 }, { x: 0.3, y: 0.7 })
 * // { left: 10, top: 0 }
 */
export function cornerOf({ scaled, width, height }: Crop, { x, y }: Point): { left: number; top: number } {
  return { left: startOf(scaled.width, width, x), top: startOf(scaled.height, height, y) }
}

function startOf(length: number, part: number, fraction: number): number {
  const start = roundToEven(length * fraction) - Math.floor(part / 2)
  return Math.max(0, Math.min(start, length - part))
}

function roundToEven(value: number): number {
  const floor = Math.floor(value)
  return value - floor === 0.5 ? floor + (floor % 2) : Math.round(value)
}

function atLeastOne(length: number): number {
  return Math.max(1, Math.round(length))
}
