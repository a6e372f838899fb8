import type { NegotiatedFormat, OutputFormat } from '../../../core/image/internal.js'
import type { ImageHeader } from './inspect.js'

/** A format of the service that is sent only to clients that list it in `Accept`. */
export type ModernFormat = NegotiatedFormat & OutputFormat

/**
 * Chooses the format of an image when the URL does not name one. Animations become WebP if it is accepted or the
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
