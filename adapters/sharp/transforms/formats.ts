/** A format that pictures are sent in. */
export type Format = 'avif' | 'webp' | 'jpeg' | 'png' | 'gif'

/** A format that is sent only to those who say that they understand it. */
export type ModernFormat = 'avif' | 'webp'

/** What the choice of a format depends on. */
export interface Subject {
  /** Format of the original. */
  type: string
  /** Frames; 1 for a still. */
  pages: number
  hasAlpha: boolean
  /** Pixels of the picture that is to be encoded. */
  pixels: number
}

// Encoding AVIF takes some 23 bytes of memory per pixel, WebP 5 (see weight.ts), and the C library of Linux gives little
// of it back. After 500 pictures in every width up to 3840, two at a time, a process has 512 MB with this bound, 636 MB
// with 2.5 million and 900 MB with 12 million. The price is some 20 percent more bytes for the few that are larger.
const largestAvif = 1_500_000

const modernFormats: readonly ModernFormat[] = ['avif', 'webp']

/**
 * The modern formats that an `Accept` header names (RFC 9110, section 12.5.1), the best first. Wildcards imply neither:
 * every browser sends `image/*`, also those that know no AVIF.
 *
 * @example acceptedFormats('image/avif,image/webp;q=0,image/*') // ['avif']
 */
export function acceptedFormats(accept: string | null): readonly ModernFormat[] {
  const named = new Set((accept ?? '').toLowerCase().split(',').filter(isWelcome).map(mediaType))
  return modernFormats.filter((format) => named.has(`image/${format}`))
}

function mediaType(range: string): string {
  return (range.split(';', 1)[0] as string).trim()
}

function isWelcome(range: string): boolean {
  return !/;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/.test(range)
}

/**
 * The format for a picture when the URL names none: what moves stays moving (as WebP, else as it is), stills become
 * AVIF (up to 1.5 million pixels) or WebP where accepted, else PNG with an alpha channel and JPEG without.
 *
 * @example chooseFormat({ type: 'png', pages: 1, hasAlpha: true, pixels: 9 }, []) // 'png'
 */
export function chooseFormat(subject: Subject, accepted: readonly ModernFormat[]): Format {
  const { type, pages, hasAlpha, pixels } = subject
  // No AVIF here: libvips writes no animated one.
  if (pages > 1) return accepted.includes('webp') || type === 'webp' ? 'webp' : 'gif'
  const offered = accepted.filter((format) => format !== 'avif' || pixels <= largestAvif)
  return offered[0] ?? (hasAlpha ? 'png' : 'jpeg')
}

/** Whether a picture of several frames can keep them in a format. */
export function canAnimate(format: Format): boolean {
  return format === 'webp' || format === 'gif'
}
