import sharp from 'sharp'
import { readRights } from '../../../core/rights.js'
import type { ColorCoding } from '../../../core/srgb.js'
import { rejected } from '../failure.js'
import { afterImage, codeOf, filterParts, findParts } from './containers.js'
import { type ImageType, undecodedTypes } from './image-type.js'
import type { ImageHeader } from './inspect.js'
import type { RenderedImage, RenderTask } from './task.js'
import { addRights } from './transform.js'

// White point, red, green and blue of sRGB, in units of 0.00001, as in PNG.
const srgbChromaticities = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
const srgbGamma = 45_455
// Compares like libpng: smaller differences are not visible.
const isNear = (value: number, expected: number) => Math.abs(value - expected) < expected / 20
// Code points of ITU-T H.273: unspecified, sRGB, and those that Chromium shows like sRGB in an AVIF.
const srgbPrimaries: ReadonlySet<number> = new Set([1, 2])
const srgbTransfers: ReadonlySet<number> = new Set([1, 2, 6, 13])
// The properties of an AVIF or HEIC are within this many bytes of its start.
const containerHeadBytes = 8_192

/** Maximum size in bytes of an original that is sent as it is, regardless of the requested width. */
const maxPassedBytes = 10_000_000

/**
 * Returns an original that is passed through, because decoding would lose or change it: ICO, BMP, SVG, animated AVIF
 * and PNG, and colors that the decoder does not understand. Returns `undefined` for all other originals, and for
 * originals above 10 MB that can be decoded.
 *
 * @throws ImageFailure 422 when an original above 10 MB cannot be decoded.
 */
export async function passThrough(task: RenderTask, type: ImageType): Promise<RenderedImage | undefined> {
  const { original } = task
  const isSmall = original.length <= maxPassedBytes
  const isAnimatedAvif = type === 'avif' && Buffer.from(original).toString('latin1', 8, 12) === 'avis'
  if (!undecodedTypes.has(type) && !isAnimatedAvif) {
    const isBeyond = type === 'png' ? isBeyondPng(original) : colorCodingOf(original, type)
    return isSmall && isBeyond ? await cleanOriginal(task, type) : undefined
  }
  // Also sent to clients that do not list AVIF, because a failure would be remembered for all clients.
  if (isSmall) return { format: type, body: new Uint8Array(original) }
  throw rejected(`is larger than ${maxPassedBytes} bytes, the limit for an image that is not resized`)
}

/**
 * Returns the image, or the original without its metadata when that is smaller and the client accepts its type. An
 * original that needs rotating is not sent, because its orientation is metadata.
 *
 * @param image The rendered image, with as many pixels as the original.
 */
export async function smallerOf(image: RenderedImage, task: RenderTask, header: ImageHeader): Promise<RenderedImage> {
  const original = header.isUpright ? await cleanOriginal(task, header.type) : undefined
  return original && original.body.length < image.body.length ? original : image
}

/** Returns the original without its metadata, but with its rights, if the client accepts its type. */
async function cleanOriginal(task: RenderTask, type: ImageType): Promise<RenderedImage | undefined> {
  const isAccepted = ['jpeg', 'png', 'gif', ...task.accepted].includes(type)
  const body = isAccepted ? withoutMetadata(task.original, type) : undefined
  if (!body || !task.keepCopyright || (type !== 'jpeg' && type !== 'png'))
    return body && { format: type, body: new Uint8Array(body) }
  return { format: type, body: new Uint8Array(await insertRights(body, task.original, type)) }
}

/** Inserts the rights of an original: as the parts of an image of one pixel that has them. */
async function insertRights(body: Uint8Array, original: Uint8Array, type: 'jpeg' | 'png'): Promise<Uint8Array> {
  const rights = readRights(await sharp(type === 'png' ? withoutPngText(original) : original).metadata())
  if (!rights) return body
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
  const carrier = await addRights(pixel, rights).toFormat(type).toBuffer()
  const parts = filterParts(carrier, type, (part) => rightsParts.has(part))
  const [start, signature] = type === 'png' ? [33, 8] : [2, 0]
  return Buffer.concat([body.subarray(0, start), parts.subarray(signature), body.subarray(start)])
}

// The segment for Exif and XMP in a JPEG, and their chunks in a PNG of libvips.
const rightsParts: ReadonlySet<number> = new Set([0xffe1, codeOf('eXIf'), codeOf('zTXt')])

/**
 * Whether browsers show more of a PNG than libvips does: the other frames of an animation, or colors that are described
 * without a profile, which libvips takes for sRGB. If there are several descriptions of the colors, the first of this
 * list counts: cICP, iCCP, sRGB, gAMA with cHRM (PNG, third edition, section 4.3).
 */
