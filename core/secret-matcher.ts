import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { constantTimeEqual } from './constant-time.js'

const encoder = new TextEncoder()

/**
 * Creates a function that returns whether a text is one of the secrets. It compares SHA-256 digests, each time with all
 * secrets and to the end, so that its timing reveals neither how much of a guess was right, nor the length of a secret,
 * nor which one matched.
 *
 * @example createSecretMatcher(['new-secret', 'old-secret'])('old-secret') // true
 */
export function createSecretMatcher(secrets: readonly string[]): (given: string) => boolean {
  const digests = secrets.map(digest)
  return (given) => {
    const givenDigest = digest(given)
    let matches = 0
    for (const expected of digests) matches |= Number(constantTimeEqual(givenDigest, expected))
    return matches === 1
  }
}

function digest(text: string): string {
  return bytesToHex(sha256(encoder.encode(text)))
}
