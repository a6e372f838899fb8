import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRights, writeXmp } from './rights.js'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding))

/** Exif with texts by tag, in either byte order. */
function exif(texts: Record<number, Uint8Array>, isLittle: boolean, head = 'Exif\0\0'): Uint8Array {
  const entries = Object.entries(texts)
  const tiff = new DataView(new ArrayBuffer(1_000))
  tiff.setUint16(0, isLittle ? 0x4949 : 0x4d4d)
  tiff.setUint16(2, 42, isLittle)
  tiff.setUint32(4, 8, isLittle)
  tiff.setUint16(8, entries.length, isLittle)
  let end = 400
  for (const [index, [tag, text]] of entries.entries()) {
    const at = 10 + 12 * index
    tiff.setUint16(at, Number(tag), isLittle)
    tiff.setUint16(at + 2, 2, isLittle)
    tiff.setUint32(at + 4, text.length, isLittle)
    if (text.length > 4) tiff.setUint32(at + 8, end, isLittle)
    new Uint8Array(tiff.buffer).set(text, text.length > 4 ? end : at + 8)
    end += text.length
  }
  return Buffer.concat([bytes(head), new Uint8Array(tiff.buffer)])
}
const iptc = (number: number, text: Uint8Array) => Buffer.concat([Uint8Array.of(28, 2, number, 0, text.length), text])
const xmp = (inner: string) =>
  bytes(`<x:xmpmeta><rdf:RDF><rdf:Description>${inner}</rdf:Description></rdf:RDF></x:xmpmeta>`)

describe('readRights', () => {
  it.each([true, false])('reads Exif, little-endian: %s', (isLittle) => {
    const texts = { 271: bytes('Camera\0'), 315: bytes('Zoë\0'), 33432: bytes('© 2026 Jane Doe\0for editors\0') }
    const expected = { copyright: '© 2026 Jane Doe', creator: 'Zoë' }
    expect(readRights({ exif: exif(texts, isLittle) })).toEqual(expected)
    expect(readRights({ exif: exif(texts, isLittle, '') })).toEqual(expected)
    expect(readRights({ exif: exif({ 315: bytes('Zo\xeb M\0', 'latin1') }, isLittle) })).toEqual({ creator: 'Zoë M' })
    expect(readRights({ exif: exif({ 315: bytes('Al\0') }, isLittle) })).toEqual({ creator: 'Al' })
  })

  it('reads XMP, with several creators and entities', () => {
    const rights =
      '<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B</rdf:li><rdf:li xml:lang="de">C</rdf:li></rdf:Alt></dc:rights>'
    const creator = '<dc:creator>\n<rdf:Seq> <rdf:li>Ann</rdf:li> <rdf:li>Bob</rdf:li></rdf:Seq></dc:creator>'
    const expected = { copyright: 'A & B', creator: 'Ann, Bob', credit: 'Agency' }
    expect(readRights({ xmp: xmp(`${rights}${creator}<photoshop:Credit>Agency</photoshop:Credit>`) })).toEqual(expected)
    for (const rights of [
      { credit: 'A "&" <B>' },
      { copyright: '© A & B', creator: 'Zoë', credit: 'C' },
      { creator: 'Zoë' },
    ]) {
      expect(readRights({ xmp: bytes(writeXmp(rights) ?? '') })).toEqual(rights)
    }
    expect(writeXmp({ copyright: '(C) 2026', creator: 'Jane' })).toBeUndefined()
  })

  it('reads IPTC', () => {
    const sets = [
      iptc(80, bytes('Ann')),
      iptc(90, bytes('Bern')),
      iptc(110, bytes('Agency')),
      iptc(116, bytes('© Ann')),
    ]
    const file = Buffer.concat([bytes('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x2a', 'latin1'), ...sets])
    expect(readRights({ iptc: file })).toEqual({ creator: 'Ann', credit: 'Agency', copyright: '© Ann' })
  })

  it('takes each field from the first source that has it', () => {
    const sources = {
      exif: exif({ 33432: bytes('Exif text\0') }, true),
      iptc: Buffer.concat([iptc(116, bytes('IPTC text')), iptc(80, bytes('Ann'))]),
    }
    expect(readRights(sources)).toEqual({ copyright: 'Exif text', creator: 'Ann' })
    expect(readRights({ ...sources, exif: exif({ 33432: bytes('     \0') }, true) })).toMatchObject({
      copyright: 'IPTC text',
    })
  })

  it('cuts long texts off, and keeps no control characters', () => {
    const text = readRights({ iptc: iptc(116, bytes('a\r\nb\x07c')) })
    expect(text).toEqual({ copyright: 'a b c' })
    expect(readRights({ xmp: xmp(`<photoshop:Credit>${'x'.repeat(9_000)}</photoshop:Credit>`) })?.credit).toHaveLength(
      500,
    )
  })

  it('finds nothing in metadata without rights, or in any other bytes', () => {
    expect(readRights({})).toBeUndefined()
    expect(readRights({ exif: exif({ 271: bytes('Camera\0') }, true), xmp: xmp('<dc:title/>') })).toBeUndefined()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        for (const name of ['exif', 'xmp', 'iptc'] as const) readRights({ [name]: noise })
        readRights({ exif: Buffer.concat([exif({ 33432: bytes('long text\0') }, true).subarray(0, 30), noise]) })
      }),
    )
  })
})
