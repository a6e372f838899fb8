import type { ImageType } from './image-type.js'

/** How the parts of a file follow one another: the segments of a JPEG, the chunks of a PNG. */
interface Layout {
  /** Offset of the first part. */
  first: number
  /** The fewest bytes of a part. */
  minBytes: number
  /** Offset and length of the type within a part. */
  typeAt: number
  typeBytes: number
  endOf(file: Buffer, start: number): number
  /** Type of the last part. */
  last?: number
}

export const startOfScan = 0xffda
const endOfImage = 0xffd9

/** The type of everything after the last part, such as the video of a motion photo. */
export const afterImage = -1

// ITU-T T.81, annex B; PNG, third edition, section 5.3.
const layouts: Partial<Record<ImageType, Layout>> = {
  jpeg: { first: 0, minBytes: 2, typeAt: 0, typeBytes: 2, endOf: endOfSegment, last: endOfImage },
  png: { first: 8, minBytes: 12, typeAt: 4, typeBytes: 4, endOf: endOfPngChunk, last: codeOf('IEND') },
}

/** Length, type, content, checksum. */
function endOfPngChunk(png: Buffer, start: number): number {
  return start + 12 + png.readUInt32BE(start)
}

/** Bytes that are no marker with a length, such as entropy-coded ones, are a part up to the next byte of 0xff, as for a decoder. */
function endOfSegment(jpeg: Buffer, start: number): number {
  const marker = jpeg.readUInt16BE(start)
  if (marker === endOfImage) return start + 2
  const hasLength = marker >= 0xffc0 && marker < 0xffff && (marker < 0xffd0 || marker > endOfImage)
  if (hasLength && start + 4 <= jpeg.length) return start + 2 + jpeg.readUInt16BE(start + 2)
  const next = jpeg.indexOf(0xff, start + 1)
  return next < 0 ? jpeg.length : next
}

/**
 * Returns a JPEG or PNG with only some of its parts. It takes no more memory than the file, because a PNG of 25 MB can have two
 * million chunks.
 *
 * @param isKept Whether to keep a part: its type (by `codeOf`, of a JPEG the marker) and the offset of its start.
 * @returns The same bytes when every part is kept, and for another type of image.
 */
export function filterParts(
  original: Uint8Array,
  type: ImageType,
  isKept: (type: number, start: number) => boolean,
): Uint8Array {
  const layout = layouts[type]
  if (!layout) return original
  const file = Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  const { first, minBytes, typeAt, typeBytes, endOf, last } = layout
  let kept = original
  let keptBytes = first
  let part = afterImage
  let end = first
  for (let start = first; start < file.length; start = end) {
    const isOver = part === last || start + minBytes > file.length
    part = isOver ? afterImage : file.readUIntBE(start + typeAt, typeBytes)
    end = isOver ? file.length : Math.min(file.length, endOf(file, start))
    const isWanted = isKept(part, start)
    if (!isWanted && kept === original) kept = new Uint8Array(original)
    if (isWanted && kept !== original) kept.copyWithin(keptBytes, start, end)
    if (isWanted) keptBytes += end - start
  }
  return kept === original ? original : kept.subarray(0, keptBytes)
}

/** Returns the offsets of all parts of a type. */
export function findParts(file: Uint8Array, type: ImageType, wanted: number): number[] {
  const found: number[] = []
  filterParts(file, type, (part, start) => {
    if (part === wanted) found.push(start)
    return true
  })
  return found
}

/** Returns the type of a PNG chunk as a number. */
export function codeOf(type: string): number {
  return Buffer.from(type, 'latin1').readUInt32BE()
}
