import { toBase64Url, toUrlAlphabet } from '../base64url.js'

/** Maximum length of a source, in bytes of UTF-8. */
export const maxSourceBytes = 2048

const maxEncodedLength = Math.ceil((maxSourceBytes * 4) / 3)
const controlCharacters = /\p{Cc}/u
const encoder = new TextEncoder()
// Without ignoreBOM, a leading U+FEFF would be dropped, and two encodings would mean the same source.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

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
 * Decodes what {@link encodeSource} returned. Returns `undefined` for anything else: padding, another alphabet, stray
 * bits, invalid UTF-8, control characters, more than {@link maxSourceBytes}. So each source has exactly one encoding,
 * and a cache in front stores it once.
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

function toBytes(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
