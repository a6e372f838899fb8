import { constantTimeEqual } from '../../constant-time.js'
import { createHmac } from './hmac.js'

/** A key and its salt, both as hex: what imgproxy calls `IMGPROXY_KEY` and `IMGPROXY_SALT`. */
export interface SigningKey {
  key: string
  salt: string
}

/** Gives the signature of a path that begins with `/`. */
export type Signer = (path: string) => string

/**
 * Creates a function that signs paths as imgproxy does:
 * `base64url(HMAC-SHA256(key, salt + path))` (https://docs.imgproxy.net/usage/signing_url). Synchronous.
 *
 * @throws TypeError when key or salt is empty or no hex.
 * @example createSigner({ key: '736563726574', salt: '68656c6c6f' })('/rs:fill:640/g:sm/L21lZGlhL2NhdC5qcGc')
 */
export function createSigner({ key, salt }: SigningKey): Signer {
  return createHmac(parseHex('key', key), parseHex('salt', salt))
}

/**
 * Creates a function that tells whether a path was signed with any of the keys: list the new key first and the old one
 * after it, and a key can be changed without a moment of broken images.
 *
 * @throws TypeError when there is no key, or one is no hex.
 */
export function createVerifier(keys: readonly SigningKey[]): (signature: string, path: string) => boolean {
  if (keys.length === 0) throw new TypeError('keys: at least one { key, salt } is needed to verify signatures')
  const signers = keys.map(createSigner)
  return (signature, path) => signers.some((sign) => constantTimeEqual(signature, sign(path)))
}

/**
 * The bytes of a hex string.
 *
 * @throws TypeError that names the option.
 */
export function parseHex(option: string, hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) {
    throw new TypeError(
      `${option}: expected hex digits in pairs, such as '736563726574'; make one with \`openssl rand -hex 32\``,
    )
  }
  return Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  )
}
