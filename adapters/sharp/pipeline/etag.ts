import { hash, webcrypto } from 'node:crypto'

/** Returns the SHA-256 digest (FIPS 180-4) of bytes or text, as unpadded base64url. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'base64url')
}

/** As {@link digestOf}, outside of the main thread: an original may have 50 MB. */
export async function digestOriginal(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('base64url')
}

/**
 * Returns the strong entity tag (RFC 9110, section 8.8.3) of an image. It depends on everything that the image is made
 * from and on nothing else: so it is the same on every instance and after a restart, and known before anything is decoded.
 *
 * @param originalDigest Digest of the original's bytes.
 * @param variant Which image of the original, as text.
 * @param encoderVersion Settings and versions of the encoders, as text.
 */
export function etagOf(originalDigest: string, variant: string, encoderVersion: string): string {
  return `"${digestOf([originalDigest, variant, encoderVersion].join('\n'))}"`
}
