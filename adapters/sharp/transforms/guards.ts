// Guards against files that would cost a decoder too much time or memory.

const startOfScan = 0xda
const endOfImage = 0xd9

/**
 * Counts the scans of a JPEG (ITU-T T.81, annex B), the way a decoder does: bytes within entropy-coded segments are not
 * markers, nor are bytes after the image, such as the video of a motion photo. A progressive decoder visits every block
 * of the image once per scan, so a file with only a few bytes per scan can keep it busy for minutes.
 */
export function countScans(jpeg: Uint8Array): number {
  let scans = 0
  let position = 2
  while (position >= 0 && position + 3 < jpeg.length) {
    const marker = jpeg[position + 1] as number
    if (jpeg[position] !== 0xff || marker < 0xc0 || marker === 0xff || (marker >= 0xd0 && marker < endOfImage)) {
      // Entropy-coded bytes, a stuffed zero, a restart marker or padding: none of these has a length field.
      position = jpeg.indexOf(0xff, position + 1)
      continue
    }
    if (marker === endOfImage) break
    if (marker === startOfScan) scans++
    position += 2 + (((jpeg[position + 2] as number) << 8) | (jpeg[position + 3] as number))
  }
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
  let hasProfile = false
  let end: number
  for (let start = signatureBytes; start + chunkOverhead <= original.length; start = end) {
    end = start + chunkOverhead + view.getUint32(start)
    const type = view.getUint32(start + 4)
    if (texts.has(type) || (type === profile && hasProfile)) {
      keepUntil(start)
      keepFrom = end
    }
    hasProfile ||= type === profile
  }
  if (keepFrom === 0) return original
  keepUntil(original.length)
  return (kept ?? original).subarray(0, keptBytes)
}

function codeOf(type: string): number {
  return Buffer.from(type, 'latin1').readUInt32BE()
}
