import { createHash, hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

// Bytes that take about a millisecond.
const sliceBytes = 1024 * 1024

/** Returns the SHA-256 digest (FIPS 180-4) of bytes or text, as unpadded base64url. */
export function digestOf(content: Uint8Array | string): string {
  return hash('sha256', content, 'base64url')
}

/**
 * Returns what {@link digestOf} does, and lets others have their turn where that takes long.
 *
 * @throws the reason of the signal.
 */
export async function digestOriginal(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  if (bytes.length <= sliceBytes) return digestOf(bytes)
  const digest = createHash('sha256')
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    digest.update(bytes.subarray(start, start + sliceBytes))
    await setImmediate()
    signal.throwIfAborted()
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
