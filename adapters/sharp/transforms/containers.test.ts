import sharp from 'sharp'
import { expect, test } from 'vitest'
import { photograph } from '../testing/originals.js'
import { manyScansJpeg } from '../testing/slow-jpeg.js'
import { findParts, startOfScan } from './containers.js'
import { withoutPngText } from './pass-through.js'

const countScans = (jpeg: Uint8Array) => findParts(jpeg, 'jpeg', startOfScan).length

test('countScans counts the scans that an encoder wrote', async () => {
  expect(countScans(await sharp(photograph).jpeg({ progressive: false }).toBuffer())).toBe(1)
  // One for DC, its refinement, and those of AC, see jpeg_simple_progression of libjpeg.
  expect(countScans(await sharp(photograph).jpeg({ progressive: true }).toBuffer())).toBe(10)
})

test('countScans counts the scans of a hostile file', () => {
  expect(countScans(manyScansJpeg(16, 16))).toBe(2647)
})

test.each([
  ['fill bytes before a marker', 'ffd8 ff ffda 0008 0101000000ff d9', 1],
  ['a length that leads nowhere', 'ffd8 ffda ffff 00', 1],
  ['a length of zero', 'ffd8 ffda 0000 ffda 0002 00 00', 2],
  ['nothing', '', 0],
  ['a film after the image', 'ffd8 ffda 0003 00 12 ffd9 0002 ffda 0003 00 12', 1],
])('counting the scans of a JPEG with %s ends', (_, hex, scans) => {
  expect(countScans(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toBe(scans)
})

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const chunk = (type: string, length = 9) => {
  const bytes = Buffer.alloc(12 + length, type.charCodeAt(0))
  bytes.writeUInt32BE(length)
  bytes.write(type, 4, 'latin1')
  return bytes
}
const png = (...chunks: Buffer[]) => Buffer.concat([signature, chunk('IHDR', 13), ...chunks, chunk('IEND', 0)])

test.each([
  ['no text', png(chunk('IDAT'))],
  ['one profile', png(chunk('iCCP'), chunk('IDAT'))],
  ['an orientation', png(chunk('eXIf'), chunk('IDAT'))],
])('a PNG with %s stays as it is', (_, bytes) => expect(withoutPngText(bytes)).toBe(bytes))

test.each([
  ['JPEG', Buffer.from('ffd8ffe0', 'hex')],
  ['empty', Buffer.alloc(0)],
])('an original that is %s stays as it is', (_, bytes) => expect(withoutPngText(bytes)).toBe(bytes))

test.each([
  ['each kind of text', [chunk('tEXt'), chunk('zTXt'), chunk('IDAT'), chunk('iTXt')], [chunk('IDAT')]],
  ['a hundred texts', [...Array.from({ length: 100 }, () => chunk('zTXt', 8000)), chunk('IDAT')], [chunk('IDAT')]],
  ['an unknown chunk', [chunk('IDAT'), chunk('teSt')], [chunk('IDAT')]],
  ['an empty text', [chunk('IDAT'), chunk('tEXt', 0)], [chunk('IDAT')]],
])('a PNG with %s keeps all its other chunks', (_, chunks, expected) => {
  expect(Buffer.from(withoutPngText(png(...chunks)))).toEqual(png(...expected))
})

test('a text whose length goes beyond the file ends the file', () => {
  const start = Buffer.concat([signature, chunk('IDAT')])
  const cut = Buffer.concat([start, Buffer.from('ffffffff7a545874', 'hex'), Buffer.alloc(9)])
  expect(Buffer.from(withoutPngText(cut))).toEqual(start)
})

test('a million texts take no more memory than the file', () => {
  const chunks = Buffer.alloc(24_000_000, Buffer.concat([chunk('tEXt', 0), chunk('IDAT', 0)]))
  const memoryBefore = process.memoryUsage()
  const left = withoutPngText(Buffer.concat([signature, chunks]))
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  expect(left.length).toBe(8 + 12_000_000)
  expect(heapUsed - memoryBefore.heapUsed).toBeLessThan(10_000_000)
  expect(arrayBuffers - memoryBefore.arrayBuffers).toBeLessThan(60_000_000)
})
