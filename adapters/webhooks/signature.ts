import { hmac } from '@noble/hashes/hmac.js'
import type { CHash } from '@noble/hashes/utils.js'
import { constantTimeEqual } from '../../core/constant-time.js'

/** The longest header that is looked at, in characters; what is longer is not even hashed. */
const maxHeaderLength = 4096

export interface SignatureScheme {
  hash: CHash
  keys: readonly Uint8Array[]
  /** How the CMS writes an HMAC down. */
  encode: (mac: Uint8Array) => string
}

/** Tells whether one of the signatures is that of the parts, one after the other, by one of the keys. */
export type SignatureCheck = (signatures: readonly string[], ...parts: readonly Uint8Array[]) => boolean

/**
 * Creates the check of HMAC signatures (RFC 2104). Every signature is compared with that of every key and to the end,
 * so that the time tells neither how much of a guess was right nor which key it was.
 */
export function createSignatureCheck({ hash, keys, encode }: SignatureScheme): SignatureCheck {
  // The state after the key is kept, so that a request hashes its own bytes only.
  const keyed = keys.map((key) => hmac.create(hash, key))
  return (signatures, ...parts) => {
    let matches = 0
    for (const state of keyed) {
      const mac = state.clone()
      for (const part of parts) mac.update(part)
      const expected = encode(mac.digest())
      for (const signature of signatures) matches |= Number(constantTimeEqual(signature, expected))
    }
    return matches === 1
  }
}

/**
 * Reads a header that must be there once and match the pattern: its groups, or why there are none. Two headers of a
 * name arrive as one with a comma, so a pattern should take none where the CMS sends none.
 */
export function readHeader(
  headers: Headers,
  name: string,
  pattern: RegExp,
): { match: RegExpExecArray; fault?: never } | { fault: string; match?: never } {
  const value = headers.get(name)
  if (!value) return { fault: `no ${name} header` }
  const match = value.length > maxHeaderLength ? null : pattern.exec(value)
  return match ? { match } : { fault: `malformed ${name} header` }
}
