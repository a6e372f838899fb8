import { createHash, hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

// Of a millisecond or two.
const pieceBytes = 1024 * 1024

/** Returns the SHA-256 digest (FIPS 180-4) of bytes or text, as unpadded base64url. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'base64url')
}

/**
 * As {@link digestOf}, in pieces with other work in between: an original may have 50 MB, which WebCrypto would copy in the main
 * thread, for longer than the digest takes.
 */
export async function digestOriginal(bytes: Uint8Array): Promise<string> {
  const digest = createHash('sha256')
  for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
    if (offset > 0) await setImmediate()
    digest.update(bytes.subarray(offset, offset + pieceBytes))
  }
  return digest.digest('base64url')
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
