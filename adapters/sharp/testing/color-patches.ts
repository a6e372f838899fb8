import { crc32, deflateSync } from 'node:zlib'

/** The side of a patch in pixels. */
export const patchSize = 16

/** A row of square patches. */
export interface Patches {
  /** The components of each patch from 0 to 255: gray, gray and alpha, RGB or RGBA; in a TIFF also CMYK. */
  colors: readonly (readonly number[])[]
  bits: 8 | 16
  /** Attached as it is, whatever the colors. */
  icc?: Uint8Array | undefined
}

/** Writes patches as PNG (W3C PNG, third edition, sections 5 and 11). */
export const patchesPng = ({ colors, bits, icc }: Patches) => {
  const channels = colors[0]?.length ?? 0
  const rows = samples(colors, bits, 'big').map((row) => Buffer.concat([Buffer.from([0]), row]))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(colors.length * patchSize, 0)
  header.writeUInt32BE(patchSize, 4)
  header.set([bits, [0, 0, 4, 2, 6][channels] ?? 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...(icc ? [pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), deflateSync(icc)]))] : []),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Writes a chunk of a PNG. */
export const pngChunk = (type: string, content: Buffer) => {
  const typed = Buffer.concat([Buffer.from(type), content])
  const chunk = Buffer.alloc(typed.length + 8)
  chunk.writeUInt32BE(content.length)
  typed.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(typed), typed.length + 4)
  return chunk
}

/** Writes patches as TIFF (TIFF 6.0; the profile as in ICC.1:2022, annex B.4). Four components are CMYK. */
export const patchesTiff = ({ colors, bits, icc = new Uint8Array() }: Patches) => {
  const channels = colors[0]?.length ?? 0
  const pixels = Buffer.concat(samples(colors, bits, 'little'))
  const [short, long, undefinedType] = [3, 4, 7]
  const photometric = channels === 4 ? 5 : channels === 3 ? 2 : 1
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, long, 1, colors.length * patchSize],
    [257, long, 1, patchSize],
    [258, short, channels, 0],
    [259, short, 1, 1],
    [262, short, 1, photometric],
    [273, long, 1, 0],
    [277, short, 1, channels],
    [278, long, 1, patchSize],
    [279, long, 1, pixels.length],
    ...(icc.length > 0 ? [[34675, undefinedType, icc.length, 0] satisfies [number, number, number, number]] : []),
  ]
  const bitsAt = 8 + 2 + entries.length * 12 + 4
  const pixelsAt = bitsAt + 8
  const contentOf = (tag: number, value: number) => {
    if (tag === 258) return channels > 2 ? bitsAt : bits
    return tag === 273 ? pixelsAt : tag === 34675 ? pixelsAt + pixels.length : value
  }
  const head = Buffer.alloc(pixelsAt)
  head.write('II*\0', 'latin1')
  head.writeUInt32LE(8, 4)
  head.writeUInt16LE(entries.length, 8)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(type, at + 2)
    head.writeUInt32LE(count, at + 4)
    head.writeUInt32LE(contentOf(tag, value), at + 8)
  }
  for (let channel = 0; channel < 4; channel++) head.writeUInt16LE(bits, bitsAt + channel * 2)
  return Buffer.concat([head, pixels, icc])
}

/** Returns one buffer for each row of pixels. */
const samples = (colors: Patches['colors'], bits: 8 | 16, endian: 'big' | 'little') => {
  const row = colors.flatMap((color) => Array.from({ length: patchSize }, () => color)).flat()
  const bytes = Buffer.alloc((row.length * bits) / 8)
  for (const [index, value] of row.entries()) {
    if (bits === 8) bytes[index] = value
    else if (endian === 'big') bytes.writeUInt16BE(value * 257, index * 2)
    else bytes.writeUInt16LE(value * 257, index * 2)
  }
  return Array.from({ length: patchSize }, () => bytes)
}
