import { toBase64Url, toUrlAlphabet } from '../base64url.js'

/** The longest source that is accepted, in bytes of UTF-8. */
export const maxSourceBytes = 2048

const maxEncodedLength = Math.ceil((maxSourceBytes * 4) / 3)
const controlCharacters = /\p{Cc}/u
const encoder = new TextEncoder()
// ignoreBOM keeps a leading U+FEFF, without which two encodings would mean one source.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Encodes a source as unpadded URL-safe base64 of its UTF-8 bytes (RFC 4648, section 5).
 *
 * @example encodeSource('/media/cat.jpg') // 'L21lZGlhL2NhdC5qcGc'
 */
export function encodeSource(source: string): string {
  return toBase64Url(encoder.encode(source))
}

/** Whether {@link decodeSource} would give back what {@link encodeSource} makes of a source. */
export function isEncodable(source: string): boolean {
  return encoder.encode(source).length <= maxSourceBytes && !controlCharacters.test(source)
}

/**
 * Decodes what {@link encodeSource} made. Gives `undefined` for anything else: padding, another alphabet, stray bits,
 * bytes that are no UTF-8, control characters, more than {@link maxSourceBytes}. So a source has one encoding only,
 * and a cache in front holds it once.
 */
export function decodeSource(encoded: string): string | undefined {
  if (encoded.length > maxEncodedLength) return undefined
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
    // atob overlooks padding, white space, stray bits and the standard alphabet; the way back shows them.
    if (toUrlAlphabet(btoa(binary)) !== encoded) return undefined
    const source = decoder.decode(toBytes(binary))
    return isEncodable(source) ? source : undefined
  } catch {
    return undefined // no base64, or no UTF-8
  }
}

function toBytes(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
