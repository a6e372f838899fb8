import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Returns the SHA-256 of a text in hex. */
export function digest(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text)))
}
