import sharp from 'sharp'
import { expect, test } from 'vitest'
import { photograph } from '../testing/originals.js'
import { manyScansJpeg } from '../testing/slow-jpeg.js'
import { countScans } from './scans.js'

test('counts the scans of what an encoder wrote', async () => {
  expect(countScans(await sharp(photograph).jpeg({ progressive: false }).toBuffer())).toBe(1)
  // One for DC, its refinement, and those of AC, see jpeg_simple_progression of libjpeg.
  expect(countScans(await sharp(photograph).jpeg({ progressive: true }).toBuffer())).toBe(10)
})

test('counts those of a hostile file', () => {
  expect(countScans(manyScansJpeg(16, 16))).toBe(2647)
})

test.each([
  ['fill bytes before a marker', 'ffd8 ff ffda 0008 0101000000ff d9', 1],
  ['a length that leads nowhere', 'ffd8 ffda ffff 00', 1],
  ['a length of zero', 'ffd8 ffda 0000 ffda 0002 00 00', 2],
  ['nothing', '', 0],
  ['a film after the image', 'ffd8 ffda 0003 00 12 ffd9 0002 ffda 0003 00 12', 1],
])('%s ends', (_, hex, scans) => {
  expect(countScans(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toBe(scans)
})
