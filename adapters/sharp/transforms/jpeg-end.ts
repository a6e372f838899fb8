import sharp from 'sharp'
import { findParts, startOfScan } from './containers.js'

const endOfImage = Buffer.of(0xff, 0xd9)
// The largest height of a row of blocks, in pixels.
const maxBlock = 16
// What libjpeg shows where it has no data, in each channel.
const missing = 128

/**
 * Returns a JPEG that ends too early with an end of image, when its picture is complete: either nothing else is missing, or
 * only some of its last row of blocks: above that row, the pixels at the right edge come from the last scan.
 *
 * @returns `undefined` when more is missing.
 */
export async function repairJpegEnd(jpeg: Uint8Array): Promise<Uint8Array | undefined> {
  const closed = Buffer.concat([jpeg, endOfImage])
  const isWhole = await sharp(closed, { failOn: 'warning' })
    .stats()
    .catch(() => false)
  if (isWhole) return closed
  const { width, height } = await sharp(closed).metadata()
  const corner = { left: width - 1, top: Math.max(0, height - maxBlock - 1), width: 1, height: 1 }
  const readCorner = (file: Uint8Array) => sharp(file, { failOn: 'none' }).extract(corner).raw().toBuffer()
  const lastScan = findParts(jpeg, 'jpeg', startOfScan).at(-1)
  const withoutLastScan = Buffer.concat([jpeg.subarray(0, lastScan), endOfImage])
  const pixel = await readCorner(closed)
  const before = await readCorner(withoutLastScan).catch(() => pixel.map(() => missing))
  return pixel.equals(before) ? undefined : closed
}
