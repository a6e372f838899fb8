import { codeOf, filterPng } from './guards.js'
import type { ImageType } from './image-type.js'

// White point, red, green and blue of sRGB, in units of 0.00001, as PNG has them.
const srgbChromaticities = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
const srgbGamma = 45_455
// As libpng compares them: smaller differences are not visible.
const isNear = (value: number, expected: number) => Math.abs(value - expected) < expected / 20
// Code points of ITU-T H.273: unspecified, sRGB, and those that Chromium shows like sRGB in an AVIF.
const srgbPrimaries: ReadonlySet<number> = new Set([1, 2])
const srgbTransfers: ReadonlySet<number> = new Set([1, 2, 6, 13])
// Where the properties of an AVIF are.
const avifHeadBytes = 8_192

/**
 * Whether browsers show more of an original than libvips: the other frames of an animated PNG, or colors that are described by
 * other means than a profile, and which libvips takes for sRGB: cICP, gAMA and cHRM of a PNG, nclx of an AVIF.
 */
export function isBeyondDecoder(original: Uint8Array, type: ImageType): boolean {
  return (type === 'png' && isBeyondPng(original)) || (type === 'avif' && hasOtherNclx(original))
}

/** PNG, third edition, section 4.3: the first that there is of cICP, iCCP, sRGB, and gAMA with cHRM is used. */
function isBeyondPng(png: Uint8Array): boolean {
  const chunks = new Map<number, DataView>()
  filterPng(png, (type, content) => {
    chunks.set(type, new DataView(png.buffer, png.byteOffset + content))
    return true
  })
  const find = (name: string) => chunks.get(codeOf(name))
  if ((find('acTL')?.getUint32(0) ?? 1) > 1) return true
  const codePoints = find('cICP')?.getUint16(0)
  if (codePoints !== undefined) return codePoints !== 0x010d
  const gamma = find('gAMA')?.getUint32(0)
  if (!gamma || find('iCCP') || find('sRGB')) return false
  const white = find('cHRM')
  const isOther = (expected: number, index: number) => white && !isNear(white.getUint32(index * 4), expected)
  return !isNear(gamma, srgbGamma) || srgbChromaticities.some(isOther)
}

/** Reads the first color property of an AVIF (ISO/IEC 14496-12, section 12.1.5). A profile beside it is used instead. */
function hasOtherNclx(avif: Uint8Array): boolean {
  const head = Buffer.from(avif.subarray(0, avifHeadBytes))
  const at = head.indexOf('colrnclx') + 8
  if (at < 8 || at + 4 > head.length || head.includes('colrprof') || head.includes('colrrICC')) return false
  return !srgbPrimaries.has(head.readUInt16BE(at)) || !srgbTransfers.has(head.readUInt16BE(at + 2))
}
