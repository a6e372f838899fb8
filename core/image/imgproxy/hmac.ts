import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64Url } from '../../base64url.js'
import { type NativeCrypto, nativeCrypto } from '../../crypto.js'

/** Returns the authentication code of a message. */
export type Hmac = (message: string) => string

const encoder = new TextEncoder()

/**
 * Creates HMAC-SHA256 (RFC 2104) of `salt` followed by a message, as unpadded base64url. Uses `node:crypto` where there
 * is one, which is several times as fast as JavaScript.
 */
export function createHmac(key: Uint8Array, salt: Uint8Array): Hmac {
  return nativeCrypto ? createNativeHmac(nativeCrypto, key, salt) : createPortableHmac(key, salt)
}

/** As {@link createHmac}, in audited JavaScript, which is synchronous on every platform. */
export function createPortableHmac(key: Uint8Array, salt: Uint8Array): Hmac {
  // The state after key and salt is kept, so that a signature hashes the message only.
  const salted = hmac.create(sha256, key).update(salt)
  return (message) => toBase64Url(salted.clone().update(encoder.encode(message)).digest())
}

function createNativeHmac(crypto: NativeCrypto, key: Uint8Array, salt: Uint8Array): Hmac {
  const secret = crypto.createSecretKey(key)
  return (message) => crypto.createHmac('sha256', secret).update(salt).update(message).digest('base64url')
}
