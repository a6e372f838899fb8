import type { Sharp } from 'sharp'
import type { OutputFormat } from '../../../core/image/internal.js'

/** Default quality of each format, from 1 to 100. */
export interface QualityByFormat {
  /** Default 55. */
  avif?: number | undefined
  /** Default 75. */
  webp?: number | undefined
  /** Default 75. */
  jpeg?: number | undefined
}

// Measured on six photographs of the example site, 640 pixels wide, one thread, milliseconds of encoding alone; SSIM of
// the luma against the resized pixels. Mean per image:
//
//   AVIF, quality 55   effort 0: 21.8 kB  13 ms  0.936     WebP, quality 75   effort 0: 34.6 kB   6 ms  0.944
//                      effort 1: 20.2 kB  44 ms  0.936                        effort 1: 31.7 kB   7 ms  0.944
//                      effort 2: 20.2 kB  71 ms  0.938                        effort 2: 27.6 kB  10 ms  0.946
//                      effort 3: 20.0 kB 144 ms  0.940                        effort 3: 26.4 kB  24 ms  0.947
//                      effort 4: 19.9 kB 579 ms  0.943                        effort 4: 26.4 kB  23 ms  0.948
//   JPEG, quality 75             40.2 kB   3 ms  0.949     AVIF at 4:4:4, effort 0:  22.1 kB  16 ms  0.936
//
// So AVIF is encoded at effort 0, and WebP at effort 2: beyond it, time doubles for 4 percent fewer bytes.
const avifSettings = { effort: 0, chromaSubsampling: '4:2:0' }
const webpSettings = { effort: 2 }
const jpegSettings = { progressive: true }
const pngSettings = { compressionLevel: 6 }
const gifSettings = { effort: 3 }

/** Adds an encoder to a pipeline. A quality of 0 means the default of the format. */
export type Encode = (pipeline: Sharp, format: OutputFormat, quality: number) => Sharp

/**
 * Creates the encoders.
 *
 * @returns `encode`, and all its settings as text, so that a change of them changes the entity tags.
 */
export function createEncoder({ avif = 55, webp = 75, jpeg = 75 }: QualityByFormat = {}): {
  encode: Encode
  settings: string
} {
  const encoders: Record<OutputFormat, (pipeline: Sharp, quality: number) => Sharp> = {
    avif: (pipeline, quality) => pipeline.avif({ ...avifSettings, quality: quality || avif }),
    webp: (pipeline, quality) => pipeline.webp({ ...webpSettings, quality: quality || webp }),
    // JPEG has no transparency; white is the background of most pages.
    jpeg: (pipeline, quality) =>
      pipeline.flatten({ background: '#fff' }).jpeg({ ...jpegSettings, quality: quality || jpeg }),
    png: (pipeline) => pipeline.png(pngSettings),
    gif: (pipeline) => pipeline.gif(gifSettings),
  }
  return {
    encode: (pipeline, format, quality) => encoders[format](pipeline, quality),
    settings: JSON.stringify([avifSettings, webpSettings, jpegSettings, pngSettings, gifSettings, avif, webp, jpeg]),
  }
}
