import { imageDimensionsFromData } from 'image-dimensions'
import type { OriginalInfo } from '../../core/image/index.js'
import { sampleBlur, sampleSize } from '../../core/image/internal.js'

// More than a description needs, or the header of an image that is rendered whole.
const maxBytes = 128 * 1024

// Only the Pro version of imgproxy has an endpoint that describes an original. Any imgproxy makes these images.
const sample = (background: string) => `rs:force:${sampleSize}:${sampleSize}:1/bl:${sampleBlur}/bg:${background}/f:bmp`
const whole = 'q:1/f:jpg'

/**
 * Describes an original by three renderings: two samples, on white and on black, which differ where the original is
 * transparent, and the whole image, whose header contains the size after rotation. Type and animation stay unknown.
 *
 * @throws Error if imgproxy fails, or answers with something else.
 */
export async function describeByRenderings(
  readStart: (processing: string, maxBytes: number) => Promise<Uint8Array>,
): Promise<OriginalInfo> {
  const read = (processing: string) => readStart(processing, maxBytes)
  // One after the other, so that an original that cannot be rendered fails with the first request.
  const onWhite = readBmp(await read(sample('255:255:255')))
  const onBlack = readBmp(await read(sample('0:0:0')))
  const size = imageDimensionsFromData(await read(whole))
  if (size?.type !== 'jpeg') throw new Error('the image service sent no JPEG')
  const isOpaque = onWhite.every((value, index) => value === onBlack[index])
  const pixels = onBlack.flatMap((_, index) => (index % 3 === 0 ? readPixel(onWhite, onBlack, index) : []))
  return { width: size.width, height: size.height, isOpaque, pixels: btoa(String.fromCharCode(...pixels)) }
}

/** Returns red, green, blue and alpha of a pixel that was rendered on white and on black. */
function readPixel(onWhite: readonly number[], onBlack: readonly number[], start: number): number[] {
  const white = onWhite.slice(start, start + 3)
  const black = onBlack.slice(start, start + 3)
  // The less of the white is seen, the more opaque is the pixel. Rounding differs between the components.
  const alpha = Math.max(...black.map((value, index) => 255 - (white[index] ?? 0) + value))
  return [...black.map((value) => Math.min(255, Math.round((value * 255) / Math.max(1, alpha)))), Math.min(255, alpha)]
}

/** Reads the pixels of an uncompressed BMP. imgproxy 3 writes rows from the bottom up, imgproxy 4 from the top down. */
function readBmp(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rowBytes = 3 * sampleSize // a multiple of four, so rows are not padded
  const start = bytes.length - rowBytes * sampleSize
  const isWhole = start >= 54 && view.getUint16(0) === 0x424d && view.getUint32(10, true) === start
  if (!isWhole || bytes[18] !== sampleSize || bytes[28] !== 24) throw new Error('the image service sent no BMP')
  const rows = Array.from({ length: sampleSize }, (_, row) =>
    bytes.subarray(start + row * rowBytes).subarray(0, rowBytes),
  )
  if (view.getInt32(22, true) > 0) rows.reverse()
  // Blue comes first.
  return rows.flatMap((row) => Array.from(row, (_, index) => row[index - (index % 3) + 2 - (index % 3)] as number))
}
