import { afterImage, codeOf, filterParts } from './containers.js'
import type { ImageType } from './image-type.js'

// Chunks that change how a PNG looks (PNG, third edition, section 5.6).
const pngChunks = 'IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP mDCV cLLI sBIT sRGB bKGD pHYs acTL fcTL fdAT'
const pngCodes: ReadonlySet<number> = new Set(pngChunks.split(' ').map(codeOf))

/**
 * Returns an original without EXIF, XMP, GPS and other metadata, and without what follows the image in its file. Nothing
 * is encoded again, and the color profile stays.
 *
 * @returns `undefined` when the metadata cannot be separated from the image.
 */
export function withoutMetadata(original: Uint8Array, type: ImageType): Uint8Array | undefined {
  if (type === 'jpeg') return filterParts(original, type, (marker, start) => !isJpegMetadata(original, marker, start))
  if (type === 'png') return filterParts(original, type, (chunk) => pngCodes.has(chunk))
  // In WebP, AVIF and GIF, metadata is rare and part of the structure of the file.
  const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  return ['Exif', 'EXIF', 'XMP ', 'rdf+xml'].some((name) => bytes.includes(name)) ? undefined : original
}

/** Whether a segment is a comment, or one of an application that does not change how the image looks. */
function isJpegMetadata(jpeg: Uint8Array, marker: number, start: number): boolean {
  if (marker < 0xffe0 || marker > 0xffef) return marker === 0xfffe || marker === afterImage
  const content = Buffer.from(jpeg.subarray(start + 4, start + 16)).toString('latin1')
  return !/^(?:JFIF|ICC_PROFILE|Adobe)/.test(content)
}

const profile = codeOf('iCCP')
const texts: ReadonlySet<number> = new Set(['tEXt', 'zTXt', 'iTXt'].map(codeOf))

/**
 * Returns a PNG without its text chunks, and without color profiles after the first one (PNG, third edition, sections
 * 11.3.2.3 and 11.3.3). They do not affect the image, but a decoder inflates and keeps all of them: 300 texts with a
 * total of 2 MB take 2.4 GB.
 *
 * @returns The same bytes when there is nothing to remove.
 */
export function withoutPngText(png: Uint8Array): Uint8Array {
  let hasProfile = false
  return filterParts(png, 'png', (chunk) => {
    const isSecond = chunk === profile && hasProfile
    hasProfile ||= chunk === profile
    return !isSecond && !texts.has(chunk)
  })
}
