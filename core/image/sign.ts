import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type NativeCrypto, nativeCrypto, toBase64Url } from '../crypto.js'
import { secretError } from '../option-error.js'
import { checkOptions } from '../options.js'

/** A key and its salt, both as hex digits: imgproxy's `IMGPROXY_KEY` and `IMGPROXY_SALT`. */
export interface SigningKey {
  key: string
  salt: string
}

/** Returns the signature of a path that begins with `/`. */
export type Signer = (path: string) => string

/**
 * Creates a function that signs paths as imgproxy does: `base64url(HMAC-SHA256(key, salt + path))`
 * (https://docs.imgproxy.net/usage/signing_url). The function is synchronous.
 *
 * @throws TypeError when key or salt is not hex.
 * @example createSigner({ key: '736563726574', salt: '68656c6c6f' })('/rs:fill:640/g:sm/L21lZGlhL2NhdC5qcGc')
 */
export function createSigner(signingKey: SigningKey): Signer {
  const { key, salt } = checkOptions(signingKey, 'key', 'write createSigner({ key, salt })')
  return createHmac(parseHex('key', key), parseHex('salt', salt))
}

/**
 * Creates a function that returns the HMAC-SHA256 (RFC 2104) of `salt` followed by a message, as unpadded base64url. Uses `node:crypto`
 * where available, which is several times as fast as JavaScript.
 */
export function createHmac(key: Uint8Array, salt: Uint8Array): Signer {
  return nativeCrypto ? createNativeHmac(nativeCrypto, key, salt) : createPortableHmac(key, salt)
}

/** Like {@link createHmac}, but in audited JavaScript. Unlike Web Crypto, it is synchronous. */
export function createPortableHmac(key: Uint8Array, salt: Uint8Array): Signer {
  // The state after key and salt is kept, so that each signature only needs to hash the message.
  const salted = hmac.create(sha256, key).update(salt)
  const encoder = new TextEncoder()
  return (message) => toBase64Url(salted.clone().update(encoder.encode(message)).digest())
}

function createNativeHmac(crypto: NativeCrypto, key: Uint8Array, salt: Uint8Array): Signer {
  const secret = crypto.createSecretKey(key)
  return (message) => crypto.createHmac('sha256', secret).update(salt).update(message).digest('base64url')
}

/**
 * Parses hex digits into bytes.
 *
 * @throws TypeError that names the option, but not its value.
 */
export function parseHex(option: string, hex: string): Uint8Array {
  if (typeof hex === 'string' && /^(?:[0-9a-f]{2})+$/i.test(hex)) {
    return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  }
  const expected = "hex digits in pairs, such as '736563726574'"
  throw secretError(option, expected, describeInvalidHex(hex), 'create one with `openssl rand -hex 32`')
}

function describeInvalidHex(hex: unknown): string {
  if (typeof hex !== 'string') return hex === undefined ? 'none' : 'no string'
  if (hex === '') return 'an empty string'
  return /^[0-9a-f]+$/i.test(hex) ? 'an odd number of digits' : 'other characters'
}
