import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { MaybePromise } from './maybe-promise.js'

/** The part of Node's `node:crypto` that is used here. Core has no types of Node. */
export interface NativeCrypto {
  createSecretKey(key: Uint8Array): object
  createHmac(algorithm: 'sha256', key: object): NativeHash
  createHash(algorithm: 'sha256'): NativeHash
}
interface NativeHash {
  update(content: Uint8Array | string): NativeHash
  digest(): Uint8Array
  digest(encoding: 'base64url' | 'hex'): string
}

// Node 20.16 and later, Bun and Deno have it. Not an import, since bundlers for browsers could not resolve it.
const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => NativeCrypto | undefined } }

/** `node:crypto` where there is one: synchronous, and several times as fast as JavaScript. */
export const nativeCrypto: NativeCrypto | undefined = process?.getBuiltinModule?.('node:crypto')

// Up to so many bytes, hashing takes less time than having a thread do it.
const maxSynchronousBytes = 131_072

/** Returns the SHA-256 of a text in hex. */
export function sha256Hex(text: string): string {
  return nativeCrypto ? nativeCrypto.createHash('sha256').update(text).digest('hex') : portableSha256Hex(text)
}

/** As {@link sha256Hex}, in audited JavaScript, which is synchronous on every platform. */
export function portableSha256Hex(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)))
}

/** Returns the SHA-256 of bytes: of many, without keeping others waiting. */
export function sha256Bytes(bytes: Uint8Array<ArrayBuffer>): MaybePromise<Uint8Array> {
  if (nativeCrypto && bytes.length <= maxSynchronousBytes)
    return nativeCrypto.createHash('sha256').update(bytes).digest()
  return crypto.subtle.digest('SHA-256', bytes).then((digest) => new Uint8Array(digest))
}
