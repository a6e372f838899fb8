import { randomBytes } from 'node:crypto'

/** A frame, filled with the first color of four, or with all four at random. */
export interface GifFrame {
  width: number
  height: number
  isNoise?: boolean
}

/**
 * Writes an animated GIF (GIF89a) whose frames have the given sizes, regardless of the size of the canvas. All frames
 * are at its upper left corner.
 */
export const animatedGif = (canvas: GifFrame, frames: readonly GifFrame[]) => {
  const written = new Map([...new Set(frames)].map((frame) => [frame, writeFrame(frame)]))
  return Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([...uint16(canvas.width), ...uint16(canvas.height), 0x81, 0, 0, ...palette]),
    Buffer.from([0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0]),
    ...frames.map((frame) => written.get(frame) as Buffer),
    Buffer.from([0x3b]),
  ])
}

const writeFrame = ({ width, height, isNoise }: GifFrame) => {
  const control = [0x21, 0xf9, 4, 4, 5, 0, 0, 0]
  const descriptor = [0x2c, 0, 0, 0, 0, ...uint16(width), ...uint16(height), 0]
  return Buffer.from([
    ...control,
    ...descriptor,
    ...subBlocks(encodePixels(isNoise ? randomBytes(width * height) : new Uint8Array(width * height))),
  ])
}

const palette = [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]

const uint16 = (value: number) => [value & 255, value >> 8]

/** Codes pixels in LZW, each by itself: codes of 3 bits, and a clear code after every other. */
const encodePixels = (pixels: Uint8Array) => {
  const [clear, end] = [4, 5]
  const codes = Array.from(pixels, (pixel, index) => (index % 2 === 0 ? [clear, pixel & 3] : [pixel & 3])).flat()
  const bits = [...codes, end].flatMap((code) => [code & 1, (code >> 1) & 1, (code >> 2) & 1])
  const bytes = new Uint8Array(Math.ceil(bits.length / 8))
  for (const [index, bit] of bits.entries()) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (bit << (index & 7))
  return bytes
}

const subBlocks = (bytes: Uint8Array) => {
  const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) =>
    bytes.subarray(index * 255, (index + 1) * 255),
  )
  return [2, ...blocks.flatMap((block) => [block.length, ...block]), 0]
}
