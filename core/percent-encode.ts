const encoder = new TextEncoder()

/** Encodes every byte of a text in UTF-8 as `%XX`. */
export function percentEncode(text: string): string {
  return Array.from(encoder.encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
