// Guards against files that would cost a decoder too much time or memory.

export const startOfScan = 0xda
export const endOfImage = 0xd9

/** A marker of a JPEG, with the segment that follows it. */
interface JpegSegment {
  marker: number
  /** Offset of the marker. */
  start: number
  end: number
}

/**
 * Finds the segments of a JPEG (ITU-T T.81, annex B) up to its end of image, the way a decoder does: bytes within
 * entropy-coded segments are not markers, nor are bytes after the image, such as the video of a motion photo.
 */
export function* jpegSegments(jpeg: Uint8Array): Generator<JpegSegment> {
  let start = 2
  while (start >= 0 && start + 1 < jpeg.length) {
    const marker = jpeg[start + 1] as number
    if (jpeg[start] !== 0xff || marker < 0xc0 || marker === 0xff || (marker >= 0xd0 && marker < endOfImage)) {
      // Entropy-coded bytes, a stuffed zero, a restart marker or padding: none of these has a length field.
      start = jpeg.indexOf(0xff, start + 1)
      continue
    }
    if (marker === endOfImage) return yield { marker, start, end: start + 2 }
    if (start + 3 >= jpeg.length) return
    const end = start + 2 + (((jpeg[start + 2] as number) << 8) | (jpeg[start + 3] as number))
    yield { marker, start, end }
    start = end
  }
}

/**
 * Counts the scans of a JPEG. A progressive decoder visits every block of the image once per scan, so a file with only a
 * few bytes per scan can keep it busy for minutes.
 */
export function countScans(jpeg: Uint8Array): number {
  let scans = 0
  for (const { marker } of jpegSegments(jpeg)) if (marker === startOfScan) scans++
  return scans
}

const signatureBytes = 8
// Length, type and checksum.
const chunkOverhead = 12
const png = codeOf('\x89PNG')
const profile = codeOf('iCCP')
const texts: ReadonlySet<number> = new Set(['tEXt', 'zTXt', 'iTXt'].map(codeOf))

/**
 * Returns a PNG without its text chunks, and without color profiles after the first one (PNG, third edition, sections
 * 11.3.2.3 and 11.3.3). They do not affect the image, but a decoder inflates and keeps all of them: 300 texts with a
 * total of 2 MB take 2.4 GB.
 *
 * @returns The same bytes when there is nothing to remove, for example when the file is not a PNG.
 */
export function withoutPngText(original: Uint8Array): Uint8Array {
  let hasProfile = false
  return filterPng(original, (type) => {
    const isSecond = type === profile && hasProfile
    hasProfile ||= type === profile
    return !isSecond && !texts.has(type)
  })
}

/**
 * Returns a PNG with only some of its chunks.
 *
 * @param isKept Whether to keep a chunk: its type by `codeOf`, and the offset of its content.
 * @returns The same bytes when every chunk is kept, and when the file is not a PNG.
 */
export function filterPng(original: Uint8Array, isKept: (type: number, content: number) => boolean): Uint8Array {
  const view = new DataView(original.buffer, original.byteOffset, original.byteLength)
  if (original.length < signatureBytes || view.getUint32(0) !== png) return original
  // Filled chunk by chunk, because a file of 25 MB can have two million chunks.
  let kept: Uint8Array | undefined
  let keptBytes = 0
  let keepFrom = 0
  const keepUntil = (end: number) => {
    kept ??= new Uint8Array(original.length)
    if (keepFrom < end) kept.set(original.subarray(keepFrom, end), keptBytes)
    keptBytes += Math.max(0, end - keepFrom)
  }
  let end: number
  for (let start = signatureBytes; start + chunkOverhead <= original.length; start = end) {
    end = start + chunkOverhead + view.getUint32(start)
    if (isKept(view.getUint32(start + 4), start + signatureBytes)) continue
    keepUntil(start)
    keepFrom = end
  }
  if (keepFrom === 0) return original
  keepUntil(original.length)
  return (kept ?? original).subarray(0, keptBytes)
}

/** Returns the type of a PNG chunk as a number. */
export function codeOf(type: string): number {
  return Buffer.from(type, 'latin1').readUInt32BE()
}
