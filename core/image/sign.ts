import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { constantTimeEqual, type NativeCrypto, nativeCrypto, toBase64Url } from '../crypto.js'
import { secretError } from '../option-error.js'
import { checkOptions } from '../options.js'
import { decodeSource, encodeSource } from './url.js'

const encoder = new TextEncoder()

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
  return (message) => toBase64Url(salted.clone().update(encoder.encode(message)).digest())
}

function createNativeHmac(crypto: NativeCrypto, key: Uint8Array, salt: Uint8Array): Signer {
  const secret = crypto.createSecretKey(key)
  return (message) => crypto.createHmac('sha256', secret).update(salt).update(message).digest('base64url')
}

/**
 * Creates the tokens of one kind: `base64url(JSON).base64url(HMAC-SHA256)`. The kind is signed, too,
 * so a token is valid only as its own kind. Previews have their expiry in `until`, in seconds since 1970.
 *
 * @param secrets The first one signs, and all are accepted. Without any, no token is valid.
 */
export function createTokens<Data extends object>(kind: string, secrets: readonly string[]) {
  const signers = secrets.map((secret) => createHmac(encoder.encode(secret), encoder.encode(`sitewright ${kind}:`)))
  return {
    /** @throws TypeError without a secret. */
    create(data: Data): string {
      const [sign] = signers
      if (!sign) throw secretError('secret', '32 characters or more', 'none')
      const text = encodeSource(JSON.stringify(data))
      return `${text}.${sign(text)}`
    },
    /** Returns the data of a token, even if it has expired, or `undefined` if no secret has signed it. */
    read(token: string): Data | undefined {
      const [text = '', signature = '', rest] = token.split('.', 3)
      let matches = 0
      for (const sign of signers) matches |= Number(constantTimeEqual(signature, sign(text)))
      return matches === 1 && rest === undefined ? JSON.parse(decodeSource(text) ?? 'null') : undefined
    },
  }
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
