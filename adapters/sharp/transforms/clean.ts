import { codeOf, endOfImage, filterPng, jpegSegments } from './guards.js'
import type { ImageType } from './image-type.js'

// Chunks that change how a PNG looks (PNG, third edition, section 5.6), and those of a WebP (RFC 9649, section 2.7).
const pngChunks = 'IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP mDCV cLLI sBIT sRGB bKGD pHYs acTL fcTL fdAT'
const pngCodes: ReadonlySet<number> = new Set(pngChunks.split(' ').map(codeOf))
const pngEnd = codeOf('IEND')
const webpChunks: ReadonlySet<string> = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const webpMetadataFlags = 0x0c

/**
 * Returns an original without EXIF, XMP, GPS and other metadata, and without what follows the image in its file. Nothing
 * is encoded again, and the color profile stays.
 *
 * @returns `undefined` when the metadata cannot be separated from the image, or when a JPEG has no end.
 */
export function withoutMetadata(original: Uint8Array, type: ImageType): Uint8Array | undefined {
  if (type === 'jpeg') return cleanJpeg(original)
  if (type === 'png') return cleanPng(original)
  if (type === 'webp') return cleanWebp(original)
  // In AVIF and GIF, metadata is rare and part of the structure of the file.
  const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  return ['Exif', 'rdf+xml', 'XMP DataXMP'].some((name) => bytes.includes(name)) ? undefined : original
}

function cleanJpeg(jpeg: Uint8Array): Uint8Array | undefined {
  const kept: Uint8Array[] = []
  let keepFrom = 0
  for (const { marker, start, end } of jpegSegments(jpeg)) {
    if (marker === endOfImage) return Buffer.concat([...kept, jpeg.subarray(keepFrom, end)])
    if (!isJpegMetadata(marker, jpeg.subarray(start + 4, start + 16))) continue
    kept.push(jpeg.subarray(keepFrom, start))
    keepFrom = end
  }
  return undefined
}

/** Whether a segment is a comment, or one of an application that does not change how the image looks. */
function isJpegMetadata(marker: number, content: Uint8Array): boolean {
  if (marker < 0xe0 || marker > 0xef) return marker === 0xfe
  return !/^(?:JFIF|ICC_PROFILE|Adobe)/.test(Buffer.from(content).toString('latin1'))
}

function cleanPng(png: Uint8Array): Uint8Array {
  let hasEnded = false
  return filterPng(png, (type) => {
    const isKept = !hasEnded && pngCodes.has(type)
    hasEnded ||= type === pngEnd
    return isKept
  })
}

function cleanWebp(webp: Uint8Array): Uint8Array {
  const file = Buffer.from(webp)
  const kept = [file.subarray(0, 12)]
  const fileEnd = Math.min(file.length - 8, file.readUInt32LE(4))
  for (let start = 12; start <= fileEnd; ) {
    const type = file.toString('latin1', start, start + 4)
    const end = start + 8 + 2 * Math.ceil(file.readUInt32LE(start + 4) / 2)
    if (webpChunks.has(type)) kept.push(file.subarray(start, end))
    if (type === 'VP8X') file[start + 8] = (file[start + 8] as number) & ~webpMetadataFlags
    start = end
  }
  file.writeUInt32LE(
    kept.reduce((length, chunk) => length + chunk.length, -8),
    4,
  )
  return Buffer.concat(kept)
}
