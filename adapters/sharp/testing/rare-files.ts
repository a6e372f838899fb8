import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { patchesPng, pngChunk } from './color-patches.js'

/** A 16-color image of 32 x 32 pixels with a palette, like an icon. */
export const palettePng = () => {
  const pixels = Uint8Array.from({ length: 32 * 32 * 3 }, (_, at) => {
    const [x, y, channel] = [Math.floor(at / 3) % 32, Math.floor(at / 96), at % 3]
    return (((x >> 3) + (y >> 3) * 4) * (37 + channel * 60)) % 256
  })
  return sharp(pixels, { raw: { width: 32, height: 32, channels: 3 } })
    .png({ palette: true })
    .toBuffer()
}

/** Modules of 10 pixels, black and white, at random as in a QR code, in one bit per pixel. */
export const qrCode = (modules = 29) => {
  const bits = Uint8Array.from({ length: modules ** 2 }, (_, index) =>
    (((index + 1) * 2_654_435_761) >>> 9) % 2 ? 255 : 0,
  )
  return sharp(bits, { raw: { width: modules, height: modules, channels: 1 } })
    .resize(modules * 10, modules * 10, { kernel: 'nearest' })
    .png({ palette: true, colours: 2, dither: 0 })
    .toBuffer()
}

/** Writes an ICO that contains a PNG. */
export const ico = (png: Uint8Array) => {
  const directory = Buffer.alloc(22)
  directory.set([0, 0, 1, 0, 1, 0, 32, 32, 0, 0, 1, 0, 32, 0])
  directory.writeUInt32LE(png.length, 14)
  directory.writeUInt32LE(22, 18)
  return Buffer.concat([directory, png])
}

/** A BMP of 2 x 2 red pixels. */
export const bmp = () => {
  const file = Buffer.alloc(54 + 16)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeUInt32LE(2, 18)
  file.writeUInt32LE(2, 22)
  file.set([1, 0, 24, 0], 26)
  for (const at of [54, 57, 62, 65]) file[at + 2] = 255
  return file
}

const afterHeader = 33
/** Inserts chunks behind the header of a PNG. */
export const withChunks = (png: Uint8Array, ...chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, afterHeader), ...chunks, png.subarray(afterHeader)])

const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
export const gamma = (value: number) => pngChunk('gAMA', uint32(value))
export const codePoints = (...values: number[]) => pngChunk('cICP', Buffer.from(values))
/** White point, red, green and blue of Display P3. */
export const p3Chromaticities = pngChunk('cHRM', uint32(31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000))
export const sRgb = pngChunk('sRGB', Buffer.of(0))

