import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { pngChunk } from './color-patches.js'

/** The example site's photographs, about 1024 pixels wide. */
export const photographs = new URL('../../../examples/site/media/', import.meta.url)

/** A photograph of 1024 x 750 pixels. */
export const photograph = await readFile(new URL('black-canyon.jpg', photographs))

/** Returns format, size and other properties of a file. */
export const describe = async (file: Uint8Array) => {
  const {
    format,
    width,
    height,
    pages = 1,
    hasAlpha,
    depth,
    space,
    exif,
    icc,
    orientation,
  } = await sharp(file).metadata()
  const compression = format === 'heif' ? 'avif' : format
  return { format: compression, width, height, pages, hasAlpha, depth, space, exif, icc, orientation }
}

/** Returns the means of red, green and blue, from 0 to 255. */
export const meanColor = async (file: Uint8Array) =>
  (await sharp(file).toColourspace('srgb').removeAlpha().stats()).channels.map(({ mean }) => mean)

/** A photograph cut off after 60 percent of its bytes. */
export const truncated = (format: 'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif', progressive = false) =>
  sharp(photograph)
    .resize(600)
    .toFormat(format, { progressive })
    .toBuffer()
    .then((file) => file.subarray(0, Math.floor(file.length * 0.6)))

export const cmykJpeg = () => sharp(photograph).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()

export const sixteenBitPng = () => sharp(photograph).toColourspace('rgb16').png().toBuffer()

/** Has another color space than sRGB. */
export const displayP3Jpeg = () => sharp(photograph).withIccProfile('p3').jpeg({ quality: 95 }).toBuffer()

/** With an EXIF orientation: 750 x 1024 pixels after rotation. */
export const rotatedJpeg = () => sharp(photograph).withMetadata({ orientation: 6 }).jpeg().toBuffer()

/** Half of it is transparent. */
export const transparentPng = () =>
  sharp({ create: { width: 300, height: 200, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } })
    .png()
    .toBuffer()

/** Red on the left, and transparent on the right, where blue is hidden. */
export const holedPng = () => {
  const pixels = Array.from({ length: 64 * 48 }, (_, at) => (at % 64 < 32 ? [200, 40, 40, 255] : [0, 0, 255, 0]))
  return sharp(Uint8Array.from(pixels.flat()), { raw: { width: 64, height: 48, channels: 4 } })
    .png()
    .toBuffer()
}

/** A gray JPEG. */
export const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer()

const frames = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      sharp({ create: { width: 120, height: 80, channels: 3, background: { r: index * 40, g: 120, b: 60 } } })
        .png()
        .toBuffer(),
    ),
  )

/** Five frames of 120 x 80 pixels. */
export const animated = async (format: 'gif' | 'webp') =>
  sharp(await frames(5), { join: { animated: true } })
    .toFormat(format, { delay: [100, 100, 100, 100, 100], loop: 0 })
    .toBuffer()

/** A valid PNG of less than a kilobyte that claims 50,000 x 50,000 pixels. */
export const bombPng = () => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(50_000, 0)
  header.writeUInt32BE(50_000, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(64 * 1024))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
)
export const pdf = Buffer.from('%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF')
