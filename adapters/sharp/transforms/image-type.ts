/** An accepted type of original; SVG only where an option says so. */
export type ImageType = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'heic' | 'tiff' | 'ico' | 'bmp' | 'svg'

/** The types that browsers show but that this service does not decode. */
export const undecodedTypes: ReadonlySet<ImageType> = new Set(['ico', 'bmp', 'svg'])

/** The type of a file, recognized by its first bytes, or the name of a type that is not accepted. */
export type RecognizedType = { type: ImageType; name?: never } | { type?: never; name: string }

const jpegXl = 'JPEG XL, which most browsers do not show: convert it to AVIF or WebP, or to JPEG with djxl'

// Offset, then the bytes as Latin-1 text. Sources: each format's own specification, collected in
// https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern and
// https://www.garykessler.net/library/file_sigs.html
const signatures: readonly (readonly [recognized: RecognizedType, offset: number, magic: string])[] = [
  [{ type: 'jpeg' }, 0, '\xff\xd8\xff'],
  [{ type: 'png' }, 0, '\x89PNG\r\n\x1a\n'],
  [{ type: 'gif' }, 0, 'GIF87a'],
  [{ type: 'gif' }, 0, 'GIF89a'],
  [{ type: 'tiff' }, 0, 'II*\0'],
  [{ type: 'tiff' }, 0, 'MM\0*'],
  [{ type: 'tiff' }, 0, 'II+\0'],
  [{ type: 'tiff' }, 0, 'MM\0+'],
  [{ type: 'ico' }, 0, '\0\0\x01\0'],
  [{ name: 'PDF' }, 0, '%PDF-'],
  [{ name: jpegXl }, 0, '\xff\x0a'],
  [{ name: jpegXl }, 4, 'JXL \r\n\x87\n'],
]

// Sizes of a BMP's second header, in its versions from OS/2 to Windows 98.
const bmpHeaderSizes: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124])

/** The number of bytes that is enough to recognize a file. */
const headBytes = 1024

/**
 * Recognizes the type of a file by its first bytes, never by its name or a header. Returns `undefined` for unknown
 * types, and a `name` instead of a `type` for types that are not accepted.
 *
 * @example recognizeImage(Buffer.from('%PDF-1.7')) // { name: 'PDF' }
 */
export function recognizeImage(bytes: Uint8Array): RecognizedType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes)).toString('latin1')
  const recognized = signatures.find(([, offset, magic]) => head.startsWith(magic, offset))?.[0]
  if (recognized) return recognized
  // Checks the size of the second header too, because text can also begin with the letters BM.
  const isBmp = head.startsWith('BM') && head.startsWith('\0\0\0', 15) && bmpHeaderSizes.has(head.charCodeAt(14))
  if (isBmp) return { type: 'bmp' }
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return { type: 'webp' }
  // The brand list is short, so the size of its box begins with two zero bytes. Text cannot begin like this.
  if (head.startsWith('\0\0') && head.startsWith('ftyp', 4)) return recognizeContainer(head)
  return recognizeText(head)
}

/** Recognizes ISO base media files by their major brand, otherwise by their compatible brands (ISO/IEC 23000-22). */
function recognizeContainer(head: string): RecognizedType {
  const brands = head.slice(8, head.charCodeAt(2) * 256 + head.charCodeAt(3)).match(/.{4}/gs) ?? []
  const known = brands.find((brand) => /^(?:avi[fs]|hei[cmsx]|hev[cx])$/.test(brand))
  if (!known) return { name: 'video' }
  return { type: known.startsWith('avi') ? 'avif' : 'heic' }
}

function recognizeText(head: string): RecognizedType | undefined {
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (/^<(?:!doctype html|html|head|body)\b/i.test(text)) return { name: 'HTML' }
  // An XML declaration, a document type or a comment may come first.
  if (/^<svg\b/i.test(text) || (/^<[?!]/.test(text) && /<svg\b/i.test(text))) return { type: 'svg' }
  return text.startsWith('<?xml') ? { name: 'XML' } : undefined
}
