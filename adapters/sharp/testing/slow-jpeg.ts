// Writes a valid JPEG that takes long to decode (ITU-T T.81): a gray picture, whose coefficients come in as many scans
// as the standard allows.

const components = [1, 2, 3]

/**
 * A progressive JPEG of 2,647 scans, at 4:4:4: one bit of one coefficient per scan, 63 coefficients, 14 bits, 3
 * components. A scan is a few bytes, but the decoder visits each block in each.
 */
export const manyScansJpeg = (width: number, height: number, maxScans = Number.POSITIVE_INFINITY) => {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const noCoefficients = entropyCoded(endOfBandBits(blocks))
  const acScans = components.flatMap((component) =>
    range(1, 63).flatMap((k) =>
      range(0, 13).map((bit) => scan([[component, 0]], k, bit === 0 ? 0 : 14 - bit, 13 - bit, noCoefficients)),
    ),
  )
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]), // quantization
    segment(0xc2, [
      8,
      height >> 8,
      height & 255,
      width >> 8,
      width & 255,
      3,
      ...components.flatMap((c) => [c, 0x11, 0]),
    ]),
    huffmanTable(0x00, [0]), // DC: no difference
    huffmanTable(
      0x10,
      range(0, 14).map((n) => n << 4),
    ), // AC: runs of 2^n blocks without coefficients
    scan(
      components.map((component) => [component, 0]),
      0,
      0,
      0,
      entropyCoded('0'.repeat(blocks * components.length)),
    ),
    ...acScans.slice(0, maxScans - 1),
    Buffer.from([0xff, 0xd9]),
  ])
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

const segment = (marker: number, bytes: readonly number[]) =>
  Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255, ...bytes])

/** All codes are as long: 1 bit for one symbol, 4 bits for up to 15. */
const huffmanTable = (slot: number, symbols: readonly number[]) => {
  const lengths = Array.from({ length: 16 }, () => 0)
  lengths[symbols.length === 1 ? 0 : 3] = symbols.length
  return segment(0xc4, [slot, ...lengths, ...symbols])
}

const scan = (of: readonly (readonly number[])[], k: number, high: number, low: number, coded: Buffer) =>
  Buffer.concat([segment(0xda, [of.length, ...of.flat(), k, k, (high << 4) | low]), coded])

/** Codes of runs that cover all blocks: a run of 2^n + m blocks is the code of n and n bits of m. */
const endOfBandBits = (blocks: number) => {
  const bits: string[] = []
  for (let remaining = blocks; remaining > 0; ) {
    const run = Math.min(remaining, 32_767)
    const n = 31 - Math.clz32(run)
    bits.push(n.toString(2).padStart(4, '0'), n ? (run - 2 ** n).toString(2).padStart(n, '0') : '')
    remaining -= run
  }
  return bits.join('')
}

/** Packs bits, filled up with ones; a zero follows each byte of ones. */
const entropyCoded = (bits: string) => {
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []
  return Buffer.from(
    bytes.map((byte) => Number.parseInt(byte, 2)).flatMap((byte) => (byte === 255 ? [255, 0] : [byte])),
  )
}
