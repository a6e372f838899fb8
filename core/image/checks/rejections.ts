import { isDevelopment, warnOnce } from '../../development.js'
import { type ErrorResponse, errors } from '../errors.js'
import type { ImagePlanOptions } from '../planner.js'
import { decodeSource } from '../source-encoding.js'
import { defaultWidths } from '../widths.js'

/** Tells the developer why a request was answered with an error, and what to do. */
export type WarnOfRejection = (request: Pick<Request, 'url'>, error: ErrorResponse) => void

const advice = 'write the URL with images.srcSet, <Image> or the loader'

/**
 * Creates the function that in development warns of images that are answered with 400 or 403, once for each reason. In production
 * it does nothing, since anybody can send such requests.
 */
export function createRejectionWarning({ sources, widths }: ImagePlanOptions): WarnOfRejection {
  if (!isDevelopment()) return () => {}
  const warn = warnOnce()
  return ({ url }, { status, error }) => {
    if (status !== 400 && status !== 403) return
    const { pathname, searchParams } = new URL(url)
    const source = decodeSource(pathname.slice(pathname.lastIndexOf('/') + 1)) ?? ''
    const given = searchParams.get('width')
    const reasons: Readonly<Record<string, string>> = {
      [errors.missingParameters.error]: `expected /{prefix}/{source}?width={n}; ${advice}`,
      [errors.invalidWidth.error]:
        `width: expected one of ${(widths ?? defaultWidths).join(', ')}, got ${given}; add it to widths`,
      [errors.unknownParameters.error]:
        `expected no parameter but width${searchParams.has('v') ? ', and v with the option version' : ''}, got ${[...searchParams.keys()].join(', ')}; ${advice}`,
      [errors.invalidSource.error]:
        `source: expected unpadded base64url of a source as the loader spells it, got '${source}'; ${advice}`,
      [errors.sourceNotAllowed.error]: `sources: expected a prefix of ${source}, got ${[...sources].join(', ')}`,
    }
    const key = `${error} ${error === errors.invalidWidth.error ? given : ''}`
    warn(() => `Images: ${status} ${error} for ${pathname.slice(0, 200)}: ${reasons[error]?.slice(0, 500)}`, key)
  }
}
