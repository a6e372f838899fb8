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

/**
 * Decodes what {@link encodeSource} made. Gives `undefined` for anything else: padding, another alphabet, stray bits,
 * bytes that are no UTF-8, control characters, more than {@link maxSourceBytes}. So a source has one encoding only,
 * and a cache in front holds it once.
 */
export function decodeSource(encoded: string): string | undefined {
  if (encoded.length > maxEncodedLength) return undefined
  const source = decodeUtf8(encoded)
  if (source === undefined || controlCharacters.test(source)) return undefined
  return encodeSource(source) === encoded ? source : undefined
}

/** Unpadded URL-safe base64 of bytes. */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

function decodeUtf8(encoded: string): string | undefined {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
    return decoder.decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
  } catch {
    return undefined // no base64, or no UTF-8
  }
}
