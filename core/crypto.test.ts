import { describe, expect, it } from 'vitest'
import { nativeCrypto, portableSha256Hex, sha256Bytes, sha256Hex } from './crypto.js'

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('sha256Hex and sha256Bytes', () => {
  // FIPS 180-4, as in NIST's examples.
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('the SHA-256 of %j is the same in both implementations', (text, expected) => {
    expect(nativeCrypto).toBeDefined()
    expect([sha256Hex(text), portableSha256Hex(text)]).toEqual([expected, expected])
  })

  it('both implementations hash a lone surrogate like U+FFFD', () => {
    expect([sha256Hex('\ud800'), portableSha256Hex('\ud800')]).toEqual([sha256Hex('\ufffd'), sha256Hex('\ufffd')])
  })

  it('up to 128 KiB are hashed synchronously, and more bytes asynchronously', async () => {
    const few = new Uint8Array(131_072).fill(97)
    const many = new Uint8Array(131_073).fill(97)
    expect(sha256Bytes(few)).toBeInstanceOf(Uint8Array)
    expect(sha256Bytes(many)).toBeInstanceOf(Promise)
    expect([few, many].map((bytes) => sha256Hex(Buffer.from(bytes).toString()))).toEqual(
      await Promise.all([few, many].map(async (bytes) => toHex(await sha256Bytes(bytes)))),
    )
  })
})
