import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { toBase64Url } from '../../base64url.js'

/** Returns the authentication code of a message. */
export type Hmac = (message: string) => string

const encoder = new TextEncoder()

/** The part of Node's `node:crypto` that is used here. Core has no types of Node. */
interface NativeCrypto {
  createSecretKey(key: Uint8Array): object
  createHmac(algorithm: 'sha256', key: object): NativeHash
}
interface NativeHash {
  update(content: Uint8Array | string): NativeHash
  digest(encoding: 'base64url'): string
}

// Node 20.16 and later, Bun and Deno have it. Not an import, since bundlers for browsers could not resolve it.
const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeCrypto | undefined } }
const native = process?.getBuiltinModule?.('node:crypto')

/**
 * Creates HMAC-SHA256 (RFC 2104) of `salt` followed by a message, as unpadded base64url. Uses `node:crypto` where there
 * is one, which is several times as fast as JavaScript.
 */
export function createHmac(key: Uint8Array, salt: Uint8Array): Hmac {
  return native ? createNativeHmac(native, key, salt) : createPortableHmac(key, salt)
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
