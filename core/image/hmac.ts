import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64Url } from './base64url.js'

const encoder = new TextEncoder()

/**
 * HMAC-SHA256 (RFC 2104) of `salt` followed by a message, as unpadded base64url. This is the portable implementation;
 * on Node, the package's `#hmac` import picks the one of adapters/node instead.
 */
export function createHmac(key: Uint8Array, salt: Uint8Array): (message: string) => string {
  // The state after key and salt is kept, so that a signature hashes the message only.
  const salted = hmac.create(sha256, key).update(salt)
  return (message) => toBase64Url(salted.clone().update(encoder.encode(message)).digest())
}