function isBeyondPng(png: Uint8Array): boolean {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const find = (name: string) => {
    const [start] = findParts(file, 'png', codeOf(name))
    return start === undefined ? undefined : file.subarray(start + 8)
  }
  if ((find('acTL')?.readUInt32BE() ?? 1) > 1) return true
  const codePoints = find('cICP')?.readUInt16BE()
  if (codePoints !== undefined) return codePoints !== 0x010d
  const gamma = find('gAMA')?.readUInt32BE()
  if (!gamma || find('iCCP') || find('sRGB')) return false
  const white = find('cHRM')
  const isOther = (expected: number, index: number) => white && !isNear(white.readUInt32BE(index * 4), expected)
  return !isNear(gamma, srgbGamma) || srgbChromaticities.some(isOther)
}

/**
 * Returns how the colors of an original are coded, if a profile does not say so and libvips would take them for sRGB: by
 * the chunk cICP of a PNG, or by the first color property of an AVIF or HEIC (ISO/IEC 14496-12, section 12.1.5).
 */
export function colorCodingOf(original: Uint8Array, type: ImageType): ColorCoding | undefined {
  const head = Buffer.from(original.subarray(0, containerHeadBytes))
  if (type === 'png') {
    const [start] =
      findParts(original, type, codeOf('iCCP')).length > 0 ? [] : findParts(original, type, codeOf('cICP'))
    const [primaries = 1, transfer = 13] = start === undefined ? [] : original.subarray(start + 8)
    return primaries === 1 && transfer === 13 ? undefined : { primaries, transfer }
  }
  const at = head.indexOf('colrnclx') + 8
  const hasProfile = head.includes('colrprof') || head.includes('colrrICC')
  if ((type !== 'avif' && type !== 'heic') || at < 8 || at + 4 > head.length || hasProfile) return undefined
  const [primaries, transfer] = [head.readUInt16BE(at), head.readUInt16BE(at + 2)]
  return srgbPrimaries.has(primaries) && srgbTransfers.has(transfer) ? undefined : { primaries, transfer }
}

// Chunks that change how a PNG looks (PNG, third edition, section 5.6).
const pngChunks = 'IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP mDCV cLLI sBIT sRGB bKGD pHYs acTL fcTL fdAT'
const pngCodes: ReadonlySet<number> = new Set(pngChunks.split(' ').map(codeOf))

/**
 * Returns an original without EXIF, XMP, GPS and other metadata, and without the bytes that follow the image in its
 * file. Nothing is encoded again, and the color profile stays.
 *
 * @returns `undefined` when the metadata cannot be separated from the image.
 */
function withoutMetadata(original: Uint8Array, type: ImageType): Uint8Array | undefined {
  if (type === 'jpeg') return filterParts(original, type, (marker, start) => !isJpegMetadata(original, marker, start))
  if (type === 'png') return filterParts(original, type, (chunk) => pngCodes.has(chunk))
  // In WebP, AVIF and GIF, metadata is rare and part of the structure of the file.
  const bytes = Buffer.from(original.buffer, original.byteOffset, original.byteLength)
  return ['Exif', 'EXIF', 'XMP ', 'rdf+xml'].some((name) => bytes.includes(name)) ? undefined : original
}

/**
 * Whether a part is a comment, application data that does not change how the image looks, or the bytes after the image.
 */
function isJpegMetadata(jpeg: Uint8Array, marker: number, start: number): boolean {
  if (marker < 0xffe0 || marker > 0xffef) return marker === 0xfffe || marker === afterImage
  const content = Buffer.from(jpeg.subarray(start + 4, start + 16)).toString('latin1')
  return !/^(?:JFIF|ICC_PROFILE|Adobe)/.test(content)
}

const exif = codeOf('eXIf')
const pngTexts: ReadonlySet<number> = new Set([codeOf('iTXt'), codeOf('zTXt')])

const xmpKeyword = 'XML:com.adobe.xmp\0'

/**
 * Returns a PNG with only the chunks that change how it looks, its Exif and its first XMP. Of texts, a decoder
 * would inflate and keep all, up to 8 MB each: 300 texts with a total of 2 MB take 2.4 GB.
 *
 * @returns The same bytes when there is nothing to remove.
 */
export function withoutPngText(png: Uint8Array): Uint8Array {
  let hasXmp = false
  const isKept = (chunk: number, start: number) => {
    if (!pngTexts.has(chunk)) return pngCodes.has(chunk) || chunk === exif
    const isXmp = Buffer.from(png.subarray(start + 8, start + 26)).toString('latin1') === xmpKeyword
    if (hasXmp || !isXmp) return false
    hasXmp = true
    return true
  }
  return filterParts(png, 'png', isKept)
}
