import { hmac } from '@noble/hashes/hmac.js'
import type { CHash } from '@noble/hashes/utils.js'
import { constantTimeEqual } from '../../core/crypto.js'

/** Maximum header length, in characters. Longer headers are rejected before any hashing. */
const maxHeaderLength = 4096

export interface SignatureScheme {
  hash: CHash
  /** One key, or several during a rotation. */
  keys: readonly Uint8Array[]
  /** Encodes an HMAC as the CMS does. */
  encode: (mac: Uint8Array) => string
}

/** Returns whether any of the signatures is valid for the concatenated parts under any of the keys. */
export type SignatureVerifier = (signatures: readonly string[], ...parts: readonly Uint8Array[]) => boolean

/**
 * Creates a verifier for HMAC signatures (RFC 2104). It compares every signature with the expected one for every key, in
 * constant time and without stopping at a match. Timing therefore reveals neither how much of a guess was right nor which
 * key matched.
 */
export function createSignatureVerifier({ hash, keys, encode }: SignatureScheme): SignatureVerifier {
  // The key is hashed once, here. Each request continues from a copy of that state.
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
 * Reads a required header and matches it against a pattern. Returns the match, or an error for the log. Repeated headers
 * arrive joined by commas, so the pattern should only allow commas where the CMS itself sends them.
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
