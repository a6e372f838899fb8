import type { ImageType } from './image-type.js'

/**
 * A segment of a JPEG or a chunk of a PNG. Its type is the marker of the segment, or the {@link codeOf} of the chunk;
 * its end is an offset.
 */
interface Part {
  type: number
  end: number
}

export const startOfScan = 0xffda
const endOfImage = 0xffd9
const lastTypes: ReadonlySet<number> = new Set([endOfImage, codeOf('IEND')])

/** The type of everything after the last part, such as the video of a motion photo. */
export const afterImage = -1

/** Reads a chunk: length, type, content, checksum (PNG, third edition, section 5.3). */
function readChunk(png: Buffer, start: number): Part | undefined {
  if (start + 12 > png.length) return undefined
  return { type: png.readUInt32BE(start + 4), end: start + 12 + png.readUInt32BE(start) }
}

/**
 * Reads a segment (ITU-T T.81, annex B). Other bytes, such as entropy-coded data or a marker without a length, form a
 * part that ends at the next byte of 0xff, as for a decoder.
 */
function readSegment(jpeg: Buffer, start: number): Part | undefined {
  if (start + 2 > jpeg.length) return undefined
  const type = jpeg.readUInt16BE(start)
  if (type === endOfImage) return { type, end: start + 2 }
  const hasLength = type >= 0xffc0 && type < 0xffff && (type < 0xffd0 || type > endOfImage)
  if (hasLength && start + 4 <= jpeg.length) return { type, end: start + 2 + jpeg.readUInt16BE(start + 2) }
  const next = jpeg.indexOf(0xff, start + 1)
  return { type, end: next < 0 ? jpeg.length : next }
}

/**
 * Returns a JPEG or PNG with only some of its parts. It takes no more memory than the file, and keeps no list of parts,
 * because a PNG of 25 MB can have two million chunks.
 *
 * @param isKept Returns whether to keep a part. Receives its type (see {@link Part}) and the offset of its start.
 * @returns The same bytes when every part is kept, and for other types of image.
 */
export function filterParts(
  original: Uint8Array,
  type: ImageType,
  isKept: (type: number, start: number) => boolean,
): Uint8Array {
  if (type !== 'jpeg' && type !== 'png') return original
  const file = Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  const [first, read] = type === 'png' ? [8, readChunk] : [0, readSegment]
  let kept = original
  let keptBytes = first
  let part = { type: afterImage, end: first }
  for (let start = first; start < file.length; start = part.end) {
    const next = lastTypes.has(part.type) ? undefined : read(file, start)
    part = next ?? { type: afterImage, end: file.length }
    const isWanted = isKept(part.type, start)
    if (!isWanted && kept === original) kept = new Uint8Array(original)
    if (isWanted && kept !== original) kept.copyWithin(keptBytes, start, part.end)
    if (isWanted) keptBytes += Math.min(part.end, file.length) - start
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
