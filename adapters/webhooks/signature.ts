import { hmac } from '@noble/hashes/hmac.js'
import type { CHash } from '@noble/hashes/utils.js'
import { constantTimeEqual } from '../../core/crypto.js'
import type { VerifyRequest } from '../../core/revalidate/index.js'

/** Maximum header length, in characters. Longer headers are rejected before any hashing. */
const maxHeaderLength = 4096
const encoder = new TextEncoder()

/** The signature of a delivery, as its headers give it. */
export interface Signature {
  /** One signature, or several during a rotation. */
  signatures: readonly string[]
  /** The text that is signed together with the body, in front of it. */
  head: string
  /** Milliseconds since 1970; `undefined` for a CMS that sends no time. */
  signedAt?: number
}

export interface SignatureScheme {
  hash: CHash
  /** One key, or several during a rotation. */
  keys: readonly Uint8Array[]
  /** Encodes an HMAC as the CMS does. */
  encode: (mac: Uint8Array) => string
  /** Maximum difference between the signing time and now, in seconds, in either direction. Default 300. */
  tolerance?: number | undefined
  /** Reads the headers of a delivery. Throws a {@link Rejection} for headers that no genuine delivery has. */
  read: (headers: Headers) => Signature
  /** Returns the identity of a delivery, from signed texts only. Default: repeated deliveries are accepted. */
  identify?: (signature: Signature) => string
}

/** The rejection of a request. Its message is the reason, for the log. */
export class Rejection extends Error {}

/**
 * Creates a verifier for HMAC signatures (RFC 2104). It compares every signature with the expected one for every key, in
 * constant time and without stopping at a match. Timing therefore reveals neither how much of a guess was right nor which
 * key matched.
 */
export function createSignatureVerifier(scheme: SignatureScheme): VerifyRequest {
  const { hash, keys, encode, tolerance = 300, read, identify } = scheme
  // The key is hashed once, here. Each request continues from a copy of that state.
  const states = keys.map((key) => hmac.create(hash, key))
  const isValid = (signatures: readonly string[], head: Uint8Array, body: Uint8Array): boolean => {
    let matches = 0
    for (const state of states) {
      const expected = encode(state.clone().update(head).update(body).digest())
      for (const signature of signatures) matches |= Number(constantTimeEqual(signature, expected))
    }
    return matches === 1
  }

  const verify: VerifyRequest = (body, headers) => {
    try {
      const { signatures, head, signedAt } = read(headers)
      if (signedAt !== undefined) checkAge(signedAt, tolerance)
      return bytesOf(head).some((bytes) => isValid(signatures, bytes, body)) || 'wrong signature'
    } catch (error) {
      if (error instanceof Rejection) return error.message
      throw error
    }
  }
  return Object.assign(verify, { deliveryOf: identify && ((headers: Headers) => identify(read(headers))) })
}

/**
 * Returns the bytes of a signed text. A text beyond ASCII, such as a webhook's name in a header, has two forms: UTF-8 in a
 * header arrives as one character per byte (Fetch, "isomorphic decode").
 */
function bytesOf(text: string): Uint8Array[] {
  const utf8 = encoder.encode(text)
  return utf8.length === text.length ? [utf8] : [utf8, Uint8Array.from(text, (char) => char.charCodeAt(0))]
}

/** Checks that a signing time is within the replay window, which extends into the past and the future, ends included. */
function checkAge(signedAt: number, tolerance: number): void {
  const age = (Date.now() - signedAt) / 1000
  if (Math.abs(age) <= tolerance) return
  const distance = age > 0 ? `${Math.ceil(age)} s ago` : `${Math.ceil(-age)} s in the future`
  throw new Rejection(`signed ${distance}, over the tolerance of ${tolerance} s`)
}

/**
 * Reads a required header and matches it against a pattern. Repeated headers arrive joined by commas, so the pattern
 * should only allow commas where the CMS itself sends them.
 *
 * @throws Rejection if the header is missing or malformed.
 */
export function readHeader(headers: Headers, name: string, pattern: RegExp): RegExpExecArray {
  const value = headers.get(name)
  if (!value) throw new Rejection(`no ${name} header`)
  const match = value.length > maxHeaderLength ? null : pattern.exec(value)
  if (!match) throw new Rejection(`malformed ${name} header`)
  return match
}
