/** Width and height in pixels. */
export interface ImageSize {
  width: number
  height: number
}

/**
 * Reads the size of an AVIF, WebP, JPEG or PNG from its header. Returns `undefined` for other formats and for truncated
 * files.
 *
 * @example readImageSize(new Uint8Array(await response.arrayBuffer())) // { width: 640, height: 427 }
 */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    if (view.getUint16(0) === 0xffd8) return jpegSize(view)
    if (tagAt(view, 0) === 'RIFF' && tagAt(view, 8) === 'WEBP') return webpSize(view)
    if (tagAt(view, 4) === 'ftyp') return avifSize(view)
    if (tagAt(view, 1) === 'PNG\r') return { width: view.getUint32(16), height: view.getUint32(20) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // a RangeError: the header is truncated
  }
  return undefined
}

function tagAt(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)))
}

/** ITU-T T.81, B.2.2: the size is in the start-of-frame segment (markers 0xc0 to 0xcf, except for three). */
function jpegSize(view: DataView): ImageSize {
  let offset = 2
  for (;;) {
    const marker = view.getUint16(offset)
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)
    if (isFrame) return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) }
    offset += 2 + view.getUint16(offset + 2)
  }
}

/** RFC 9649, sections 2.5 to 2.7: lossy, lossless and extended formats. */
function webpSize(view: DataView): ImageSize | undefined {
  const chunk = tagAt(view, 12)
  if (chunk === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (chunk === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (chunk !== 'VP8X') return undefined
  return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 }
}

/** ISO/IEC 23008-12, 6.5.3: the property `ispe`. A tiled image has several; the largest is the whole image. */
function avifSize(view: DataView): ImageSize | undefined {
  let largest: ImageSize | undefined
  // The boxes before the pixel data are small, so the pixel data need not be searched.
  const end = Math.min(view.byteLength - 16, 16_384)
  for (let offset = 0; offset < end; offset++) {
    if (view.getUint32(offset) !== 0x69737065) continue
    const size = { width: view.getUint32(offset + 8), height: view.getUint32(offset + 12) }
    if (!largest || size.width > largest.width) largest = size
  }
  return largest
}
