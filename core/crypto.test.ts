import { describe, expect, it } from 'vitest'
import { nativeCrypto, portableSha256Hex, sha256Bytes, sha256Hex } from './crypto.js'

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('SHA-256', () => {
  // FIPS 180-4, as in NIST's examples.
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('of %j is the same by either implementation', (text, expected) => {
    expect(nativeCrypto).toBeDefined()
    expect([sha256Hex(text), portableSha256Hex(text)]).toEqual([expected, expected])
  })

  it('of a text with a lone surrogate is that of U+FFFD by either implementation', () => {
    expect([sha256Hex('\ud800'), portableSha256Hex('\ud800')]).toEqual([sha256Hex('\ufffd'), sha256Hex('\ufffd')])
  })

  it('of few bytes is there at once, and of many later', async () => {
    const few = new Uint8Array(131_072).fill(97)
    const many = new Uint8Array(131_073).fill(97)
    expect(sha256Bytes(few)).toBeInstanceOf(Uint8Array)
    expect(sha256Bytes(many)).toBeInstanceOf(Promise)
    expect([few, many].map((bytes) => sha256Hex(Buffer.from(bytes).toString()))).toEqual(
      await Promise.all([few, many].map(async (bytes) => toHex(await sha256Bytes(bytes)))),
    )
  })
})
