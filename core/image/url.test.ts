import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSource, encodeSource, maxSourceBytes } from './url.js'

const printable = fc
  .string({ unit: 'grapheme', maxLength: 200 })
  .filter((text) => !/\p{Cs}/u.test(text) && !/\p{Cc}/u.test(text) && Buffer.byteLength(text) <= maxSourceBytes)

describe('encodeSource', () => {
  it('encodeSource equals the unpadded base64url of Node', () => {
    fc.assert(
      fc.property(printable, (source) => {
        expect(encodeSource(source)).toBe(Buffer.from(source).toString('base64url'))
      }),
    )
  })

  it('decodeSource reverses encodeSource', () => {
    fc.assert(
      fc.property(printable, (source) => {
        expect(decodeSource(encodeSource(source))).toBe(source)
      }),
    )
  })
})

describe('decodeSource', () => {
  it('decodeSource accepts only one encoding of each source', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (encoded) => {
        const source = decodeSource(encoded)
        expect(source === undefined || encodeSource(source) === encoded).toBe(true)
      }),
    )
  })

  const base64 = (bytes: number[] | string) => Buffer.from(bytes as string).toString('base64url')

  it.each([
    ['padding', 'L2E='],
    ['the standard alphabet', '+/+/'],
    ['white space', 'L2 E'],
    ['a percent sign', '%4C2E'],
    ['an impossible length', 'L2EvY'],
    ['stray bits in the last character', 'L2F'],
    ['invalid UTF-8', base64([0xff, 0xfe])],
    ['an overlong UTF-8 slash', base64([0xc0, 0xaf])],
    ['a surrogate in UTF-8', base64([0xed, 0xa0, 0x80])],
    ['a null', base64('/media/a\0.jpg')],
    ['a line break', base64('/media/a\n.jpg')],
    ['a C1 control character', base64('/media/a\u0085.jpg')],
    ['one byte too many', base64(`/${'a'.repeat(maxSourceBytes)}`)],
  ])('rejects %s', (_, encoded) => {
    expect(decodeSource(encoded)).toBeUndefined()
  })

  it('decodeSource accepts a source of maximum length, and keeps a byte order mark', () => {
    const longestSource = `/${'a'.repeat(maxSourceBytes - 1)}`
    expect(decodeSource(encodeSource(longestSource))).toBe(longestSource)
    expect(decodeSource(encodeSource('\ufeff/a'))).toBe('\ufeff/a')
  })
})
