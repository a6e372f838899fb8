import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { MaybePromise } from './async.js'

/** The part of `node:crypto` that is used here. Core does not depend on Node's types. */
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

// Node, Bun and Deno have `node:crypto`. It is not imported, because browser bundlers could not resolve it.
const { process } = globalThis as {
  process?: { versions?: object; getBuiltinModule?: (name: string) => NativeCrypto | undefined }
}

/** `node:crypto` where available: synchronous, and several times as fast as JavaScript. */
export const nativeCrypto: NativeCrypto | undefined =
  // In development, the functions of `process` exist in the Edge Runtime of Next.js but throw; `process.versions` does
  // not exist.
  process?.versions && process.getBuiltinModule?.('node:crypto')

/** Returns the SHA-256 of a text in hex. */
export function sha256Hex(text: string): string {
  return nativeCrypto ? nativeCrypto.createHash('sha256').update(text).digest('hex') : portableSha256Hex(text)
}

/** Like {@link sha256Hex}, but in audited JavaScript, which is synchronous on every platform. */
export function portableSha256Hex(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)))
}

/**
 * Returns the SHA-256 of bytes. Above 128 KiB, another thread computes it; below that, switching threads takes longer
 * than hashing.
 */
export function sha256Bytes(bytes: Uint8Array<ArrayBuffer>): MaybePromise<Uint8Array> {
  if (nativeCrypto && bytes.length <= 131_072) return nativeCrypto.createHash('sha256').update(bytes).digest()
  return crypto.subtle.digest('SHA-256', bytes).then((digest) => new Uint8Array(digest))
}

/**
 * Compares two strings in a time that depends only on the length of `expected`, so that a response's delay does not
 * reveal how many characters of a guess were right.
 */
export function constantTimeEqual(received: string, expected: string): boolean {
  let difference = received.length ^ expected.length
  for (let index = 0; index < expected.length; index++) {
    // Past the end of `received`, charCodeAt returns NaN, which `^` treats as 0. The length difference has already been
    // counted.
    difference |= received.charCodeAt(index) ^ expected.charCodeAt(index)
  }
  return difference === 0
}

/** Encodes bytes as unpadded URL-safe base64 (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return toUrlAlphabet(btoa(binary))
}

/** Turns standard base64 into the URL-safe alphabet, without padding. */
export function toUrlAlphabet(base64: string): string {
  const end = base64.indexOf('=')
  return (end === -1 ? base64 : base64.slice(0, end)).replaceAll('+', '-').replaceAll('/', '_')
}
