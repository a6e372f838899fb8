import type { Sharp } from 'sharp'
import type { NegotiatedFormat, OutputFormat } from '../../../core/image/internal.js'
import type { ImageHeader } from './inspect.js'

/** A format of the service that is sent only to clients that list it in `Accept`. */
export type ModernFormat = NegotiatedFormat & OutputFormat

/** The formats in which a graphic is sent. */
type GraphicFormat = ModernFormat | 'png'

interface Encoder {
  /** Default quality, from 1 to 100; `undefined` for a format without quality. */
  readonly quality?: number
  readonly settings: object
  /** The settings for a graphic. */
  readonly graphic?: object
  /** Returns the settings of a stored image that is encoded again for fewer bytes, if the format has any. */
  readonly refined?: (quality: number) => object
  /** Whether animations are encoded in this format. */
  readonly isAnimated?: boolean
}
type Encoders = Readonly<Record<OutputFormat, Encoder> & Record<GraphicFormat, { graphic: object }>>

/** Default quality of each format, from 1 to 100. */
export interface QualityByFormat {
  /** Default 58. */
  avif?: number | undefined
  /** Default 75. */
  webp?: number | undefined
  /** Default 72. */
  jpeg?: number | undefined
}

// Measured on the nine photographs of the example site, 750 pixels wide, in one thread: processor time for encoding
// only, and bytes at the same SSIM within each format (luma, compared with the resized pixels). Mean per image:
//
//   AVIF, quality 55   effort 0: 28.8 kB   22 ms     WebP, quality 75   effort 0: 44.2 kB   10 ms
//                      effort 1: 26.9 kB   67 ms                        effort 1: 40.6 kB   13 ms
//                      effort 2: 25.8 kB  113 ms                        effort 2: 35.2 kB   17 ms
//   JPEG, quality 75   progressive: 50.4 kB   7 ms                      effort 3: 32.9 kB   37 ms
//                      baseline:    52.1 kB   4 ms                      effort 4: 32.9 kB   40 ms, preset 'photo' 32.5 kB
//                      mozjpeg:     47.7 kB  30 ms                      effort 5: 33.1 kB   43 ms
//                                                                       effort 6: 32.1 kB   84 ms
//
// AVIF is therefore encoded at effort 0 and WebP at effort 2: beyond that, 7 percent fewer bytes would take three times
// as long (AVIF) or twice as long (WebP). For JPEG, 5 percent fewer bytes would take four times as long. The first
// visitor waits for the encoder.
//
// The default qualities look alike: on the same photographs, mean SSIM is 0.946 (AVIF 58, 32.3 kB), 0.947 (WebP 75,
// 35.2 kB) and 0.947 (JPEG 72, 47.4 kB).
//
// The refined settings take fewer bytes for the same SSIM, but 3 to 100 times as much processor time (measured in
// decision 30). With these settings, an image needs another quality to look the same. The formulas follow measurements
// at two to five qualities of each format. Increment `transformRevision` when you change them.
export const encoders: Encoders = {
  avif: {
    quality: 58,
    settings: { effort: 0, chromaSubsampling: '4:2:0' },
    // 4:2:0 would smear the edges of a graphic, and below quality 80 the noise around letters is visible.
    graphic: { effort: 0, chromaSubsampling: '4:4:4', quality: 80 },
    refined: (quality) => ({ effort: 6, quality: Math.round(0.95 * quality) }),
  },
  webp: {
    quality: 75,
    settings: { effort: 2 },
    graphic: { effort: 2, lossless: true },
    refined: (quality) => ({ effort: 6, preset: 'photo', quality: Math.round(0.84 * quality + 13) }),
    isAnimated: true,
  },
  jpeg: {
    quality: 72,
    settings: { progressive: true },
    refined: (quality) => ({ mozjpeg: true, quantisationTable: 7, quality: Math.round(0.0075 * quality ** 2 + 18) }),
  },
  png: { settings: { compressionLevel: 6 }, graphic: { compressionLevel: 6 } },
  gif: { settings: { effort: 3 }, isAnimated: true },
}

/**
 * Creates the encoders.
 *
 * @param given The qualities that the site sets.
 * @param isRefined Whether they take more time for fewer bytes.
 * @returns The encoders, and all their settings as text: changing any of the settings changes the entity tags.
 */
export function createEncoder(given: QualityByFormat = {}, isRefined = false) {
  const settingsOf = (format: OutputFormat) => {
    const { settings, quality: usual, refined } = encoders[format]
    if (usual === undefined) return settings
    const quality = given[format as keyof QualityByFormat] ?? usual
    return { ...settings, quality, ...(isRefined && refined?.(quality)) }
  }
  const mapFormats = (read: (format: OutputFormat) => object | undefined) =>
    Object.fromEntries(Object.keys(encoders).map((format) => [format, read(format as OutputFormat)]))
  return {
    /** Adds an encoder that keeps the edges of a graphic. */
    encodeGraphic: (pipeline: Sharp, format: GraphicFormat) => pipeline.toFormat(format, encoders[format].graphic),
    /** Adds an encoder to a pipeline. */
    encode(pipeline: Sharp, format: OutputFormat): Sharp {
      // JPEG has no transparency, so transparent areas become white, the background of most pages.
      const shown = format === 'jpeg' ? pipeline.flatten({ background: '#fff' }) : pipeline
      return shown.toFormat(format, settingsOf(format))
    },
    settings: JSON.stringify([mapFormats(settingsOf), mapFormats((format) => encoders[format].graphic)]),
  }
}

/**
 * Chooses the format of an image. Animations become WebP if it is accepted or the
 * original is WebP, otherwise GIF. Still images become AVIF or WebP if accepted, otherwise PNG with an alpha channel
 * and JPEG without.
 *
 * @param offered The formats that the client accepts and the service can make.
 * @example chooseFormat({ type: 'png', pages: 1, hasAlpha: true }, []) // 'png'
 */
export function chooseFormat(
  { type, pages, hasAlpha }: Pick<ImageHeader, 'type' | 'pages' | 'hasAlpha'>,
  offered: readonly ModernFormat[],
): OutputFormat {
  // Not AVIF: libvips cannot write animated AVIF.
  if (pages > 1) return offered.includes('webp') || type === 'webp' ? 'webp' : 'gif'
  return offered[0] ?? (hasAlpha ? 'png' : 'jpeg')
}
