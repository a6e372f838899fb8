// Deflate makes no byte out of less than 1/1032 byte, and libpng reads no more than 8 MB of one chunk.
const maxInflation = 1032
const maxChunkBytes = 8_000_000
const chunkOverhead = 12
const compressedTypes = new Set(['zTXt', 'iTXt', 'iCCP'])

/**
 * Returns how many bytes the compressed text and profiles of a PNG may inflate to, at most (PNG, third edition, section 11.3).
 * A decoder holds all of it: 300 chunks that together have 2 MB can take 2.4 GB, and more while they are read.
 */
export function inflatedTextBytes(png: Uint8Array): number {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  let bytes = 0
  for (let position = 8; position + chunkOverhead <= png.length; ) {
    const length = view.getUint32(position)
    const type = String.fromCharCode(...png.subarray(position + 4, position + 8))
    if (compressedTypes.has(type)) bytes += Math.min(length * maxInflation, maxChunkBytes)
    position += chunkOverhead + length
  }
  return bytes
}
