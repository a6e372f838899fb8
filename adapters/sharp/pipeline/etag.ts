import { createHash } from 'node:crypto'

/** SHA-256 (FIPS 180-4) of bytes or text, as unpadded base64url. */
export function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('base64url')
}

/**
 * The strong validator (RFC 9110, section 8.8.3) of a picture, out of all that it is made from and of nothing else: the
 * same on every instance and after a restart, and known before anything is decoded.
 *
 * @param original Digest of the original's bytes.
 * @param variant What was asked for.
 * @param recipe What makes pictures: encoder settings and versions.
 */
export function etagOf(original: string, variant: string, recipe: string): string {
  return `"${digestOf([original, variant, recipe].join('\n'))}"`
}

/**
 * Whether an `If-None-Match` header names a validator. The comparison is weak, and `*` names any (RFC 9110, section
 * 13.1.2).
 *
 * @example matchesEntityTag('W/"a", "b"', '"a"') // true
 */
export function matchesEntityTag(ifNoneMatch: string | null, etag: string): boolean {
  if (!ifNoneMatch) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false
}
