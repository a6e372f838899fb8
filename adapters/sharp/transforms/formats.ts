import type { NegotiatedFormat, OutputFormat } from '../../../core/image/internal.js'
import type { ImageHeader } from './inspect.js'

/** A format of the service that is sent only to clients that list it in `Accept`. */
export type ModernFormat = NegotiatedFormat & OutputFormat

/** The original, and the number of pixels to encode. */
export type FormatInput = Pick<ImageHeader, 'type' | 'pages' | 'hasAlpha'> & { pixels: number }

/**
 * Chooses the format of an image when the URL does not name one. Animations become WebP if it is accepted or the
 * original is WebP, otherwise GIF. Still images become AVIF or WebP if accepted, otherwise PNG with an alpha channel
 * and JPEG without.
 *
 * @param maxAvifPixels Images with more pixels become WebP where AVIF would otherwise be chosen. Default: no limit.
 * @example chooseFormat({ type: 'png', pages: 1, hasAlpha: true, pixels: 9 }, []) // 'png'
 */
export function chooseFormat(
  input: FormatInput,
  accepted: readonly ModernFormat[],
  maxAvifPixels = Number.POSITIVE_INFINITY,
): OutputFormat {
  const { type, pages, hasAlpha, pixels } = input
  // Not AVIF: libvips cannot write animated AVIF.
  if (pages > 1) return accepted.includes('webp') || type === 'webp' ? 'webp' : 'gif'
  const offered = accepted.filter((format) => format !== 'avif' || pixels <= maxAvifPixels)
  return offered[0] ?? (hasAlpha ? 'png' : 'jpeg')
}
