import { type ImageRequest, parseImagePath, splitSignature } from '../../../core/image/imgproxy/path.js'
import { createVerifier } from '../../../core/image/index.js'
import { ImageFailure, unknownSource } from '../failure.js'
import type { Settings } from '../options.js'
import type { Place } from '../sources/original-source.js'
import { createSourceRouter } from '../sources/router.js'

/** What a URL asks for, and where its original is. */
export interface LocatedRequest extends ImageRequest {
  place: Place
}

/**
 * Creates the function that reads the path of a URL. The signature is checked before anything else is looked at, so
 * that nobody can try out what this service knows. It throws an {@link ImageFailure}: 403 for a wrong signature, 404 for
 * a URL that cannot be read or a source that is unknown.
 *
 * @throws TypeError for keys or sources that are malformed.
 */
export function createRequestReader(settings: Settings): (pathname: string) => LocatedRequest {
  const isSigned = createVerifier(settings.keys)
  const locate = createSourceRouter({
    sources: settings.sources,
    allowNetworks: settings.allowNetworks,
    maxBytes: settings.maxSourceBytes,
    timeout: settings.sourceTimeout,
    freshFor: settings.remoteMaxAge * 1000,
    lookup: settings.lookup,
  })
  return (pathname) => {
    const signed = splitSignature(pathname)
    if (!signed) throw new ImageFailure(404, 'Unreadable URL: expected /{signature}/{options}/{source}')
    if (!isSigned(signed.signature, signed.path)) throw new ImageFailure(403, 'Wrong signature')
    const { source, options } = parseImagePath(signed.path)
    const place = locate(source)
    if (!place) throw unknownSource()
    return { source, options, place }
  }
}
