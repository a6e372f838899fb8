const maxColors = 1_024
// Of 255: less than the difference at an edge between two areas, more than between neighbors in a photograph.
const hardStep = 32

/**
 * Whether an image is drawn rather than photographed: a logo, a QR code, a screenshot. A drawn image has few colors and
 * hard edges. Few colors: at most 1,024, and at most half as many as pixels. Hard edges: of the pixels that differ from
 * the pixel before, at least a quarter differ by 32 of 255 or more in some channel. Measured at the original size and
 * at half of it, this share is 33 to 100 percent for drawings, and 2 to 15 percent for photographs, in color or gray,
 * as PNG and as GIF. A photograph in color is recognized by its first rows.
 *
 * @param rgba Four bytes per pixel.
 */
export function isGraphic(rgba: Uint8Array): boolean {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4)
  const colors = new Set(pixels.subarray(0, 1))
  let changes = 0
  let hardChanges = 0
  for (let index = 1; index < pixels.length; index++) {
    const color = pixels[index] as number
    if (color === pixels[index - 1]) continue
    if (colors.add(color).size > maxColors) return false
    changes++
    if (stepBefore(rgba, index * 4) >= hardStep) hardChanges++
  }
  return colors.size * 2 <= pixels.length && hardChanges * 4 >= changes
}

/** Whether no pixel is transparent. */
export function isOpaque(rgba: Uint8Array): boolean {
  for (let alpha = 3; alpha < rgba.length; alpha += 4) if (rgba[alpha] !== 255) return false
  return true
}

/** Returns the largest difference in a channel between a pixel and the pixel before. */
function stepBefore(rgba: Uint8Array, at: number): number {
  const stepOf = (channel: number) => Math.abs((rgba[at + channel] as number) - (rgba[at + channel - 4] as number))
  return Math.max(stepOf(0), stepOf(1), stepOf(2), stepOf(3))
}
