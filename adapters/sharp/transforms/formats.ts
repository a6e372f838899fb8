import { namedMediaTypes } from '../../../core/http/negotiation.js'
import type { OutputFormat } from '../../../core/image/internal.js'
import type { ImageHeader } from './inspect.js'

/** A format that is sent only to clients that name it in `Accept`. */
export type ModernFormat = 'avif' | 'webp'

/** The original, and the number of pixels to encode. */
export type FormatInput = Pick<ImageHeader, 'type' | 'pages' | 'hasAlpha'> & { pixels: number }

const modernFormats: readonly ModernFormat[] = ['avif', 'webp']

/**
 * Returns the modern formats that an `Accept` header names (RFC 9110, section 12.5.1), best first. Wildcards do not
 * count: every browser sends `image/*`, including those without support for AVIF.
 *
 * @example acceptedFormats('image/avif,image/webp;q=0,image/*') // ['avif']
 */
export function acceptedFormats(accept: string | null): readonly ModernFormat[] {
  const named = namedMediaTypes(accept)
  return modernFormats.filter((format) => named.has(`image/${format}`))
}

/**
 * Chooses the format of an image when the URL names none. Animations become WebP where accepted, else GIF unless they are
 * WebP already. Still images become AVIF or WebP where accepted, else PNG with an alpha channel and JPEG without.
 *
 * @param maxAvifPixels Images of more pixels become WebP where AVIF would be chosen. Default: AVIF holds for every size.
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
