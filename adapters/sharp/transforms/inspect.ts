import sharp from 'sharp'
import { type Rights, readRights } from '../../../core/rights.js'
import { rejected } from '../failure.js'
import { findParts, startOfScan } from './containers.js'
import { type ImageType, recognizeImage } from './image-type.js'

/**
 * Encoders write between 1 and about 12 scans. A file of 300 KB can have thousands, each of which costs 0.2 to 0.6
 * nanoseconds per pixel. libtiff has the same limit:
 * https://gitlab.com/libtiff/libtiff/-/blob/master/libtiff/tif_jpeg.c
 */
const maxScans = 100

/** Properties of an original, from its header. */
export interface ImageHeader {
  type: ImageType
  /** In pixels, after rotation by the EXIF orientation. Frames of an animation are not rotated. */
  width: number
  height: number
  /** Whether the pixels need no rotation by the EXIF orientation. */
  isUpright: boolean
  /** Number of frames; 1 for a still image. */
  pages: number
  hasAlpha: boolean
  /** Whether the profile is of a kind that browsers ignore. */
  ignoresProfile: boolean
  /** Copyright, creator and credit. */
  rights: Rights | undefined
  /** Color space and depth as libvips names them: `srgb`, `rgb16`, `b-w`, `grey16`, `cmyk` and so on. */
  space: string
}

const heicCure = 'convert it to JPEG or AVIF; on an iPhone, choose Camera, Formats, Most Compatible'

/**
 * Recognizes the type of an original by its first bytes.
 *
 * @param svg Whether SVG is accepted.
 * @throws ImageFailure 422 when the type is not accepted.
 */
export function checkType(bytes: Uint8Array, svg: boolean): ImageType {
  const recognized = recognizeImage(bytes)
  if (bytes.length === 0) throw rejected('is empty')
  if (!recognized) throw rejected('is not an image of a known type')
  const { type, name = 'SVG' } = recognized
  if (!type || (type === 'svg' && !svg)) throw rejected(`is ${name}, which is not accepted`)
  if (type === 'heic' && !sharp.format.heif.input.fileSuffix?.includes('.heic')) {
    throw rejected(`is HEIC, which browsers do not show and this build of sharp cannot read: ${heicCure}`)
  }
  return type
}

/**
 * Reads the header of an original, without decoding it.
 *
 * @throws ImageFailure 422 when the original has more than `maxPixels` pixels, counting all frames, has more than 100
 *   scans, or cannot be read.
 */
export async function inspectImage(bytes: Uint8Array, type: ImageType, maxPixels: number): Promise<ImageHeader> {
  // sharp's own limit is off so that the error can state the size. No memory is allocated for pixels here.
  const reading = sharp(bytes, { limitInputPixels: false }).metadata()
  const header = await reading.catch((cause) => {
    throw rejected('is corrupt', cause)
  })
  // The pages of a TIFF are not frames, and only the first is decoded.
  const pages = type === 'gif' || type === 'webp' ? (header.pages ?? 1) : 1
  // Frames cannot be rotated, and animations have no useful orientation.
  const isUpright = pages > 1 || (header.orientation ?? 1) === 1
  const { width, height } = isUpright ? header : header.autoOrient
  if (width * height * pages > maxPixels) {
    const frames = pages > 1 ? ` with ${pages} frames` : ''
    throw rejected(`is too large: ${width} x ${height} pixels${frames}`)
  }
  const scans = type === 'jpeg' && header.isProgressive ? findParts(bytes, type, startOfScan).length : 1
  if (scans > maxScans) throw rejected(`has ${scans} scans, more than ${maxScans}`)
  const { hasAlpha, space } = header
  // A profile of gray in CIE L* (ICC.1, section 7.2: color space and connection space). Chromium shows it as sRGB.
  const ignoresProfile = header.icc?.toString('latin1', 16, 24) === 'GRAYLab '
  return { type, width, height, isUpright, pages, hasAlpha, ignoresProfile, space, rights: readRights(header) }
}

const endOfImage = Buffer.of(0xff, 0xd9)

/**
 * Adds an end of image to a JPEG in which nothing else is missing.
 *
 * @returns `undefined` when more is missing.
 */
export async function repairJpegEnd(jpeg: Uint8Array): Promise<Uint8Array | undefined> {
  const closed = Buffer.concat([jpeg, endOfImage])
  const reading = sharp(closed, { failOn: 'warning' }).stats()
  return await reading.then(
    () => closed,
    () => undefined,
  )
}
