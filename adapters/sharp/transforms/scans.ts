const startOfScan = 0xda
const endOfImage = 0xd9

/**
 * Counts the scans of a JPEG (ITU-T T.81, annex B), as a decoder finds them: what entropy-coded segments contain is no
 * marker, and neither is what follows the image, such as the film of a motion photo. A progressive decoder visits every
 * block of the image once per scan, so a file of a few bytes per scan can keep it busy for minutes.
 */
export function countScans(jpeg: Uint8Array): number {
  let scans = 0
  let position = 2
  while (position >= 0 && position + 3 < jpeg.length) {
    const marker = jpeg[position + 1] as number
    if (jpeg[position] !== 0xff || marker < 0xc0 || marker === 0xff || (marker >= 0xd0 && marker < endOfImage)) {
      // Entropy-coded bytes, a stuffed zero, a restart marker or padding: none of them has a length.
      position = jpeg.indexOf(0xff, position + 1)
      continue
    }
    if (marker === endOfImage) break
    if (marker === startOfScan) scans++
    position += 2 + (((jpeg[position + 2] as number) << 8) | (jpeg[position + 3] as number))
  }
  return scans
}
