/** Encodes bytes as unpadded URL-safe base64 (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return toUrlAlphabet(btoa(binary))
}

/** Turns standard base64 into the URL-safe alphabet, without padding. */
export function toUrlAlphabet(base64: string): string {
  const end = base64.indexOf('=')
  return (end === -1 ? base64 : base64.slice(0, end)).replaceAll('+', '-').replaceAll('/', '_')
}
