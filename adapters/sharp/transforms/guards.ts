// Files that a decoder would spend too much time or memory on.

const startOfScan = 0xda
const endOfImage = 0xd9

/**
 * Counts the scans of a JPEG (ITU-T T.81, annex B), as a decoder finds them: bytes within entropy-coded segments are no
 * markers, and neither are those after the image, such as the film of a motion photo. A progressive decoder visits every
 * block of the image once per scan, so a file of a few bytes per scan can keep it busy for minutes.
 */
export function countScans(jpeg: Uint8Array): number {
  let scans = 0
  let position = 2
  while (position >= 0 && position + 3 < jpeg.length) {
    const marker = jpeg[position + 1] as number
    if (jpeg[position] !== 0xff || marker < 0xc0 || marker === 0xff || (marker >= 0xd0 && marker < endOfImage)) {
      // Entropy-coded bytes, a stuffed zero, a restart marker or padding: they have no length.
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
 * Returns a PNG without its texts and without color profiles after the first one (PNG, third edition, sections 11.3.2.3 and
 * 11.3.3). No image is made of these, but a decoder inflates and holds all of them: 300 texts that together have 2 MB take
 * 2.4 GB.
 *
 * @returns the same bytes when there is nothing to remove, such as of another type.
 */
export function withoutPngText(original: Uint8Array): Uint8Array {
  const view = new DataView(original.buffer, original.byteOffset, original.byteLength)
  if (original.length < signatureBytes || view.getUint32(0) !== png) return original
  // Filled as it goes: a file of 25 MB can have two million chunks.
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
