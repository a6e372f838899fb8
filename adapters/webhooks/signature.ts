import { hmac } from '@noble/hashes/hmac.js'
import type { CHash } from '@noble/hashes/utils.js'
import { constantTimeEqual } from '../../core/crypto.js'

/** Maximum length of a header, in characters; longer ones are rejected before anything is hashed. */
const maxHeaderLength = 4096

export interface SignatureScheme {
  hash: CHash
  /** One key, or several during a rotation. */
  keys: readonly Uint8Array[]
  /** Encodes an HMAC as the CMS does. */
  encode: (mac: Uint8Array) => string
}

/** Returns whether one of the signatures is that of the concatenated parts, by one of the keys. */
export type SignatureVerifier = (signatures: readonly string[], ...parts: readonly Uint8Array[]) => boolean

/**
 * Creates a verifier for HMAC signatures (RFC 2104). Each signature is compared with that of each key and to the end, so
 * that the timing reveals neither how much of a guess was right nor which key matched.
 */
export function createSignatureVerifier({ hash, keys, encode }: SignatureScheme): SignatureVerifier {
  // HMAC state after the key, so that each request hashes its own bytes only.
  const states = keys.map((key) => hmac.create(hash, key))
  return (signatures, ...parts) => {
    let matches = 0
    for (const state of states) {
      const mac = state.clone()
      for (const part of parts) mac.update(part)
      const expected = encode(mac.digest())
      for (const signature of signatures) matches |= Number(constantTimeEqual(signature, expected))
    }
    return matches === 1
  }
}

/**
 * Reads a required header that must match the pattern. Returns the match, or an error for the log. Two headers
 * of the same name arrive joined by a comma, so a pattern should only allow commas where the CMS sends them.
 */
export function readHeader(
  headers: Headers,
  name: string,
  pattern: RegExp,
): { match: RegExpExecArray; error?: never } | { error: string; match?: never } {
  const value = headers.get(name)
  if (!value) return { error: `no ${name} header` }
  const match = value.length > maxHeaderLength ? null : pattern.exec(value)
  return match ? { match } : { error: `malformed ${name} header` }
}
