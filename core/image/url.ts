import { toBase64Url, toUrlAlphabet } from '../crypto.js'
import { optionError } from '../option-error.js'

/** Default of the option `prefix` of loader and proxy. */
export const defaultPrefix = '_image'

/** Maximum length of a source, in bytes of UTF-8. */
export const maxSourceBytes = 4096

const maxEncodedLength = /* @__PURE__ */ Math.ceil((maxSourceBytes * 4) / 3)
const controlCharacters = /\p{Cc}/u
const encoder = new TextEncoder()
// Without ignoreBOM, a leading U+FEFF would be dropped, and two encodings would mean the same source.
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Encodes a source as unpadded URL-safe base64 of its UTF-8 bytes (RFC 4648, section 5).
 *
 * @example encodeSource('/media/cat.jpg') // 'L21lZGlhL2NhdC5qcGc'
 */
export function encodeSource(source: string): string {
  return toBase64Url(encoder.encode(source))
}

/** Whether {@link decodeSource} accepts the encoding of a source: it has no control characters and is not too long. */
export function isEncodable(source: string): boolean {
  return encoder.encode(source).length <= maxSourceBytes && !controlCharacters.test(source)
}

/**
 * Decodes the result of {@link encodeSource}. Returns `undefined` for any other text: padding, another alphabet, stray bits, invalid
 * UTF-8, control characters, more than 4,096 bytes. So each source has exactly one encoding, and a cache in front of the proxy stores it
 * only once.
 *
 * @example decodeSource('L21lZGlhL2NhdC5qcGc') // '/media/cat.jpg'
 */
export function decodeSource(encoded: string): string | undefined {
  if (encoded.length > maxEncodedLength) return undefined
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
    // atob ignores padding, white space, stray bits and the alphabet; encoding again reveals them.
    if (toUrlAlphabet(btoa(binary)) !== encoded) return undefined
    const source = decoder.decode(toBytes(binary))
    return isEncodable(source) ? source : undefined
  } catch {
    return undefined // invalid base64 or UTF-8
  }
}

// A loop, since `Uint8Array.from` takes ten times as long.
function toBytes(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

/** Decodes percent-encoding. Returns `undefined` for a malformed escape, and for escapes that are not UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * The widths in pixels that are allowed by default: the image sizes and device sizes of Next.js, so that `next/image`
 * works without configuration, and 16, which Next.js had before version 16.
 */
export const defaultWidths: readonly number[] = [
  16, 32, 48, 64, 96, 128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840,
]

/**
 * Returns the widths of an option in ascending order, without duplicates.
 *
 * @throws TypeError if the list is empty, or if a width is not a whole number >= 1.
 */
export function checkWidths(option: string, widths: unknown): readonly number[] {
  const invalid = Array.isArray(widths) ? widths.find((width) => !Number.isSafeInteger(width) || width < 1) : widths
  if (Array.isArray(widths) && widths.length > 0 && invalid === undefined)
    return [...new Set(widths)].sort((a, b) => a - b)
  throw optionError(option, 'whole numbers >= 1, such as [640, 1080, 1920]', invalid ?? widths)
}