/** Two frames of 16 x 16 pixels: red, then green. */
export const animatedPng = () => {
  const frame = (color: string) =>
    Buffer.concat(Array.from({ length: 16 }, () => Buffer.from(`00${color.repeat(16)}`, 'hex')))
  const header = Buffer.concat([uint32(16, 16), Buffer.of(8, 2, 0, 0, 0)])
  const control = (sequence: number) =>
    pngChunk('fcTL', Buffer.concat([uint32(sequence, 16, 16, 0, 0), Buffer.of(0, 1, 0, 2, 0, 0)]))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('acTL', uint32(2, 0)),
    pngChunk('tEXt', Buffer.from('Comment\0GPS 46.9, 7.4')),
    control(0),
    pngChunk('IDAT', deflateSync(frame('ff0000'))),
    control(1),
    pngChunk('fdAT', Buffer.concat([uint32(2), deflateSync(frame('00ff00'))])),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** The colors of the files with other color descriptions. */
export const patchColors = [
  [255, 0, 0],
  [0, 255, 0],
  [30, 160, 90],
  [128, 128, 128],
]
export const patches = patchesPng({ colors: patchColors, bits: 8 })

// Written by avifenc 0.11.1: `patchColors` as patches of 16 pixels, with --cicp 12/13/6 (Display P3) and 1/13/6 (sRGB),
// and two frames of 16 x 16 pixels.
const fromBase64 = (text: string) => Buffer.from(text, 'base64')
export const p3Avif = fromBase64(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAEIAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAEAAAAAQAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAAMAA0ABoAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAAEptZGF0EgAKCDgU//YQwNBpMjQQgAAAQO5qP2Ej9ISDQ1D7N6403YsnHBKqttSlh2uHzbABKtVQ2/AxHMkmYgSIkJJH9MZA',
)
export const srgbAvif = fromBase64(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAEIAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAEAAAAAQAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAABAA0ABoAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAAEptZGF0EgAKCDgU//YQENBpMjQQgAAAQO5qP2Ej9ISDQ1D7N6403YsnHBKqttSlh2uHzbABKtVQ2/AxHMkmYgSIkJJH9MZA',
)
export const animatedAvif = fromBase64(
  'AAAALGZ0eXBhdmlzAAAAAGF2aWZhdmlzbXNmMWlzbzhtaWYxbWlhZk1BMUEAAAGNbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAsaWxvYwAAAABEAAACAAEAAAABAAAG5gAAACkAAgAAAAEAAAa8AAAAGgAAAEJpaW5mAAAAAAACAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAAAaaW5mZQIAAAAAAgAAYXYwMUFscGhhAAAAABppcmVmAAAAAAAAAA5hdXhsAAIAAQABAAAAw2lwcnAAAACdaXBjbwAAABRpc3BlAAAAAAAAABAAAAAQAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAABAA0ABoAAAAAOcGl4aQAAAAABCAAAAAxhdjFDgQAcAAAAADhhdXhDAAAAAHVybjptcGVnOm1wZWdCOmNpY3A6c3lzdGVtczphdXhpbGlhcnk6YWxwaGEAAAAAHmlwbWEAAAAAAAAAAgABBAECgwQAAgQBBYYHAAAE+21vb3YAAAB4bXZoZAEAAAAAAAAA5y4LHwAAAADnLgsfAAAAHgAAAAAAAAACAAEAAAEAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAIhdHJhawAAAGh0a2hkAQAAAQAAAADnLgsfAAAAAOcuCx8AAAABAAAAAAAAAAAAAAACAAAAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAQAAAAAAQAAAAEAAAAAABsW1kaWEAAAAsbWRoZAEAAAAAAAAA5y4LHwAAAADnLgsfAAAAHgAAAAAAAAACVcQAAAAAAChoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAbGliYXZpZgAAAAFVbWluZgAAABR2bWhkAAAAAQAAAAAAAAAAAAAAJGRpbmYAAAAcZHJlZgAAAAAAAAABAAAADHVybCAAAAABAAABFXN0YmwAAAAUc3RjbwAAAAAAAAABAAAG5gAAABxzdHNjAAAAAAAAAAEAAAABAAAAAgAAAAEAAAAcc3RzegAAAAAAAAAAAAAAAgAAACkAAAA5AAAAFHN0c3MAAAAAAAAAAQAAAAEAAAAYc3R0cwAAAAAAAAABAAAAAgAAAAEAAACVc3RzZAAAAAAAAAABAAAAhWF2MDEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAEAAQAEgAAABIAAAAAAAAAAEKQU9NIENvZGluZwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY//8AAAAMYXYxQ4EgAAAAAAATY29scm5jbHgAAQANAAaAAAAAEGNjc3QAAAAAfAAAAAAAAlp0cmFrAAAAaHRraGQBAAABAAAAAOcuCx8AAAAA5y4LHwAAAAIAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAABAAAAAQAAAAAAAUdHJlZgAAAAxhdXhsAAAAAQAAAdZtZGlhAAAALG1kaGQBAAAAAAAAAOcuCx8AAAAA5y4LHwAAAB4AAAAAAAAAAlXEAAAAAAAoaGRscgAAAAAAAAAAYXV4dgAAAAAAAAAAAAAAAGxpYmF2aWYAAAABem1pbmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAATpzdGJsAAAAFHN0Y28AAAAAAAAAAQAABrwAAAAcc3RzYwAAAAAAAAABAAAAAQAAAAIAAAABAAAAHHN0c3oAAAAAAAAAAAAAAAIAAAAaAAAAEAAAABRzdHNzAAAAAAAAAAEAAAABAAAAGHN0dHMAAAAAAAAAAQAAAAIAAAABAAAAunN0c2QAAAAAAAAAAQAAAKphdjAxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAABAAEABIAAAASAAAAAAAAAABCkFPTSBDb2RpbmcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAADGF2MUOBABwAAAAAEGNjc3QAAAAAfAAAAAAAADhhdXhpAAAAAHVybjptcGVnOm1wZWdCOmNpY3A6c3lzdGVtczphdXhpbGlhcnk6YWxwaGEAAAAAlG1kYXQSAAoJAAAAAZ/5tfJUMgsQAIAAP6Aq8hJzQBIAMgwwA4CA/fhGgAQAexASAAoMIAAAAZ/5tfJAQ0GkMhcQAKgAIIIIJBBIOVCfNmBd58yEb5WiQBIAMjUwA4CA/fhGuQBJJJIkEAoAAhKciMm47Bsvf9BK1uiS+ZhgdRyLZNX8O7Dqo5CORlIwBgU3gA==',
)

// Written by avifenc 0.11.1, from patches of [180, 140, 100], [100, 150, 200], [120, 60, 180] and [128, 128, 128]: with
// --cicp 9/16/9 (PQ, 10 bits) and Exif, 9/18/9 (HLG, 10 bits) and XMP, and 12/13/6 (Display P3) and Exif.
export const pqAvif = fromBase64(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAEzbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAsaWxvYwAAAABEAAACAAEAAAABAAACJQAAAEMAAgAAAAEAAAFbAAAAygAAAEFpaW5mAAAAAAACAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAAAZaW5mZQIAAAAAAgAARXhpZkV4aWYAAAAAGmlyZWYAAAAAAAAADmNkc2MAAgABAAEAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAQAAAABAAAAAQcGl4aQAAAAADCgoKAAAADGF2MUOBIEAAAAAAE2NvbHJuY2x4AAkAEAAJgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAABFW1kYXQAAAAASUkqAAgAAAAHABIBAwABAAAAAQAAABoBBQABAAAAYgAAABsBBQABAAAAagAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAJiCAgAFAAAAcgAAAGmHBAABAAAAeAAAAAAAAAA4YwAA6AMAADhjAADoAwAASmFuZQAABgAAkAcABAAAADAyMTABkQcABAAAAAECAwAAoAcABAAAADAxMDABoAMAAQAAAP//AAACoAQAAQAAAEAAAAADoAQAAQAAABAAAAAAAAAAEgAKCDgU//5wkQCZMjUQgAAAQADpT5GUBeAjSdssO9Qcl7moJB2G2vX0hfIJqsjPOM6gb9ZaGlkF9ftYB3KM+eQsyA==',
)
export const hlgAvif = fromBase64(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAFGbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAsaWxvYwAAAABEAAACAAEAAAABAAAB6QAAAEMAAgAAAAEAAAFuAAAAewAAAFRpaW5mAAAAAAACAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAAAsaW5mZQIAAAAAAgAAbWltZVhNUABhcHBsaWNhdGlvbi9yZGYreG1sAAAAABppcmVmAAAAAAAAAA5jZHNjAAIAAQABAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAEAAAAAQAAAAEHBpeGkAAAAAAwoKCgAAAAxhdjFDgSBAAAAAABNjb2xybmNseAAJABIACYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAAMZtZGF0PHg6eG1wbWV0YSB4bWxuczp4PSJhZG9iZTpuczptZXRhLyI+PHJkZjpSREYgeG1sbnM6cmRmPSJodHRwOi8vd3d3LnczLm9yZy8xOTk5LzAyLzIyLXJkZi1zeW50YXgtbnMjIj48L3JkZjpSREY+PC94OnhtcG1ldGE+EgAKCDgU//5wkSCZMjUQgAAAQADpT5GUBeAjSdssO9Qcl7moJB2G2vX0hfIJqsjPOM6gb9ZaGlkF9ftYB3KM+eQsyA==',
)
export const p3AvifWithExif = fromBase64(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAEzbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAsaWxvYwAAAABEAAACAAEAAAABAAACJQAAAD8AAgAAAAEAAAFbAAAAygAAAEFpaW5mAAAAAAACAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAAAZaW5mZQIAAAAAAgAARXhpZkV4aWYAAAAAGmlyZWYAAAAAAAAADmNkc2MAAgABAAEAAABqaXBycAAAAEtpcGNvAAAAFGlzcGUAAAAAAAAAQAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBIAAAAAAAE2NvbHJuY2x4AAwADQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAABEW1kYXQAAAAASUkqAAgAAAAHABIBAwABAAAAAQAAABoBBQABAAAAYgAAABsBBQABAAAAagAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAJiCAgAFAAAAcgAAAGmHBAABAAAAeAAAAAAAAAA4YwAA6AMAADhjAADoAwAASmFuZQAABgAAkAcABAAAADAyMTABkQcABAAAAAECAwAAoAcABAAAADAxMDABoAMAAQAAAP//AAACoAQAAQAAAEAAAAADoAQAAQAAABAAAAAAAAAAEgAKCDgU//5QwNBpMjEQgAAAQADpT5GUsxdtL99L9UQ+4al8oEpUkDyG15r80WVPktFao2YCEdTq4PSgFmLg',
)

/** The start of an ISO base media file with a major brand. */
export const container = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1${brand}`, 'latin1')

/** A JPEG with EXIF (a camera and a GPS position), XMP, a comment, a thumbnail's segment, and a video after its end. */
export const photographed = async (jpeg: Uint8Array) => {
  const exif = { IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '46/1 57/1 0/1' } }
  const file = await sharp(jpeg).withExif(exif).withIccProfile('p3').jpeg({ quality: 30 }).toBuffer()
  const segment = (marker: number, text: string) => {
    const bytes = Buffer.concat([Buffer.of(0xff, marker, 0, 0), Buffer.from(text, 'latin1')])
    bytes.writeUInt16BE(text.length + 2, 2)
    return bytes
  }
  return Buffer.concat([
    file.subarray(0, 2),
    segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>GPS</x:xmpmeta>'),
    segment(0xed, 'Photoshop 3.0\0 city: Bern'),
    segment(0xfe, 'taken at home'),
    file.subarray(2),
    Buffer.from('....ftypmp42 GPS in the video'),
  ])
}
