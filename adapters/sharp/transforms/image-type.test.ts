import { expect, test } from 'vitest'
import { recognizeImage } from './image-type.js'

const container = (...brands: string[]) =>
  `\0\0\0${String.fromCharCode(8 + brands.length * 4)}ftyp${brands.join('')}mdat`

const jpegXl = expect.stringContaining('JPEG XL')

test.each([
  ['JPEG', '\xff\xd8\xff\xe0', { type: 'jpeg' }],
  ['PNG', '\x89PNG\r\n\x1a\n', { type: 'png' }],
  ['GIF', 'GIF89a', { type: 'gif' }],
  ['WebP', 'RIFF\0\0\0\0WEBPVP8 ', { type: 'webp' }],
  ['another RIFF', 'RIFF\0\0\0\0WAVEfmt ', undefined],
  ['TIFF', 'II*\0', { type: 'tiff' }],
  ['TIFF, big-endian', 'MM\0*', { type: 'tiff' }],
  ['AVIF', container('avif', '\0\0\0\0', 'mif1'), { type: 'avif' }],
  ['AVIF by a compatible brand', container('mif1', '\0\0\0\0', 'avif'), { type: 'avif' }],
  ['HEIC', container('heic', '\0\0\0\0', 'mif1'), { type: 'heic' }],
  ['HEIC by a compatible brand', container('mif1', '\0\0\0\0', 'mif1', 'heic'), { type: 'heic' }],
  ['MP4', container('isom', '\0\0\x02\0', 'isom', 'mp41'), { name: 'video' }],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', { type: 'svg' }],
  ['SVG after a byte order mark and white space', '\xef\xbb\xbf \n<svg>', { type: 'svg' }],
  ['SVG after a declaration', '<?xml version="1.0"?><!DOCTYPE svg><svg>', { type: 'svg' }],
  ['SVG after a comment', '<!-- a --><svg>', { type: 'svg' }],
  ['SVG with the brand of AVIF in a comment', '<!--ftypxxxx0000avif--><svg>', { type: 'svg' }],
  ['PPM with the brand of AVIF in a comment', 'P6\n#ftypxxxx0000avif\n1 1 255\n123', undefined],
  ['XML', '<?xml version="1.0"?><rss/>', { name: 'XML' }],
  ['HTML with inline SVG', '<!DOCTYPE html><svg>', { name: 'HTML' }],
  ['HTML', '<html><body>', { name: 'HTML' }],
  ['PDF', '%PDF-1.4', { name: 'PDF' }],
  ['BMP', `BM${'\0'.repeat(12)}\x28\0\0\0`, { type: 'bmp' }],
  ['text that begins like BMP', 'BM is short for Bookmobile, of course', undefined],
  ['ICO', '\0\0\x01\0', { type: 'ico' }],
  ['a cursor', '\0\0\x02\0', undefined],
  ['JPEG XL', '\xff\x0a', { name: jpegXl }],
  ['JPEG XL, boxed', '\0\0\0\x0cJXL \r\n\x87\n', { name: jpegXl }],
  ['zipped SVG', '\x1f\x8b\x08', undefined],
  ['a signature that is not at the start', ' \xff\xd8\xff', undefined],
  ['half a signature', '\x89PN', undefined],
  ['text', 'hello', undefined],
  ['nothing', '', undefined],
])('%s', (_, start, expected) => {
  expect(recognizeImage(Buffer.from(start, 'latin1'))).toEqual(expected)
})
