import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
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

  it.each([0, 131_072, 131_073])('the SHA-256 of %i bytes is that of node:crypto', async (length) => {
    const bytes = new Uint8Array(randomBytes(length))
    expect(toHex(await sha256Bytes(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  it.each([
    [131_072, false],
    [131_073, true],
  ])('%i bytes are hashed by a thread of WebCrypto: %s', async (length, isThread) => {
    const digest = vi.spyOn(crypto.subtle, 'digest')
    await sha256Bytes(new Uint8Array(length))
    expect(digest.mock.calls.length > 0).toBe(isThread)
    digest.mockRestore()
  })
})
